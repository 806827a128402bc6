"""What is reported where the Pulumi CLI cannot run a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock import cli
from penstock.core.errors import UnusableEngine, UnusableFaults
from penstock.simulate.engine import automation
from penstock.simulate.environment import find_environment
from penstock.timeline.faults import parse_faults


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one resource, on a machine without the CLI."""
    (tmp_path / "Pulumi.yaml").write_text("name: small\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("import pulumi_random\n\npulumi_random.RandomPet('pet')\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_the_cli_a_person_is_reported_what_to_install(project: Path) -> None:
    environment = find_environment(str(project), "dev")

    with pytest.raises(UnusableEngine, match=r"needs the Pulumi CLI.*install"):
        automation.run_engine(environment, environment.rehearse())


def test_without_the_cli_the_command_ends_with_bad_input(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["penstock", "rehearse", str(project), "--stack", "dev", "--engine", "pulumi"])

    with pytest.raises(SystemExit) as end:
        cli.main()

    assert end.value.code == 2
    assert "Pulumi CLI" in capsys.readouterr().err


def test_unknown_values_go_with_the_embedded_engine_only(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["penstock", "rehearse", str(project), "--stack", "dev", "--engine", "pulumi", "--unknown"]
    monkeypatch.setattr("sys.argv", arguments)

    with pytest.raises(SystemExit) as end:
        cli.main()

    assert end.value.code == 2
    assert "--unknown" in capsys.readouterr().err


def test_a_program_that_refers_to_other_stacks_is_refused_before_anything_runs(project: Path) -> None:
    (project / "pulumi").write_text("#!/bin/sh\nexit 1\n")
    (project / "pulumi").chmod(0o755)
    (project / "__main__.py").write_text("import pulumi\n\npulumi.StackReference('organization/network/prod')\n")
    environment = find_environment(str(project), "dev")

    with pytest.raises(UnusableEngine, match="organization/network/prod"):
        automation.run_engine(environment, environment.rehearse())


def test_a_fault_that_nothing_meets_is_refused_before_anything_runs(project: Path) -> None:
    environment = find_environment(str(project), "dev")

    with pytest.raises(UnusableFaults):
        automation.run_engine(environment, environment.rehearse(), faults=parse_faults(["quota:nothing-of-the-kind"]))

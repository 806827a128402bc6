"""A description without a program: the packaged one is rehearsed, and a note says what `pulumi up` needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from penstock.changes.diff import diff
from penstock.changes.revision import baseline_at
from penstock.core.errors import InvalidDescription, NotAProject, ProgramFailed
from penstock.simulate.environment import find_environment

DESCRIPTION = """config:
  penstock:platform:
    environment: dev
    cloud: {provider: kubernetes}
    cluster: {kubeconfig: lab}
    node_pools:
      - {name: gpu, accelerator: l4, nodes: 2, labels: {nvidia.com/gpu.product: NVIDIA-L4}}
"""
PROJECT = "name: shop\nruntime: python\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "My lab"
    home.mkdir()
    (home / "Pulumi.dev.yaml").write_text(DESCRIPTION)
    return home


def test_a_stack_file_is_enough(folder: Path) -> None:
    rehearsal = find_environment(str(folder)).rehearse()

    (note,) = rehearsal.findings
    assert note.code == "PROGRAM-011"
    assert "a Pulumi.yaml with `name` and `runtime: python`, and a __main__.py" in note.hint
    assert rehearsal.graph.project == "My-lab"
    assert rehearsal.graph.of_type("penstock:index:Platform")


def test_with_a_project_file_only_the_program_is_missing(folder: Path) -> None:
    (folder / "Pulumi.yaml").write_text(PROJECT)

    (note,) = find_environment(str(folder)).rehearse().findings

    assert note.code == "PROGRAM-011"
    assert note.hint.startswith("`pulumi up` needs a __main__.py")


def test_the_program_of_the_hint_creates_the_same_resources(folder: Path) -> None:
    (folder / "Pulumi.yaml").write_text(PROJECT)
    packaged = find_environment(str(folder)).rehearse()
    (folder / "__main__.py").write_text(packaged.findings[0].hint.split("`")[-2].replace("; ", "\n"))

    own = find_environment(str(folder)).rehearse()

    assert own.findings == ()
    assert own.graph.resources.keys() == packaged.graph.resources.keys()
    assert own.graph.exports.keys() == packaged.graph.exports.keys()


def test_a_program_of_the_folder_is_the_one_that_runs(folder: Path) -> None:
    (folder / "__main__.py").write_text("import pulumi\npulumi.export('mine', 1)\n")

    assert find_environment(str(folder)).rehearse().graph.exports == {"mine": 1}


def test_a_stack_without_a_description_still_needs_its_program(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  aws:region: us-east-1\n")
    with pytest.raises(NotAProject, match=r"there is no Pulumi\.yaml"):
        find_environment(str(tmp_path))

    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    with pytest.raises(ProgramFailed, match=r"a folder needs a __main__\.py"):
        find_environment(str(tmp_path)).rehearse()


def test_a_broken_description_is_reported_with_its_line(folder: Path) -> None:
    (folder / "Pulumi.dev.yaml").write_text(DESCRIPTION.replace("accelerator: l4", "accelerator: l44"))

    with pytest.raises(InvalidDescription) as refused:
        find_environment(str(folder))

    assert [(each.line, each.path) for each in refused.value.findings] == [(7, "node_pools[0].accelerator")]


def test_a_change_is_compared_with_the_same_stack_at_a_revision(folder: Path) -> None:
    commit = "git init -q && git add . && git -c user.name=t -c user.email=t@example.com commit -qm first"
    subprocess.run(commit, shell=True, cwd=folder, check=True)
    environment = find_environment(str(folder))

    before = baseline_at("HEAD", environment)
    after = environment.rehearse(before=before.graph)

    changes = diff(before.graph, after.graph)
    assert [*changes.created, *changes.deleted, *changes.updated, *changes.replaced] == []


def test_a_missing_sdk_is_reported_at_the_cloud_that_needs_it_with_the_extra_that_brings_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pulumi_kubernetes", None)
    for module in [name for name in sys.modules if name.startswith("penstock.kubernetes.compose")]:
        monkeypatch.delitem(sys.modules, module)

    with pytest.raises(ProgramFailed) as failed:
        find_environment(str(folder)).rehearse()

    (finding,) = failed.value.findings
    assert (Path(finding.file or "").name, finding.line) == ("Pulumi.dev.yaml", 4)
    assert "imports pulumi_kubernetes, which is not installed" in finding.message
    assert "`pip install 'penstock-iac[kubernetes]'`" in finding.message

"""A typo in one of Penstock's own keys is refused: ignored, it would turn off what it was to turn on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pulumi.runtime.proto.analyzer_pb2 import AnalyzeStackRequest
from tests.pack import engine

from penstock import description
from penstock.description.own_keys import KEYS

Run = Callable[..., tuple[int, str, str]]
TYPO = "config:\n  aws:region: us-east-1\n  penstock:polices: {packs: [baseline]}\n"
EXPORT = {"version": 3, "deployment": {"manifest": {"time": "2026-11-01T00:00:00Z", "magic": "", "version": ""}}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(
        "from pulumi_aws import ebs\nebs.Volume('data', availability_zone='us-east-1a', size=1)\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["rehearse", "check"])
def test_an_unknown_key_is_refused_with_its_place_and_the_nearest_key(
    penstock: Run, project: Path, command: str
) -> None:
    (project / "Pulumi.dev.yaml").write_text(TYPO)

    status, _, err = penstock(command, "dev")

    assert status == 2
    assert "Pulumi.dev.yaml:3:3  penstock:polices  [SPEC-010]" in err
    assert f"Did you mean penstock:policies? Keys: {', '.join(KEYS)}." in err


@pytest.mark.parametrize("key", ["penstock:quota", "penstock:foo", "penstock:"])
def test_every_key_of_the_namespace_must_be_known(penstock: Run, project: Path, key: str) -> None:
    (project / "Pulumi.dev.yaml").write_text(f"config:\n  '{key}': 1\n")

    status, _, err = penstock("check", "dev")

    assert status == 2
    assert f"Pulumi.dev.yaml:2:3  {key}  [SPEC-010]" in err


@pytest.mark.parametrize("key", ["policies", "shop:policies", "aws:region", "penstocks:policies"])
def test_keys_of_others_are_left_alone(penstock: Run, project: Path, key: str) -> None:
    (project / "Pulumi.dev.yaml").write_text(f"config:\n  {key}: us-east-1\n")

    assert penstock("check", "dev")[0] == 0


def test_a_project_called_penstock_may_leave_the_namespace_out(penstock: Run, project: Path) -> None:
    (project / "Pulumi.yaml").write_text("name: penstock\nruntime: python\n")
    (project / "Pulumi.dev.yaml").write_text("config:\n  polices: {packs: [baseline]}\n")

    status, _, err = penstock("check", "dev")

    assert status == 2
    assert "Pulumi.dev.yaml:2:3  penstock:polices  [SPEC-010]" in err


def test_a_key_among_the_defaults_of_the_project_is_refused_there(penstock: Run, project: Path) -> None:
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\nconfig:\n  penstock:polices: {value: {}}\n")

    status, _, err = penstock("check", ".", "--stack", "dev")

    assert status == 2
    assert "Pulumi.yaml:4:3  penstock:polices  [SPEC-010]" in err


def test_an_audit_refuses_it_too(penstock: Run, project: Path) -> None:
    (project / "Pulumi.dev.yaml").write_text(TYPO)
    (project / "state.json").write_text(json.dumps(EXPORT))

    status, _, err = penstock("audit", "state.json", "--config", "Pulumi.dev.yaml")

    assert status == 2
    assert "Pulumi.dev.yaml:3:3  penstock:polices" in err


def test_the_policy_pack_says_so_too() -> None:
    with engine.started() as pack:
        pack.stack({"penstock:polices": "{}"})
        (diagnostic,) = pack.pack.AnalyzeStack(AnalyzeStackRequest()).diagnostics

    assert "Did you mean penstock:policies?" in diagnostic.message


def test_mistakes_in_each_key_are_reported_together(penstock: Run, project: Path) -> None:
    (project / "Pulumi.dev.yaml").write_text(
        "config:\n"
        "  penstock:quotas: {L-1: 2}\n"
        "  penstock:policies: {pack: [baseline]}\n"
        "  penstock:quota: {}\n"
        "  penstock:platform: {environment: prodd}\n"
    )

    status, out, _ = penstock("check", "dev", "--format", "json")

    assert status == 2
    places = [(each["code"], each["line"], each["path"]) for each in json.loads(out)["findings"]]
    assert places[:3] == [
        ("QUOTA-001", 2, "penstock:quotas.L-1"),
        ("SPEC-010", 3, "penstock:policies.pack"),
        ("SPEC-010", 4, "penstock:quota"),
    ]
    assert ("SPEC-013", 5, "environment") in places
    assert [each[2] for each in places].count("environment") == 1


@pytest.mark.parametrize("text", ["config: hello\n", "[a]\n"])
def test_a_configuration_that_is_none_speaks_of_no_description_that_nobody_wants(
    penstock: Run, project: Path, text: str
) -> None:
    (project / "Pulumi.dev.yaml").write_text(text)

    status, _, err = penstock("check", "dev")

    assert status == 2
    assert "`config:`" in err
    assert "It begins with" not in err


def test_the_schema_knows_the_keys_and_requires_none() -> None:
    config = description.json_schema()["properties"]["config"]

    assert config["properties"].keys() == set(KEYS)
    assert "required" not in config
    assert "required" not in description.json_schema()

"""Encrypted configuration is read with the stack's passphrase, as Pulumi reads it, and stays secret all through."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock.core.errors import NotAProject
from penstock.graph.values import ENCRYPTED, Secret, shown
from penstock.simulate import in_program
from penstock.simulate.environment import find_environment
from penstock.simulate.project import config_of, locate, project_at

PROGRAM = """
import pulumi
config = pulumi.Config()
pulumi.export("token", config.require_secret("token"))
pulumi.export("size", config.require_int("size"))
pulumi.export("password", config.require_object("db").get("password", "none"))
pulumi.export("user", config.require_object("db").get("user", "none"))
pulumi.export("whole", config.require_object("whole").get("key", "none"))
pulumi.export("ratio", config.require_float("whole"))
pulumi.export("on", config.get_bool("size"))
"""

# Written by `pulumi config set --secret` with the passphrase "correct horse".
STACK = """
encryptionsalt: v1:vDrujnvsVgM=:v1:uX/1zOk/R/y0fYQM:g7Nsz76fqsbLSAFwQYrdzyt6gg0a+Q==
config:
  shop:token: {secure: "v1:aoeuHsbdzCvw6inX:aKpzQjsWU64OWUphVZXFD5zHvFhbAf6/5XKi"}
  shop:db:
    password: {secure: "v1:cNQ/LZkdEeVpyQVg:9ze1pSZ/GsTcIAW5QPpg2sjjszJlode+9sJn"}
    user: me
  shop:size: {secure: "v1:4pJMvkmaXgbV+Dq6:JB2MGRH5kwRbteghcZlYVxU="}
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PULUMI_CONFIG_PASSPHRASE", raising=False)
    monkeypatch.delenv("PULUMI_CONFIG_PASSPHRASE_FILE", raising=False)
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text(STACK)
    (tmp_path / "__main__.py").write_text("\n".join(PROGRAM.splitlines()[:6]))
    return tmp_path


def notes(folder: Path) -> list[str]:
    found = [*config_of(project_at(folder), "dev").findings]
    return [f"{each.message}. {each.hint}" for each in found if each.code == "PROGRAM-008"]


@pytest.mark.parametrize("where", ["value", "file"])
def test_the_passphrase_opens_what_pulumi_has_encrypted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    (folder / "phrase").write_text("correct horse\n")
    name = "PULUMI_CONFIG_PASSPHRASE"
    monkeypatch.setenv(*(name, "correct horse") if where == "value" else (f"{name}_FILE", str(folder / "phrase")))

    rehearsal = find_environment(str(folder), "dev").rehearse()

    assert rehearsal.findings == ()
    assert rehearsal.graph.exports["token"] == Secret("hunter22-Zq")
    assert rehearsal.graph.exports["size"] == 7
    assert rehearsal.graph.exports["password"] == "p4ss-nested"
    assert rehearsal.redaction.of("so p4ss-nested and hunter22-Zq") == "so [secret] and [secret]"


def test_nothing_that_was_decrypted_is_in_a_report(
    penstock: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "correct horse")

    _, out, err = penstock("rehearse", str(folder), "--stack", "dev", "--format", "json")

    assert json.loads(out)["environment"] == "dev"
    assert not any(secret in out + err for secret in ("hunter22-Zq", "p4ss-nested", "correct horse"))


def test_without_the_passphrase_there_are_stand_ins_of_the_kind_that_is_asked_for(folder: Path) -> None:
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "Pulumi.dev.yaml").write_text(f"{STACK}  shop:whole: {{secure: v1:x:y}}\n")

    rehearsal = find_environment(str(folder), "dev").rehearse()

    exports = {key: shown(value) for key, value in rehearsal.graph.exports.items()}
    assert exports == {
        "token": "[secret]",
        "size": 0,
        "on": False,
        "password": ENCRYPTED,
        "user": "me",
        "whole": "none",
        "ratio": 0,
    }
    (note,) = notes(folder)
    assert note.startswith("shop:db, shop:size, shop:token, shop:whole are encrypted")
    assert "Set PULUMI_CONFIG_PASSPHRASE" in note


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("PULUMI_CONFIG_PASSPHRASE", "wrong", "is not the passphrase of this stack"),
        ("PULUMI_CONFIG_PASSPHRASE", "", "is not the passphrase of this stack"),
        ("PULUMI_CONFIG_PASSPHRASE_FILE", "/absent", "PULUMI_CONFIG_PASSPHRASE_FILE cannot be read"),
    ],
)
def test_what_cannot_be_opened_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, says: str
) -> None:
    monkeypatch.setenv(variable, value)

    (note,) = notes(folder)

    assert says in note


def test_what_another_secrets_provider_has_encrypted_only_pulumi_can_read(folder: Path) -> None:
    (folder / "Pulumi.dev.yaml").write_text(STACK.replace("encryptionsalt", "encryptedkey"))

    (note,) = notes(folder)

    assert "only Pulumi can decrypt" in note


def test_a_value_of_another_stack_keeps_its_stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "correct horse")
    (folder / "Pulumi.dev.yaml").write_text(STACK.replace("4pJMvkmaXgbV", "4pJMvkmaXgbW"))

    (note,) = notes(folder)

    assert note.startswith("shop:size is encrypted")


def test_both_sides_mean_the_same_stand_in() -> None:
    assert in_program.ENCRYPTED == ENCRYPTED


def test_config_may_be_the_folder_of_the_stack_files(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\nconfig: stacks\n")
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "Pulumi.dev.yaml").write_text("config: {shop:size: 3}\n")

    project, stack = locate(str(tmp_path), "dev")

    assert config_of(project, stack).values == {"shop:size": "3"}


def test_the_folder_of_the_stack_files_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\nconfig: a\nstackConfigDir: b\n")

    with pytest.raises(NotAProject, match="keep stackConfigDir"):
        project_at(tmp_path)

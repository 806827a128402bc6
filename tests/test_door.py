"""The first minutes with Penstock: the package says what it is, the command what it can do."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from penstock import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS = ("rehearse", "check", "audit", "diff", "review", "schema", "policy-pack")
Run = Callable[..., tuple[int, str, str]]


def test_the_licence_is_apache_2() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")

    assert PROJECT["license"] == "Apache-2.0"
    assert PROJECT["license-files"] == ["LICENSE"]
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert text.rstrip().endswith("limitations under the License.")


def test_the_version_stands_in_one_place() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert "version" not in PROJECT


def test_a_clone_has_the_policy_pack_of_the_package(penstock: Run) -> None:
    _, printed, _ = penstock("policy-pack")

    assert (ROOT / "policies").resolve() == Path(printed.strip())
    assert (ROOT / "policies" / "PulumiPolicy.yaml").is_file()


def test_the_changelog_has_an_entry_for_what_is_not_released() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert "## [Unreleased]" in text


def test_the_command_is_a_module_too() -> None:
    command = [sys.executable, "-m", "penstock"]
    printed = subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout
    refused = subprocess.run([*command, "check", "nosuch"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert printed == f"penstock {__version__}\n"
    assert refused.returncode == 2
    assert "nosuch" in refused.stderr


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=str)
def test_h_is_help_everywhere(penstock: Run, command: tuple[str, ...]) -> None:
    short, long = penstock(*command, "-h"), penstock(*command, "--help")

    assert short == long
    assert short[0] == 0
    assert "Usage: " in short[1]


def test_the_help_names_every_command(penstock: Run) -> None:
    _, printed, _ = penstock("-h")

    assert all(f"  {name} " in printed for name in COMMANDS)


def test_a_shell_completes_the_commands() -> None:
    variables = {"_PENSTOCK_COMPLETE": "complete_bash", "COMP_WORDS": "penstock re", "COMP_CWORD": "1"}
    program = "import sys; sys.argv[0] = 'penstock'; from penstock.cli import main; main()"

    printed = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **variables}, check=True, capture_output=True, text=True
    ).stdout

    assert printed.split() == ["rehearse", "review"]

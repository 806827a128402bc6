"""The path of a new user, in an empty folder with the built wheel: `docs/getting-started.md` is its transcript."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest
from tests import built_wheel

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

PAGE = built_wheel.ROOT / "docs" / "getting-started.md"
ELSEWHERE = ("pip", "python3", ".", "pulumi", "kubectl")
"""Commands that need a package index or a cloud."""


def steps() -> list[tuple[str, str]]:
    """The files of the page, as `NAME` and content, and its commands, as `$ COMMAND` and output, in their order."""
    found = []
    for language, text in re.findall(
        r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        if language == "console":
            commands = re.findall(r"^(\$ .*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
            found += [each for each in commands if each[0].split()[1] not in ELSEWHERE]
        else:
            found.append((text.partition("\n")[0].removeprefix("# "), text))
    return found


@pytest.fixture
def user(tmp_path: Path) -> Mapping[str, str]:
    """The environment of somebody who has installed the wheel and git."""
    site = built_wheel.unpacked(built_wheel.built(tmp_path / "dist"), tmp_path / "site")
    commands = built_wheel.commands(tmp_path / "bin")
    known = {f"GIT_{who}_{what}": "reader@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    path = os.pathsep.join((str(commands), os.environ["PATH"]))
    return {**built_wheel.variables(site), **known, "PATH": path, "COLUMNS": "120"}


def test_a_new_user_gets_what_the_guide_shows(user: Mapping[str, str], tmp_path: Path) -> None:
    here = tmp_path / "home"
    here.mkdir()
    transcript = []
    for name, expected in steps():
        if not name.startswith("$ "):
            (here / name).write_text(expected, encoding="utf-8")
            continue
        command = shlex.split(name.removeprefix("$ "))
        if command[0] == "cd":
            here /= command[1]
            continue
        done = subprocess.run(
            command, cwd=here, env=user, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        transcript += [name, done.stdout + done.stderr]
        (tmp_path / "transcript.txt").write_text("\n".join(transcript), encoding="utf-8")
        assert OutputChecker().check_output(expected, done.stdout + done.stderr, ELLIPSIS), "\n".join(transcript[-2:])

    assert (here / "report.html").stat().st_size > 0
    assert any("penstock review" in line for line in transcript)

"""The recipes of CONTRIBUTING.md work to the letter: each is applied to a copy of the project, and its commands run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.exhaustive

ROOT = Path(__file__).parents[1]
TRIED = frozenset({"A price", "A rule"})
"""The recipes that CI follows: `make coverage` follows all."""

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = ("components", "docs", "stacks", "tests", "tools", "Pulumi.yaml", "README.md", "mkdocs.yml", "pyproject.toml")


class Block(NamedTuple):
    """A fenced block of a recipe: its language, the file that it names, and its text."""

    language: str
    file: str
    text: str


def recipes() -> Mapping[str, tuple[Block, ...]]:
    """The blocks of each recipe, by its heading."""
    _, *sections = re.split(r"^### ", PAGE.partition("\n## Recipes\n")[2], flags=re.MULTILINE)
    return {section.partition("\n")[0]: tuple(blocks(section)) for section in sections}


def blocks(section: str) -> list[Block]:
    found = re.findall(r"^( *)```(\w+)(?: (\S+))?\n(.*?)^\1```$", section, re.DOTALL | re.MULTILINE)
    return [Block(language, file, cut(text, indent)) for indent, language, file, text in found]


def cut(text: str, indent: str) -> str:
    """The text without the indent of its list item."""
    return "".join(line.removeprefix(indent) for line in text.splitlines(keepends=True))


RECIPES = recipes()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path)
    return tmp_path


def test_there_is_a_recipe_for_each_kind_of_contribution() -> None:
    kinds = {
        "A machine type",
        "A price",
        "A part of a bill",
        "A region",
        "A component",
        "An add-on",
        "A rule",
        "A policy",
        "A cloud",
    }

    assert kinds == RECIPES.keys()


@pytest.mark.parametrize(
    "recipe", [pytest.param(recipe, marks=() if recipe in TRIED else pytest.mark.nightly) for recipe in RECIPES]
)
def test_a_recipe_works_to_the_letter(recipe: str, project: Path) -> None:
    assert any(block.language == "console" for block in RECIPES[recipe])

    for block in RECIPES[recipe]:
        if block.language == "console":
            run(block.text, project)
        elif block.language == "diff":
            change(project / block.file, block.text)
        else:
            add(project / block.file, block.text)


def run(text: str, project: Path) -> None:
    """Run the commands as in a shell in which the project's environment is active."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    variables = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join([str(project / "components"), str(project)])}
    for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
        done = subprocess.run(  # the commands are our own page's
            command, shell=True, cwd=project, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def add(file: Path, text: str) -> None:
    """Append to a file, or create it."""
    with file.open("a", encoding="utf-8") as opened:
        opened.write(text)


def change(file: Path, text: str) -> None:
    """Replace the lines that a change shows; the file must have them once."""
    lines = text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    old = file.read_text(encoding="utf-8")
    assert old.count(before) == 1, f"{file.name} has these lines {old.count(before)} times:\n{before}"
    file.write_text(old.replace(before, after), encoding="utf-8")

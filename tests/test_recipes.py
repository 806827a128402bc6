"""The recipes of CONTRIBUTING.md work to the letter: each is applied to a copy of the project, and its commands run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

pytestmark = pytest.mark.exhaustive

ROOT = Path(__file__).parents[1]
TRIED = frozenset({"A rule"})
"""The recipes that CI follows: `make coverage` follows all."""

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = ("components", "docs", "stacks", "tests", "tools", "Pulumi.yaml", "README.md", "mkdocs.yml", "pyproject.toml")


MISTAKES: Final = (
    ("A machine type", "r6a.16xlarge,r6a,,,0,,64,", "r6a.16xlarge,r6a,,,0,,65,"),
    ("A machine type", "EC2 user guide, memory", "A blog, memory"),
    ("A price", "m6i.large,af-south-1", "m6i.large,af-south-9"),
    ("A price", "EC2 pricing page,https", "EC3 pricing page,https"),
    ("A part of a bill", "relay,listener,Azure", "relay,nothing,Azure"),
    ("A part of a bill", "relay:HybridConnection,", "relay:HybridThing,"),
    ("A region", "europe-north9,Reykjavik", "europe-north8,Reykjavik"),
    ("A region", "e2-standard-4 e2-standard-8", "e9-standard-4 e2-standard-8"),
    ("A component", "kms_master_key_id=key.arn,", ""),
    ("A component", '"queue": "Queue"', '"queues": "Queue"'),
    ("A component", "| `Queue` |", "| `Queues` |"),
    ("A rule", "len(text) <= 30_720", "len(text) <= 40_000"),
    ("A rule", "says: policy has 2", "says: policy has 3"),
    ("A policy", 'Given("redrivePolicy")', 'Given("deadLetter")'),
    ("A policy", "aws-sqs-dead-letter:", "aws-sqs-dead:"),
    ("A command", "+app.command()(clouds)\n", ""),
    ("A command", "built_clouds", "built_providers"),
    ("A report format", '+    "csv": csv.render,\n', ""),
    ("A report format", '+    CSV = "csv"\n', ""),
    ("A cloud", 'AtMost("length", 10)', 'AtMost("length", 11)'),
    ("A cloud", "length: 11", "length: 9"),
)
"""A recipe, a text in it, and a wrong one in its place, with which the commands of the recipe must fail."""


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
        "A command",
        "A report format",
        "A cloud",
    }

    assert kinds == RECIPES.keys()


@pytest.mark.parametrize(
    "recipe", [pytest.param(recipe, marks=() if recipe in TRIED else pytest.mark.nightly) for recipe in RECIPES]
)
def test_a_recipe_works_to_the_letter(recipe: str, project: Path) -> None:
    assert any(block.language == "console" for block in RECIPES[recipe])

    follow(RECIPES[recipe], project)


@pytest.mark.parametrize(
    ("recipe", "right", "wrong"),
    [
        pytest.param(*each, marks=() if each[0] in TRIED else pytest.mark.nightly, id="-".join(each))
        for each in MISTAKES
    ],
)
def test_a_mistake_in_a_recipe_is_found(recipe: str, right: str, wrong: str, project: Path) -> None:
    changed = [block._replace(text=block.text.replace(right, wrong)) for block in RECIPES[recipe]]
    assert changed != list(RECIPES[recipe])

    with pytest.raises(RecipeFailed):
        follow(changed, project)


class RecipeFailed(AssertionError):
    """A command of a recipe ended with an error."""


def follow(recipe: Iterable[Block], project: Path) -> None:
    """Do what a recipe says, in order.

    Raises:
        RecipeFailed: one of its commands ends with an error.
    """
    for block in recipe:
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
        if done.returncode:
            raise RecipeFailed(f"{command}\n{done.stdout}{done.stderr}")


def add(file: Path, text: str) -> None:
    """Append to a file, or create it."""
    file.parent.mkdir(parents=True, exist_ok=True)
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

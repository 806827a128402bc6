"""The architecture page names every package and part, and nothing that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from penstock.providers import all_providers

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "components" / "penstock"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text of a section of the page."""
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def first_cells(heading: str) -> set[str]:
    """The code in the first column of a section's tables."""
    cells = re.findall(r"^\| ([^|]*) \|", section(heading), re.MULTILINE)
    return {code.strip("/") for cell in cells for code in re.findall(r"`([^`]+)`", cell)}


def folders(folder: Path) -> set[str]:
    """The packages and data folders in a folder."""
    return {file.relative_to(folder).parts[0] for file in folder.glob("*/**/*.*") if "__pycache__" not in file.parts}


def test_the_source_tree_has_every_package() -> None:
    outside = {"stacks", "policies", "plugin", "tools", "tests", "docs"}

    assert folders(PACKAGE) | {"pytest_plugin.py"} == first_cells("Source tree") - (outside - folders(PACKAGE))


def test_the_parts_of_a_cloud_are_those_that_clouds_have() -> None:
    found = set[str]()
    for provider in all_providers():
        assert provider.folder is not None
        found |= folders(provider.folder) | {each.stem for each in provider.folder.glob("*.py")} - {"__init__"}

    assert {name.removesuffix(".py") for name in first_cells("A cloud is one folder")} == found


@pytest.mark.parametrize("heading", ["Where a change belongs", "Change with care"])
def test_named_places_exist(heading: str) -> None:
    places = {name.replace("<cloud>", "aws") for name in re.findall(r"`([a-z<][^` ]+)`", section(heading))}

    bases = (PACKAGE, ROOT, PACKAGE / "aws", PACKAGE / "aws" / "data")
    assert [place for place in places if not any([*base.glob(place)] for base in bases)] == []


def test_named_modules_exist() -> None:
    def exists(name: str) -> bool:
        path = PACKAGE.parent.joinpath(*name.split("."))
        return path.is_dir() or path.with_suffix(".py").is_file()

    pages = [*PACKAGE.rglob("*.py"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tools").glob("*.py")]
    named = {
        name for page in pages for name in re.findall(r"`(penstock(?:\.[a-z_]+)+)", page.read_text(encoding="utf-8"))
    }

    assert {name for name in named if not exists(name) and not exists(name.rpartition(".")[0])} == set()

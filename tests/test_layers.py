"""The house's own rules: imports go down only, files stay small, components read no configuration."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "components" / "penstock"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the top of the house to its foundation; what shares a floor may not import each other, but for itself.
FLOORS = (
    {"cli", "pack", "testing"},
    {"report"},
    {"economics"},
    {"rehearsal"},
    {"platform"},
    {"aws", "gcp", "kubernetes"},
    {"spec"},
    {"policies"},
    {"rules"},
    {"model"},
    {"catalog"},
    {"resources"},
    {"errors", "providers", "wording"},
    {"findings"},
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}
COMPONENTS = ("aws", "gcp", "kubernetes")
MOST_LINES = 500
MOST_KEYS = 20


def part(file: Path) -> str:
    """The part of the house that a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, also inside functions, but not for type checkers alone."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_upwards(file: Path) -> Iterator[str]:
    """The modules that a file imports from its own floor or one above."""
    for module in imported(file):
        root, _, rest = module.partition(".")
        other = rest.split(".")[0]
        if root == "penstock" and other != part(file) and FLOOR[other] <= FLOOR[part(file)]:
            yield f"{file.relative_to(ROOT)} imports {module}"


def test_imports_go_down_only() -> None:
    assert [each for file in FILES if part(file) != "__init__" for each in imported_upwards(file)] == []


@pytest.mark.parametrize("name", ["catalog", "spec"])
def test_facts_and_descriptions_need_no_pulumi(name: str) -> None:
    modules = {module.split(".")[0] for file in (PACKAGE / name).rglob("*.py") for module in imported(file)}

    assert not {module for module in modules if module.startswith("pulumi")}


def test_files_stay_small() -> None:
    long = {
        file.name: lines for file in FILES if (lines := len(file.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }

    assert not long


def test_components_read_no_configuration_and_export_nothing() -> None:
    for name in COMPONENTS:
        for file in (PACKAGE / name).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            assert not {
                word for word in ("pulumi.Config(", "pulumi.export(", "os.environ", "getenv") if word in text
            }, file


def test_a_component_takes_few_keys() -> None:
    from penstock.spec import block, platform

    def specs(cls: type[block.Block]) -> Iterator[type[block.Block]]:
        for subclass in cls.__subclasses__():
            yield subclass
            yield from specs(subclass)

    assert platform.Spec in set(specs(block.Block))
    assert {
        spec.__name__: len(spec.model_fields)
        for spec in specs(block.ComponentSpec)
        if len(spec.model_fields) >= MOST_KEYS
    } == {}

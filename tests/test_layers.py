"""The house's own rules: imports go down only, files stay small, components read no configuration."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "components" / "penstock"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the top of the house to its foundation; what shares a floor may not import each other, but for itself.
FLOORS = (
    {"__main__"},
    {"cli", "pack", "testing"},
    {"editor"},
    {"report"},
    {"economics"},
    {"rehearsal"},
    {"jobs", "preflight"},
    {"platform"},
    {"aws", "azure", "gcp", "kubernetes"},
    {"spec"},
    {"policies", "preconditions"},
    {"rules"},
    {"model"},
    {"catalog"},
    {"resources"},
    {"clock", "cycles", "errors", "lazy", "providers", "wording", "yaml_text"},
    {"core", "findings"},
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}
CLOUDS = ("aws", "azure", "gcp")
COMPONENTS = (*CLOUDS, "kubernetes")
OPEN = frozenset({("penstock.policies.settings", "penstock.policies.rule")})
"""Imports that close a circle still: the settings of policies need the rule's levels, which move to a module below."""

TWINS = frozenset(
    stem
    for stem, number in Counter(path.stem for cloud in CLOUDS for path in (PACKAGE / cloud).glob("*.py")).items()
    if number > 1
)
"""Modules of components that several clouds have: the same name says that the same thing is built there."""
MOST_LINES = 500
MOST_KEYS = 20


def part(file: Path) -> str:
    """The part of the house that a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, also inside functions and for type checkers alone."""
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
        if root == "penstock" and other != "__version__" and other != part(file) and FLOOR[other] <= FLOOR[part(file)]:
            yield f"{file.relative_to(ROOT)} imports {module}"


def test_imports_go_down_only() -> None:
    assert [each for file in FILES if part(file) != "__init__" for each in imported_upwards(file)] == []


def module_of(file: Path) -> str:
    """The dotted name of a file."""
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


@cache
def arrows() -> dict[str, frozenset[str]]:
    """The modules of the package that each module imports, late imports and those for type checkers included."""
    files = {module_of(file): file for file in FILES}

    def known(name: str) -> str:
        while name and name not in files:
            name = name.rpartition(".")[0]
        return name

    return {
        module: frozenset(filter(None, map(known, imported(file)))) - {module, PACKAGE.name}
        for module, file in files.items()
    }


def among(members: Collection[str]) -> dict[str, set[str]]:
    """What the modules and folders of one folder import of each other; a folder stands for all that is in it."""

    def member(module: str) -> str:
        return next((name for name in members if module == name or module.startswith(f"{name}.")), "")

    found: dict[str, set[str]] = {name: set() for name in members}
    for module, targets in arrows().items():
        if source := member(module):
            found[source] |= set(map(member, targets)) - {source, ""}
    return found


def circle_in(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The members of some circle, in its order; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not circle_in(
        {module: {target for target in targets if (module, target) not in OPEN} for module, targets in arrows().items()}
    )


@pytest.mark.parametrize(
    "folder", sorted({file.parent for file in FILES}), ids=lambda folder: str(folder.relative_to(PACKAGE.parent))
)
def test_no_packages_import_each_other_in_a_circle(folder: Path) -> None:
    below = {module_of(each) for each in folder.glob("*.py") if each.stem != "__init__"}
    below |= {module_of(each.parent / "__init__.py") for each in folder.glob("*/__init__.py")}
    graph = among(below)

    assert not circle_in({name: {other for other in graph[name] if (name, other) not in OPEN} for name in graph})


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
    from penstock.description import block, platform
    from penstock.providers import all_providers

    def specs(cls: type[block.SpecBlock]) -> Iterator[type[block.SpecBlock]]:
        for subclass in cls.__subclasses__():
            yield subclass
            yield from specs(subclass)

    assert platform.Spec in set(specs(block.SpecBlock))
    clouds = {provider.name for provider in all_providers()}
    keys = {spec.__name__: len(spec.model_fields.keys() - clouds) for spec in specs(block.ComponentSpec)}
    assert {name: count for name, count in keys.items() if count >= MOST_KEYS} == {}


def public_classes(file: Path) -> Iterator[str]:
    """The public classes of a file."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_no_two_public_classes_share_a_name() -> None:
    homes: dict[str, list[Path]] = {}
    for file in FILES:
        twin = file.parent.name in CLOUDS and file.parent.parent == PACKAGE and file.stem in TWINS
        for name in public_classes(file):
            homes.setdefault(name, []).append(PACKAGE / "aws" / file.name if twin else file)

    shared = {name: sorted(set(files)) for name, files in homes.items() if len(set(files)) > 1}

    assert shared == {}


def test_types_are_checked_of_all_that_components_use_of_an_sdk() -> None:
    """The other modules of the large SDKs count as untyped, since reading them takes minutes."""
    checked, *_ = (
        frozenset(each["module"])
        for each in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
        if each.get("follow_imports") == "normal"
    )
    used = {
        f"{node.module}.{name.name}.*"
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module in ("pulumi_aws", "pulumi_gcp")
        for name in node.names
    }

    assert used
    assert used <= checked

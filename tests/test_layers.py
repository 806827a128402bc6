"""The house's own rules: imports go down only, files stay small, components read no configuration."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "components" / "penstock"
FILES = sorted(PACKAGE.rglob("*.py"))

FOLDERS = {file.parent.name for file in PACKAGE.glob("*/record.py")}
CLOUDS = FOLDERS - {"kubernetes"}

# From the top of the house to its foundation. `*/rules` is the folder or module `rules` of every cloud and of
# Kubernetes, `*` their package itself; `addons/block` is that module of every add-on. Rooms on one floor do not import
# each other.
FLOORS = (
    {"__main__", "pytest_plugin"},
    {"cli", "component_provider", "pack", "testing"},
    {"mcp_server"},
    {"editor"},
    {"app"},
    {"report"},
    {"*/conversion"},
    {"conversion"},
    {"*/scaffold"},
    {"scaffold"},
    {"*/sizing"},
    {"sizing"},
    {"*/cost", "*/changes"},
    {"cost", "changes"},
    {"*/simulate"},
    {"simulate"},
    {"*/preflight", "*/compose"},
    {"jobs", "platform", "preflight", "timeline"},
    {"*"},
    {"addons"},
    {"*/components"},
    {"*/description"},
    {"addons/block"},
    {"description"},
    {"*/policies", "*/preconditions"},
    {"policies", "preconditions"},
    {"*/rules"},
    {"rules"},
    {"*/model"},
    {"model"},
    {"*/record"},
    {"*/facts"},
    {"secrets"},
    {"catalog"},
    {"graph", "providers"},
    {"core", "*/types"},
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}

OF_CLUSTERS = {
    "facts": None,
    "model": None,
    "components": {"addons", "jobs", "platform"},
}
"""Folders of `kubernetes` that shared packages import, because they describe objects in any cluster, and which do."""

COMPONENTS = ("*", "*/components", "*/compose", "addons")
MOST_LINES = 500
MOST_KEYS = 20


def module_of(file: Path) -> str:
    """The dotted name of a file."""
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, also inside functions and for type checkers alone."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


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


def imports() -> Iterator[tuple[str, str]]:
    """Each module with each that it imports, but for the package itself."""
    return ((module, target) for module, targets in arrows().items() for target in targets if module != PACKAGE.name)


def folder_of(module: str) -> str:
    """The folder or module of the package that a module is in: aws, rules."""
    return module.split(".")[1]


def room(module: str) -> str:
    """The room of a module, as the floors name it: rules, */rules."""
    _, folder, *inner = module.split(".")
    if folder == "addons" and inner[1:] == ["block"]:
        return "addons/block"
    return "/".join(["*", *inner[:1]]) if folder in FOLDERS else folder


def goes_down(module: str, target: str) -> bool:
    """Return whether an import goes down, stays in its room, or leads to the same room of Kubernetes."""
    if room(module) == room(target):
        return folder_of(target) in (folder_of(module), "kubernetes")
    return FLOOR[room(module)] < FLOOR[room(target)]


def test_every_room_has_a_floor() -> None:
    assert {room(module) for module in arrows() if module != PACKAGE.name} == FLOOR.keys()


def test_imports_go_down_only() -> None:
    assert {each for each in imports() if not goes_down(*each)} == set()


def may_import(module: str, target: str) -> bool:
    """Return whether a module may import one of a cloud or of Kubernetes, as far as their folders go."""
    source, cloud = folder_of(module), folder_of(target)
    if cloud not in FOLDERS or cloud == source:
        return True
    if cloud in CLOUDS or source in CLOUDS:
        return source in CLOUDS and cloud == "kubernetes"
    _, _, *inner = target.split(".")
    among = OF_CLUSTERS.get(inner[0] if inner else "", set())
    return among is None or source in among


def test_shared_code_imports_no_cloud_and_a_cloud_no_other() -> None:
    assert {each for each in imports() if not may_import(*each)} == set()


def test_only_jobs_import_more_of_an_addon_than_its_block() -> None:
    others = [each for each in imports() if folder_of(each[0]) not in ("addons", "jobs")]

    assert not [each for each in others if folder_of(each[1]) == "addons" and room(each[1]) != "addons/block"]


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
    assert not circle_in(arrows())


@pytest.mark.parametrize(
    "folder",
    sorted({file.parent for file in FILES} - {PACKAGE}),  # whose folders the floors keep apart
    ids=lambda folder: str(folder.relative_to(PACKAGE.parent)),
)
def test_no_packages_import_each_other_in_a_circle(folder: Path) -> None:
    below = {module_of(each) for each in folder.glob("*.py") if each.stem != "__init__"}
    below |= {module_of(each.parent / "__init__.py") for each in folder.glob("*/__init__.py")}
    graph = among(below)

    assert not circle_in(graph)


@pytest.mark.parametrize("name", ["catalog", "description", "*/facts", "*/description"])
def test_facts_and_descriptions_need_no_pulumi(name: str) -> None:
    files = [file for folder in PACKAGE.glob(name) for file in folder.rglob("*.py")]

    assert files
    assert not {module for file in files for module in imported(file) if module.startswith("pulumi")}


def test_files_stay_small() -> None:
    long = {
        file.name: lines for file in FILES if (lines := len(file.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }

    assert not long


def test_components_read_no_configuration_and_export_nothing() -> None:
    files = [file for file in FILES if module_of(file) != PACKAGE.name and room(module_of(file)) in COMPONENTS]

    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not {word for word in ("pulumi.Config(", "pulumi.export(", "os.environ", "getenv") if word in text}, file


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
    """In the same place of two clouds, the same name says that the same thing is built there."""
    homes: dict[str, set[str]] = {}
    for file in FILES:
        _, *folders = module_of(file).split(".")
        for name in public_classes(file):
            homes.setdefault(name, set()).add(".".join("*" if each in FOLDERS else each for each in folders))

    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


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

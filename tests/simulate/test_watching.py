"""A change counts if it may change the verdict, however an editor writes it."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import wait
from pathlib import Path

import pytest
from tests.patience import LONGEST_S

from penstock.simulate.project import project_at
from penstock.simulate.watching import ChangeWatch, Dependencies


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project with a program in a folder, an environment, and a module elsewhere."""
    for folder in ("program/inner", "program/.venv/lib", "program/node_modules/x", "elsewhere", "env"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "program" / "env").mkdir()
    (tmp_path / "program" / "env" / "pyvenv.cfg").touch()
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\nmain: program\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "program" / "__main__.py").write_text("import pulumi\n")
    return tmp_path.resolve()


@pytest.fixture
def dependencies(home: Path) -> Dependencies:
    return Dependencies(project_at(home), "dev")


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("Pulumi.yaml", True),
        ("Pulumi.dev.yaml", True),
        ("Pulumi.prod.yaml", False),
        ("program/__main__.py", True),
        ("program/inner/new.py", True),
        ("program/inner/data.json", True),
        ("program/inner/notes.md", False),
        ("elsewhere/module.py", False),
        ("README.md", False),
    ],
)
def test_what_a_stack_depends_on_is_known_before_it_has_run(
    dependencies: Dependencies, home: Path, file: str, counts: bool
) -> None:
    assert dependencies.has(str(home / file)) is counts


def test_what_a_run_has_read_counts_from_then_on(dependencies: Dependencies, home: Path) -> None:
    module, data = home / "elsewhere" / "module.py", home / "elsewhere" / "table.csv"

    assert dependencies.include([str(module), str(data)])
    assert not dependencies.include([str(module)])
    assert dependencies.has(str(module))
    assert dependencies.has(str(data))
    assert dependencies.has(str(home / "elsewhere" / "other.py"))
    assert not dependencies.has(str(home / "elsewhere" / "other.csv"))
    assert home / "elsewhere" in dependencies.folders()


def test_environments_and_what_tools_install_are_not_watched(dependencies: Dependencies, home: Path) -> None:
    inside = {str(folder.relative_to(home)) for folder in dependencies.folders()}

    assert inside == {".", "program", "program/inner"}


def in_place(file: Path) -> None:
    file.write_text("config: {a: b}\n")


def by_a_new_file(file: Path) -> None:
    new = file.with_name(".Pulumi.dev.yaml.tmp")
    new.write_text("config: {a: b}\n")
    new.replace(file)


def removed(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("save", [in_place, by_a_new_file, removed])
def test_a_save_is_seen(dependencies: Dependencies, home: Path, save: Callable[[Path], None]) -> None:
    changes = ChangeWatch(dependencies)
    file = home / "Pulumi.dev.yaml"
    save(file)

    assert wait([changes.fileno()], timeout=LONGEST_S)


def test_a_watch_goes_on_when_the_file_of_the_project_is_away(dependencies: Dependencies, home: Path) -> None:
    changes = ChangeWatch(dependencies)
    (home / "Pulumi.yaml").unlink()
    assert wait([changes.fileno()], timeout=LONGEST_S)
    changes.take()

    (home / "Pulumi.yaml").write_text("name: p\nruntime: python\nmain: program\n")

    assert wait([changes.fileno()], timeout=LONGEST_S)


def test_a_module_elsewhere_is_seen_once_a_run_has_read_it(dependencies: Dependencies, home: Path) -> None:
    changes = ChangeWatch(dependencies)
    module = home / "elsewhere" / "module.py"
    module.write_text("number = 1\n")
    before = module.stat().st_mtime
    assert dependencies.include([str(module)])
    changes.extend(before + 100)
    module.write_text("number = 2\n")  # perhaps before the watch has begun
    changes.extend(before - 1)

    assert wait([changes.fileno()], timeout=LONGEST_S)

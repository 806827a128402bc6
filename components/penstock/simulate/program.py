"""The program of a project, and what it is run with."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from penstock.core.errors import ProgramFailed
from penstock.simulate.interpreter import Interpreter
from penstock.simulate.sdk_hooks import imports_on_demand

PLATFORM_PROGRAM: Final = Path(__file__).parents[1] / "platform" / "program"
"""The program of a stack that has a description and no program of its own."""

Program = Callable[[], object]
"""What `pulumi up` would run. Where it is async, what it returns is waited for."""


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """One run of a program, and Pulumi's settings for it. `preview` leaves computed values unknown."""

    project: str
    stack: str
    config: Mapping[str, str]
    secret_keys: Sequence[str]
    root: Path
    preview: bool

    def settings(self) -> dict[str, Any]:
        """The settings of Pulumi's SDK, but for those that say where the monitor and the engine are."""
        return {
            "project": self.project,
            "stack": self.stack,
            "dry_run": self.preview,
            "organization": "organization",
            "root_directory": str(self.root),
        }


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """The program in a folder or file. `packages` are folders that it may import from besides its own.

    With an `interpreter` it runs in a process of that, else in this one. `home` is the current folder meanwhile, by
    default the program's own.
    """

    path: Path
    packages: Sequence[Path] = ()
    interpreter: Interpreter | None = None
    home: Path | None = None

    def __call__(self) -> None:
        """Runs the program, all but what waits for values."""
        runpy.run_path(str(self.path), run_name="__main__")

    @property
    def folder(self) -> Path:
        """The folder of the program."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def entry(self) -> str:
        """What the program sees as its own name."""
        return "." if self.path.is_dir() else self.path.name

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Makes its home the current folder, and lets imports look in its own; as long as it runs, to its end."""
        if not self.folder.is_dir():
            raise ProgramFailed(f"there is no program at {self.path}")
        if not exists(self.path):
            raise ProgramFailed(f"there is no program at {self.path}: a folder needs a __main__.py")
        with chdir(self.home or self.folder):
            if self.interpreter is not None:
                yield
                return
            with _import_path(self.folder, self.packages), _arguments(self.entry), imports_on_demand():
                yield


def exists(program: Path) -> bool:
    """Return whether a program is there: a file, or a folder with a `__main__.py`."""
    return (program / "__main__.py" if program.is_dir() else program).is_file()


def program_file(path: Path) -> ProgramFile:
    """Return the program in a folder or file that belongs to no project; `at_home` reports one that does not exist."""
    whole = path.resolve()
    folder = whole if whole.is_dir() else whole.parent
    return ProgramFile(whole, local_sdks(folder), own_process(folder))


def own_process(folder: Path) -> Interpreter | None:
    """Return this Python for a process of its own, which a program in a folder needs if it hides modules; else None."""
    return Interpreter(None) if hides_modules(folder) else None


def local_sdks(root: Path) -> tuple[Path, ...]:
    """The folders of SDKs that a project has of its own, as `pulumi package add` puts them there."""
    return tuple(folder for folder in sorted((root / "sdks").glob("*")) if folder.is_dir())


def hides_modules(folder: Path) -> bool:
    """Return whether a program has modules that are called as those of Python, or of what Penstock has imported.

    It finds its own then, as nothing else has imported any.
    """
    files = (each.stem for each in folder.glob("*.py"))
    packages = (each.parent.name for each in folder.glob("*/__init__.py"))
    own = {*files, *packages} - {"__main__"}
    return bool(own & sys.stdlib_module_names) or any(map(_is_from_elsewhere(folder), own))


def _is_from_elsewhere(folder: Path) -> Callable[[str], bool]:
    def check(name: str) -> bool:
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        return module is not None and not (file is not None and Path(file).is_relative_to(folder))

    return check


@contextmanager
def _arguments(entry: str) -> Iterator[None]:
    """Lets a program see its own arguments, of which there are none."""
    before, sys.argv = sys.argv, [entry]
    try:
        yield
    finally:
        sys.argv = before


@contextmanager
def _import_path(folder: Path, packages: Sequence[Path]) -> Iterator[None]:
    """Lets a program import what is there, and forgets its own modules afterwards: the next program has others."""
    before = set(sys.modules)
    path = sys.path.copy()
    sys.path[:0] = map(str, [folder, *packages])
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file is not None and Path(file).parent.is_relative_to(folder) and "site-packages" not in file:
                del sys.modules[name]

"""Runs a program as the Pulumi CLI's Python host runs it, with the packages that it brings along."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from penstock.errors import ProgramFailed
from penstock.rehearsal import sdk_imports

Program = Callable[[], object]
"""What `pulumi up` would run. Where it is async, what it returns is waited for."""

_ENVIRONMENTS: Final = (".venv", "venv")


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """The program in a folder or file. `packages` are folders that it may import from besides its own."""

    path: Path
    packages: Sequence[Path] = ()

    def __call__(self) -> None:
        """Runs the program, all but what waits for values."""
        if not (self.path / "__main__.py" if self.path.is_dir() else self.path).is_file():
            raise ProgramFailed(f"there is no program at {self.path}: a folder needs a __main__.py")
        runpy.run_path(str(self.path), run_name="__main__")

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Makes the program's folder the current one, and lets imports look there; as long as it runs, to its end."""
        folder = self.path if self.path.is_dir() else self.path.parent
        if not folder.is_dir():
            raise ProgramFailed(f"there is no program at {self.path}")
        with chdir(folder), _import_path(folder, self.packages), sdk_imports.on_demand():
            yield


def packages_of(root: Path, environment: str | None = None) -> tuple[Path, ...]:
    """The folders of packages that a project brings along: its local SDKs, and its virtual environment.

    `environment` is the folder that `Pulumi.yaml` names, relative to `root`; without one it is `.venv` or `venv`. Only
    one of this Python's own version counts: compiled packages fit no other.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    homes = [root / name for name in ([environment] if environment else _ENVIRONMENTS)]
    installed = [home / "lib" / version / "site-packages" for home in homes]
    windows = [home / "Lib" / "site-packages" for home in homes if sys.platform == "win32"]
    found = [*sorted((root / "sdks").glob("*")), *installed, *windows]
    return tuple(folder for folder in found if folder.is_dir() and str(folder.resolve()) not in sys.path)


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

"""The files that a rehearsal depends on, and the wait for a change of one.

Folders are watched, not files: editors write a new file and give it the name of the old one. Below a folder nothing is
watched, so that environments and caches within a project cost nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from watchfiles import DefaultFilter, watch

from penstock.simulate.project import PulumiProject

_QUIET_MS: Final = 20
"""A save is over when nothing more has changed for this time."""

_LONGEST_MS: Final = 400
"""The time after which changes count though more keep coming."""

_TO_BEGIN_MS: Final = 200
"""The time in which a watch reports that it has begun, if nothing changes."""

_SOURCES: Final = (".py", ".yaml", ".yml", ".json", ".toml")
_IGNORED: Final = frozenset((*DefaultFilter.ignore_dirs, "venv", "build", "dist", "target", "tests"))
_MOST_FOLDERS: Final = 500


class Dependencies:
    """The files whose change asks for another run of a stack: its own, the program's, and what the last runs have read.

    `stack_file` may be one that does not exist yet.
    """

    def __init__(self, project: PulumiProject, stack: str) -> None:
        self._project = project
        self._stack_file = project.stack_file(stack)
        self._project_file = project.file.resolve()  # an editor may take it away for a moment
        self._program = project.program if project.program.is_dir() else project.program.parent
        self._read: set[str] = set()

    def include(self, files: Iterable[str]) -> bool:
        """Add files that a run has read; return whether they are in folders that were not watched before."""
        before = self.folders()
        self._read.update(files)
        return self.folders() != before

    def folders(self) -> frozenset[Path]:
        """The folders in which these files are, or may come to be."""
        found = {self._project.root, self._stack_file.parent, *_below(self._program)}
        found |= {Path(file).parent for file in self._read}
        return frozenset(folder.resolve() for folder in found if folder.is_dir())

    def has(self, file: str) -> bool:
        """Return whether a change of a file may change the verdict."""
        path = Path(file)
        if path.name.startswith("Pulumi.") and path.suffix in (".yaml", ".yml") and path.stem != "Pulumi":
            return path == self._stack_file.resolve()  # others are of other stacks
        if file in self._read or path == self._project_file:
            return True
        near = path.is_relative_to(self._program.resolve()) or any(
            path.parent == Path(each).parent for each in self._read
        )
        return near and path.suffix in _SOURCES

    def has_changed(self, since: float) -> bool:
        """Return whether a file that was read has changed since a time of the clock."""
        return any(os.stat(file).st_mtime > since for file in tuple(self._read) if os.path.exists(file))  # noqa: PTH110, PTH116


def _below(folder: Path) -> Iterator[Path]:
    """A folder and those in it that hold sources of a person."""
    for number, (here, folders, _) in enumerate(os.walk(folder)):
        if number >= _MOST_FOLDERS:
            return
        folders[:] = [
            each
            for each in folders
            if each not in _IGNORED and not each.startswith(".") and not Path(here, each, "pyvenv.cfg").exists()
        ]
        yield Path(here)


class ChangeWatch:
    """A wait for changes of files, on a thread of its own; `fileno` can be read when there was one.

    It has begun when this is made: no change after that is missed.
    """

    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies = dependencies
        self._woken, self._wakes = os.pipe()
        self._stop = threading.Event()
        self._begun = threading.Event()
        self._follow()
        self._begun.wait()

    def fileno(self) -> int:
        """The descriptor that can be read after a change."""
        return self._woken

    def take(self) -> None:
        """Take note of the changes until now."""
        os.read(self._woken, 4096)

    def extend(self, since: float) -> None:
        """Watch the folders that the files are in by now; what has changed `since` a time of the clock counts, too."""
        former, self._stop = self._stop, threading.Event()
        self._follow(former, since)

    def _follow(self, former: threading.Event | None = None, since: float = 0) -> None:
        arguments = (self._stop, self._dependencies.folders(), former, since)
        threading.Thread(target=self._report, args=arguments, daemon=True).start()

    def _report(
        self, stop: threading.Event, folders: Iterable[Path], former: threading.Event | None, since: float
    ) -> None:
        """Report changes until it is stopped; once this watch has begun, stop the former one."""
        changes = watch(
            *folders,
            watch_filter=DefaultFilter(),
            debounce=_LONGEST_MS,
            step=_QUIET_MS,
            stop_event=stop,
            rust_timeout=_TO_BEGIN_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            recursive=False,
        )
        for found in changes:
            if stop.is_set():
                return
            self._begun.set()
            is_changed = any(self._dependencies.has(file) for _, file in found)
            if former is not None:
                former.set()
                former = None
                is_changed = is_changed or self._dependencies.has_changed(since)
            if is_changed:
                os.write(self._wakes, b".")

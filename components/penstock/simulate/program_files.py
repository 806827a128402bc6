"""The files of a repository that a program depends on, by what its modules import and mention. Nothing is run.

The answer errs on the side of too many files: a file that counts needlessly costs a rehearsal, a missing one hides a
change. Imports count by the package that they begin with, so what a package imports at run time counts, too. A file
that is no module counts if a module mentions its name, a folder on its way or its suffix.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Final

from penstock.rules.custom import FOLDER
from penstock.simulate.project import PulumiProject

_IMPORT: Final = re.compile(r"(?:^|;)[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([^#;\n]+))", re.MULTILINE)
_ITSELF: Final = "penstock"
"""Its modules count where they are in the repository; they import and mention nothing of a program's."""

PACKAGES: Final = re.compile(
    r"requirements[\w.-]*\.txt|pyproject\.toml|uv\.lock|poetry\.lock|Pipfile(\.lock)?|setup\.(py|cfg)"
)
"""Files that decide which packages are installed."""


@dataclass(frozen=True, slots=True)
class ProgramFiles:
    """What a program depends on, as paths from the top of the repository.

    `folders` are packages, of which every file counts; `text` is what modules mention.
    """

    project: PurePosixPath
    project_files: frozenset[str]
    modules: frozenset[str]
    folders: frozenset[str]
    text: str

    def decide(self, file: str, configuration: str) -> bool:
        """Return whether the program depends on a file, which need not exist, where its stack has a configuration."""
        path = PurePosixPath(file)
        above = {str(folder) for folder in path.parents}
        if file in self.project_files or file in self.modules or above & self.folders:
            return True
        if path.suffix == ".py" or not path.is_relative_to(self.project):
            return False
        within = path.relative_to(self.project)
        return is_mentioned(within, self.text) or is_mentioned(within, configuration)

    def packages(self, files: Iterable[str]) -> tuple[str, ...]:
        """The files among some that decide which packages are installed."""
        return tuple(each for each in files if each in self.project_files and PACKAGES.fullmatch(Path(each).name))


def is_mentioned(file: PurePosixPath, text: str) -> bool:
    """Return whether a text mentions a file: its name, a folder on the way, or, quoted or in a pattern, its suffix."""
    if any(
        part.startswith(".") for part in file.parts
    ):  # tools have such files; a program quotes the few that it reads
        return f'"{file.name}"' in text or f"'{file.name}'" in text
    words = [file.name, *file.parts[:-1]]
    if any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) for word in words):
        return True
    return bool(file.suffix) and re.search(rf"[*}}\"']{re.escape(file.suffix)}\b", text) is not None


def files_of_program(project: PulumiProject, top: Path, files: Sequence[str]) -> ProgramFiles:
    """Return what a program depends on, among the files of its repository.

    Args:
        project: the project, below `top`.
        top: the folder of the repository, or of a copy of it.
        files: every file of the repository, as paths from `top`.
    """
    root = PurePosixPath(path_below(top, project.root))
    entry = project.program / "__main__.py" if project.program.is_dir() else project.program
    found = _Imports(top, files)
    found.follow(PurePosixPath(path_below(top, entry)))
    rules = str(root / FOLDER)
    homes = {root, PurePosixPath(path_below(top, project.program))}
    own = {
        each for each in files if PurePosixPath(each).parent in homes and PACKAGES.fullmatch(PurePosixPath(each).name)
    }
    return ProgramFiles(
        root,
        frozenset(own | {path_below(top, project.file)}),
        frozenset(found.modules),
        frozenset(found.folders | {rules}),
        "\n".join(found.texts),
    )


def path_below(top: Path, path: Path) -> str:
    """A path from the top of a repository, as git has it."""
    return Path(relpath(path, top)).as_posix()


class _Imports:
    """Follows imports from module to module by the first part of their names."""

    def __init__(self, top: Path, files: Iterable[str]) -> None:
        self.modules: set[str] = set()
        self.folders: set[str] = set()
        self.texts: list[str] = []
        self._top = top
        self._files, self._below = _index(files)

    def follow(self, entry: PurePosixPath) -> None:
        waiting = [str(entry)]
        while waiting:
            module = waiting.pop()
            if module in self.modules:
                continue
            self.modules.add(module)
            if module != str(entry) and _ITSELF in PurePosixPath(module).parts:
                continue
            text = self._text(module)
            self.texts.append(text)
            for name in _imported(text):
                waiting += self._modules_of(name, entry.parent)

    def _modules_of(self, name: str, program: PurePosixPath) -> Iterable[str]:
        """The modules that an import may mean: files of that name, and all in folders of that name."""
        candidates = self._files.get(name, ())
        if name in sys.stdlib_module_names:
            candidates = [each for each in candidates if PurePosixPath(each).parent == program]
        for each in candidates:
            path = PurePosixPath(each)
            if path.stem == name:
                yield each
                continue
            parts = path.parts
            folder = str(PurePosixPath(*parts[: parts.index(name) + 1]))
            self.folders.add(folder)
            yield from self._below[folder]

    def _text(self, module: str) -> str:
        try:
            return (self._top / module).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def _index(files: Iterable[str]) -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """The modules by each name that an import of them may begin with, and those below each folder."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    below: defaultdict[str, list[str]] = defaultdict(list)
    for each in files:
        path = PurePosixPath(each)
        if path.suffix != ".py":
            continue
        names[path.stem].append(each)
        for folder in path.parents[:-1]:
            below[str(folder)].append(each)
            if len(below[str(folder)]) == 1:
                names[folder.name].append(each)
    return names, below


def _imported(text: str) -> set[str]:
    """The first parts of the names that a module imports, relative imports left out: they stay in its package."""
    parts = (each for match in _IMPORT.finditer(text) for each in (match[1] or match[2]).split(","))
    return {each.split()[0].partition(".")[0] for each in parts if each.strip()}

"""The folder that a server is confined to: no path that an assistant gives leads out of it, be it by a link."""

from __future__ import annotations

import re
from os.path import relpath
from pathlib import Path
from typing import Final

from penstock.core.errors import NoSuchRevision, NotAProject
from penstock.core.wording import quoted
from penstock.simulate.program import PLATFORM_PROGRAM
from penstock.simulate.project import PulumiProject, locate, project_at

_STACK: Final = re.compile(r"[\w.-]{1,100}", re.ASCII)
_REVISION: Final = re.compile(r"[\w][\w./@{}^~+-]{0,199}", re.ASCII)


class ServedFolder:
    """The folder of a project, or one above several, which must be the current one."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def stack(self, folder: str, stack: str | None) -> tuple[str, str]:
        """Return the folder of a project, and the name of a stack in it; its only stack if none is named.

        Raises:
            NotAProject: there is no such project or stack, or a file of it is elsewhere.
        """
        where = self._inside(folder)
        if stack is not None and not _STACK.fullmatch(stack):
            raise NotAProject(f"{quoted(stack)} is not the name of a stack: those have letters, digits, _, - and .")
        project, name = locate(where, stack)
        self._check(project, project.file, project.stack_file(name), project.program)
        return where, name

    def project(self, folder: str) -> str:
        """Return the folder of a project, of which every stack may be read.

        Raises:
            NotAProject: there is no such project, or a file of it is elsewhere.
        """
        where = self._inside(folder)
        project = project_at(Path(where))
        self._check(project, project.file, project.program, *map(project.stack_file, project.stacks()))
        return where

    def _inside(self, folder: str) -> str:
        """A folder below this one, relative to it."""
        try:
            where = (self._root / folder).resolve()
            exists = where.is_dir()
        except (OSError, ValueError):  # a name that no folder can have
            where, exists = self._root, False
        if not where.is_relative_to(self._root):
            raise NotAProject(f"{quoted(folder)} is outside of the folder that this server is confined to")
        if not exists:
            raise NotAProject(f"there is no folder {quoted(folder)}")
        return relpath(where, self._root)

    def _check(self, project: PulumiProject, *files: Path) -> None:
        for file in files:
            if file != PLATFORM_PROGRAM and not file.resolve().is_relative_to(self._root):
                raise NotAProject(
                    f"{file.name} of project {project.name} is outside of the folder that this server is confined to"
                )


def revision(name: str) -> str:
    """Return the name of a revision in git.

    Raises:
        NoSuchRevision: it has not the form of one.
    """
    if not _REVISION.fullmatch(name):
        raise NoSuchRevision(f"{quoted(name)} is not a revision: name a branch, a tag or a commit, such as origin/main")
    return name

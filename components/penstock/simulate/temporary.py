"""Folders for temporary files: gone when the command ends, or when the next one begins.

Nothing removes the folder of a process that is killed with its parent. Each process holds a lock on its folder as long
as it lives: whoever comes next removes what nobody holds.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_PREFIX: Final = "penstock-temporary-"
"""No name that a person gives to a folder of their own."""


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder that is gone when the command ends, however that may be."""
    new = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}"))
    held = os.open(new, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        folder = new.rename(new.with_name(new.name[1:]))  # held from its first moment under this name
        try:
            yield str(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(held)


def remove_abandoned() -> None:
    """Remove the folders of this user's processes that have ended without doing so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(held).st_uid == os.geteuid()
    except OSError:
        return False
    finally:
        os.close(held)

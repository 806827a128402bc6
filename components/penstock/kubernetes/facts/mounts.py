"""File operations that each kind of mount supports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from penstock.catalog.records import record_of, records

_TABLE = "kubernetes/mounts"

YesNo = Literal["yes", "no"]
Rename = Literal["yes", "no", "copy"]
"""With `copy`, a rename is a copy and a deletion: it succeeds, and others may see it half done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MountSemantics:
    """The file operations of one kind of mount; None where its documentation does not say.

    Attributes:
        drivers: the CSI drivers that mount it, or the sources of volumes.
        rename_file: whether files can be renamed, as those who write a checkpoint do when it is complete.
        lock: whether flock or fcntl hold between nodes.
        many_writers: whether clients of several nodes may write parts of one file.
    """

    mount: str
    title: str
    drivers: tuple[str, ...]
    rename_file: Rename
    rename_directory: Rename
    append: YesNo | None
    random_write: YesNo | None
    lock: YesNo | None
    hard_link: YesNo | None
    many_writers: YesNo
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_mount(mount: str) -> MountSemantics:
    """The operations of a kind of mount, such as mountpoint-s3.

    Raises:
        UnknownFact: the table has no such kind.
    """
    return record_of(MountSemantics, _TABLE, mount, "mount")


def all_mounts() -> tuple[MountSemantics, ...]:
    """Every kind of mount."""
    return records(MountSemantics, _TABLE)


@cache
def mounts_of_driver(driver: str) -> tuple[MountSemantics, ...]:
    """The mounts of a CSI driver or a volume source; empty if the table does not have it."""
    return tuple(each for each in all_mounts() if driver in each.drivers)

"""File systems that exist, and are mounted by a driver of the cluster: how each is named."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSystemDriver:
    """How one kind of file system is mounted.

    Attributes:
        driver: the CSI driver.
        installed: what `cluster.existing.installed` calls it.
        server_form: a regular expression of how the server is named, as `server_example` is; `path_example` likewise.
        handle: what the driver calls a directory, of `{server}`, `{path}` and the volume's `{name}`; `attributes` are
            what it wants to know besides.
        directories: whether a volume may be a directory of the file system, so that teams see nothing above theirs.
    """

    kind: str
    driver: str
    installed: str
    server_form: str
    server_example: str
    path_example: str
    handle: str
    attributes: tuple[str, ...]
    mount_options: tuple[str, ...]
    directories: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def driver_of(kind: str) -> FileSystemDriver:
    """How a kind of `storage` is mounted where it exists.

    Raises:
        KeyError: file systems of this kind are created, never mounted.
    """
    return keyed(FileSystemDriver, "kubernetes/file_systems")[kind]


def kinds() -> tuple[str, ...]:
    """The kinds of `storage` that are mounted where they exist."""
    return tuple(keyed(FileSystemDriver, "kubernetes/file_systems"))

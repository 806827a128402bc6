"""The images with which NCCL uses a fabric of Google Cloud, and which of their versions go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """One pinned image.

    Attributes:
        repository: where it lies, without a tag.
        tag: its version; None for one that is known by its digest only.
        digest: SHA-256 of what the tag represents; None where Google does not say.
    """

    name: str
    repository: Annotated[str, Column("image")]
    tag: str | None
    digest: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def reference(self) -> str:
        """As manifests write it: `repository:tag@sha256:…`, with what is known of the two."""
        return (
            self.repository
            + ("" if self.tag is None else f":{self.tag}")
            + ("" if self.digest is None else f"@sha256:{self.digest}")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Versions that Google released together: NCCL's plug-in on the node, and the daemon beside each workload."""

    fabric: str
    plugin: str
    daemon: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """The daemon that moves the data of GPUDirect-TCPX and -TCPXO, in a container of each pod that uses it.

    Attributes:
        image: the end of its repository, whatever registry it comes from.
        devices: what it opens on the node.
        directories: what the containers with GPUs mount of the node.
        script: what its container runs, in a shell.
        adds: the capabilities that it has.
        shares: the directories in which it and the containers with GPUs find each other's sockets.
        socket_variable: the variable that tells NCCL's plug-in the directory of the sockets; None where it needs none.
        socket_default: the directory without that variable.
    """

    fabric: str
    image: str
    devices: tuple[str, ...]
    directories: tuple[str, ...]
    script: str
    adds: tuple[str, ...]
    shares: tuple[str, ...]
    socket_variable: str | None
    socket_default: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def image(name: str) -> Image:
    """The pin of an image.

    Raises:
        UnknownFact: Penstock pins no such image.
    """
    return record_of(Image, "kubernetes/fabric_images", name, "image of a fabric")


def release(fabric: str, plugin: str) -> Release | None:
    """Return what Google released together with a version of a fabric's plug-in; None for an unknown version."""
    table = records(Release, "kubernetes/gpudirect_releases")
    return next((found for found in table if (found.fabric, found.plugin) == (fabric, plugin)), None)


def daemons() -> tuple[Daemon, ...]:
    """The daemon of each fabric that has one."""
    return records(Daemon, "kubernetes/gpudirect_daemons")

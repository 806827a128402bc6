"""Persistent disks: those that machines start from, those attached to them, and those of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from penstock.model.pools.gce import InstancePool, NotebookPool
from penstock.model.pools.gke import GkePool
from penstock.model.pools.pool import MachinePool
from penstock.resources.view import Block, View

DISK: Final = "gcp:compute/disk:Disk"
REGION_DISK: Final = "gcp:compute/regionDisk:RegionDisk"
DISKS: Final = (DISK, REGION_DISK)
"""The types of disks that a program describes beside its machines."""

_NODE_GB: Final = 100
_NODE_TYPE: Final = "pd-balanced"
_TYPE: Final = "pd-standard"
"""What GKE and Compute Engine take where nobody says (GKE documentation, boot disks; Compute Engine API, Disk.type)."""


class PersistentDisk(NamedTuple):
    """A disk by its type, such as pd-balanced, and its size in GB."""

    type: str
    gb: int


def disks_of_machine(pool: MachinePool) -> Iterator[PersistentDisk]:
    """Yield the disks that come with each machine of a pool; those whose size the image decides are left out.

    Raises:
        NotKnown: a size or a type is not known yet.
    """
    if isinstance(pool, GkePool):
        yield _of_node(pool)
    elif isinstance(pool, InstancePool):
        config = pool.config
        yield from _of_notebook(config) if isinstance(pool, NotebookPool) else _of_machine(config)


def disk_of(view: View) -> PersistentDisk | None:
    """Return a disk of its own; None where an image or a snapshot decides its size. A regional one exists twice."""
    size = view.integer("size")
    copies = 2 if view.type == REGION_DISK else 1
    return None if size is None else PersistentDisk(_last(view.text("type")) or _TYPE, size * copies)


def _of_node(pool: GkePool) -> PersistentDisk:
    config = pool.config
    if config is None:
        return PersistentDisk(_NODE_TYPE, _NODE_GB)
    boot = config.block("bootDisk")
    own = (boot.text("diskType"), boot.integer("sizeGb")) if boot is not None else (None, None)
    return PersistentDisk(
        own[0] or config.text("diskType") or _default_of(pool), own[1] or config.integer("diskSizeGb") or _NODE_GB
    )


def _default_of(pool: GkePool) -> str:
    machine = pool.machine
    known = machine is not None and machine.boot_disks and "boot_disks" not in machine.unverified
    return machine.boot_disks[0] if machine is not None and known else _NODE_TYPE


def _of_machine(config: Block) -> Iterator[PersistentDisk]:
    """The disks of a single machine, or of those of a template: each has its own spelling of them."""
    boot = config.block("bootDisk")
    created = boot.block("initializeParams") if boot is not None else None
    if created is not None:
        yield from _sized(created, "size", "type")
    for disk in config.blocks("disks"):
        if disk.text("type") != "SCRATCH":
            yield from _sized(disk, "diskSizeGb", "diskType")


def _of_notebook(config: Block) -> Iterator[PersistentDisk]:
    boot = config.block("bootDisk")
    for disk in (*([boot] if boot is not None else []), *config.blocks("dataDisks")):
        for found in _sized(disk, "diskSizeGb", "diskType"):
            yield found._replace(type=found.type.lower().replace("_", "-"))


def _sized(disk: Block, size: str, type_: str) -> Iterator[PersistentDisk]:
    gb = disk.integer(size)
    if gb:
        yield PersistentDisk(_last(disk.text(type_)) or _TYPE, gb)


def _last(path: str | None) -> str:
    return (path or "").rpartition("/")[2]

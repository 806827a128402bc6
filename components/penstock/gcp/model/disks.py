"""Persistent disks: those that machines start from, those attached to them, and those of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from penstock.gcp.model.gce import InstancePool, NotebookPool, machine_named, type_of_config
from penstock.gcp.model.gke import GkePool
from penstock.gcp.types import COMPUTE_DISK, COMPUTE_REGION_DISK
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool

DISKS: Final = (COMPUTE_DISK, COMPUTE_REGION_DISK)
"""The types of disks that a program describes beside its machines."""

LOCAL_SSD: Final = "local-ssd"
"""The type of SSDs in the machine's own host."""

_LOCAL: Final = ("ephemeralStorageConfig", "ephemeralStorageLocalSsdConfig", "localNvmeSsdBlockConfig")
"""The blocks of a node that say how many local SSDs it has, and for what."""

_LOCAL_GB: Final = 375
_APART: Final = ("a2-highgpu-", "a2-megagpu-")
"""Machine types whose local SSDs are as many as they are, yet chosen and paid for (Compute Engine pricing page)."""

_NODE_GB: Final = 100
_NODE_TYPE: Final = "pd-balanced"
_TYPE: Final = "pd-standard"
"""What GKE and Compute Engine take where nobody says (GKE documentation, boot disks; Compute Engine API, Disk.type)."""


class PersistentDisk(NamedTuple):
    """A disk by its type, such as pd-balanced, its size in GB, and the performance that it is given, where it is."""

    type: str
    gb: int
    iops: int | None = None
    mbps: int | None = None


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
    copies = 2 if view.type == COMPUTE_REGION_DISK else 1
    kind = _last(view.text("type")) or _TYPE
    return None if size is None else PersistentDisk(kind, size * copies, *_performance(view, copies))


def _of_node(pool: GkePool) -> PersistentDisk:
    config = pool.config
    if config is None:
        return PersistentDisk(_NODE_TYPE, _NODE_GB)
    boot = config.block("bootDisk")
    own = (boot.text("diskType"), boot.integer("sizeGb")) if boot is not None else (None, None)
    return PersistentDisk(
        own[0] or config.text("diskType") or _default_of(pool),
        own[1] or config.integer("diskSizeGb") or _NODE_GB,
        *(_performance(boot) if boot is not None else ()),
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
        yield PersistentDisk(_last(disk.text(type_)) or _TYPE, gb, *_performance(disk))


def _performance(disk: Block, copies: int = 1) -> tuple[int | None, int | None]:
    """The IOPS and the MB/s that a disk is given, of all its copies together."""
    iops, mbps = disk.integer("provisionedIops"), disk.integer("provisionedThroughput")
    return iops and iops * copies, mbps and mbps * copies


def local_ssds(pool: MachinePool) -> Iterator[PersistentDisk]:
    """Yield the local SSDs of each machine of a pool that are paid for apart, as they do not come with its type."""
    config = pool.config if isinstance(pool, GkePool | InstancePool) else None
    if config is None or isinstance(pool, NotebookPool) or _come_with(type_of_config(config)):
        return
    if isinstance(pool, GkePool):
        number = max((config.integer("localSsdCount") or 0, *map(_count_of, map(config.block, _LOCAL))))
        yield from [PersistentDisk(LOCAL_SSD, _LOCAL_GB)] * number
        return
    for each in config.blocks("scratchDisks"):
        yield PersistentDisk(LOCAL_SSD, each.integer("size") or _LOCAL_GB)
    for each in config.blocks("disks"):
        if each.text("type") == "SCRATCH":
            yield PersistentDisk(LOCAL_SSD, each.integer("diskSizeGb") or _LOCAL_GB)


def _count_of(block: Block | None) -> int:
    return (block.integer("localSsdCount") or 0) if block is not None else 0


def _come_with(machine_type: str) -> bool:
    """Whether the price of a machine type has its local SSDs in it."""
    machine = machine_named(machine_type)
    if machine is None:
        return machine_type.endswith("-lssd") or machine_type.startswith("z3-")
    fixed = len(machine.local_ssds) == 1 and machine.local_ssds[0] > 0
    return fixed and not machine_type.startswith(_APART)


def _last(path: str | None) -> str:
    return (path or "").rpartition("/")[2]

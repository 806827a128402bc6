"""Whose image machines of Google Cloud start from, as far as a program says."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.model.gce import InstancePool
from penstock.gcp.model.gke import GkePool
from penstock.gcp.types import COMPUTE_DISK
from penstock.graph.view import Block
from penstock.model.pools.images import Mark
from penstock.model.pools.pool import MachinePool


def image_marks(pool: MachinePool) -> Iterator[Mark]:
    """Yield what says whose the image of a pool is."""
    if isinstance(pool, GkePool):
        config = pool.config
        yield "image_type", (config.text("imageType") if config is not None else None) or ""
    elif isinstance(pool, InstancePool):
        yield from _of_machine(pool.config)


def _of_machine(config: Block) -> Iterator[Mark]:
    """The marks of the image that a machine boots from; of a disk of its own, those of that disk's image."""
    boot = config.block("bootDisk")
    created = boot.block("initializeParams") if boot is not None else None
    if created is not None:
        yield from _of_image(created.text("image"))
    if boot is not None and "source" in boot:
        disk = boot.one("source", COMPUTE_DISK)
        if disk is not None and not disk.resource.external:
            yield from _of_image(disk.text("image"))
    for each in config.blocks("disks"):
        if each.flag("boot") is not False and "sourceImage" in each:
            yield from _of_image(each.text("sourceImage"))


def _of_image(path: str | None) -> Iterator[Mark]:
    """Read `projects/windows-cloud/global/images/family/windows-2022`, `windows-cloud/windows-2022` or a name."""
    parts = (path or "").split("/")
    if "projects" in parts[:-1]:
        yield "project", parts[parts.index("projects") + 1]
    elif len(parts) > 1:
        yield "project", parts[0]
    else:
        yield "image_name", parts[0]

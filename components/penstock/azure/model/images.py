"""Whose image machines of Azure start from, as far as a program says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.azure.model.pools import AksPool, VirtualMachinePool
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.graph.view import Block
from penstock.model.pools.images import Mark
from penstock.model.pools.pool import MachinePool

_OWN_LICENCE: Final = ("windows_server", "windows_client", "rhel_byos", "sles_byos")
"""Values of `licenseType` by which Azure bills no licence, as the company brings its own (Azure Hybrid Benefit)."""


def image_marks(pool: MachinePool) -> Iterator[Mark]:
    """Yield what says whose the image of a pool is; nothing where its licence is the company's own."""
    if _brings_its_own(pool):
        return
    if isinstance(pool, AksPool):
        yield "os_type", pool.block.text("osType") or ""
    elif isinstance(pool, VirtualMachinePool):
        yield from _of_profile(_profile(pool))


def _profile(pool: MachinePool) -> Block:
    return pool.block.block("virtualMachineProfile") or pool.block


def _brings_its_own(pool: MachinePool) -> bool:
    """Whether a machine says that its licence is the company's own."""
    if isinstance(pool, VirtualMachinePool):
        return (_profile(pool).text("licenseType") or "").casefold() in _OWN_LICENCE
    if isinstance(pool, AksPool):
        cluster = (
            pool.view
            if pool.view.type == CONTAINERSERVICE_MANAGED_CLUSTER
            else pool.view.one("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER)
        )
        profile = cluster.block("windowsProfile") if cluster is not None and not cluster.resource.external else None
        return profile is not None and (profile.text("licenseType") or "").casefold() in _OWN_LICENCE
    return False


def _of_profile(profile: Block) -> Iterator[Mark]:
    storage, system = profile.block("storageProfile"), profile.block("osProfile")
    image = storage.block("imageReference") if storage is not None else None
    disk = storage.block("osDisk") if storage is not None else None
    yield "publisher", (image.text("publisher") if image is not None else None) or ""
    yield "os_type", (disk.text("osType") if disk is not None else None) or ""
    if system is not None and "windowsConfiguration" in system:
        yield "os_type", "windows"

"""Public IPv4 addresses that machines of Azure get by themselves; reserved ones are resources of their own."""

from __future__ import annotations

from penstock.azure.model.pools import AksPool, VirtualMachinePool
from penstock.model.pools.pool import MachinePool


def public_addresses(pool: MachinePool) -> int:
    """Return how many public addresses each machine of a pool gets."""
    if isinstance(pool, AksPool):
        return int(bool(pool.block.flag("enableNodePublicIP")))
    return _of_scale_set(pool) if isinstance(pool, VirtualMachinePool) else 0


def _of_scale_set(pool: VirtualMachinePool) -> int:
    profile = pool.block.block("virtualMachineProfile")
    network = profile.block("networkProfile") if profile is not None else None
    interfaces = network.blocks("networkInterfaceConfigurations") if network is not None else []
    return sum(
        "publicIPAddressConfiguration" in each
        for interface in interfaces
        for each in interface.blocks("ipConfigurations")
    )

"""The topology of Azure: subnets of a virtual network, and InfiniBand, which comes with the size of a machine."""

from __future__ import annotations

from typing import Final

from penstock.azure.model import places
from penstock.azure.model.pools import AksPool, machine_of_size
from penstock.azure.types import NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool
from penstock.model.topology.records import PlacedSubnet, PoolFabric, Standing

SUBNETS: Final = (NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK)
"""The types of resources that are subnets, or hold some."""


def placed_subnets(view: View) -> list[PlacedSubnet]:
    """Return the subnet that a resource is, or those that a network holds itself."""
    if view.type == NETWORK_SUBNET:
        network = view.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK)
        return [PlacedSubnet(view.urn, view.name, _region(network or view), "", _cidr(view))]
    return [
        PlacedSubnet(view.urn, f"{view.name}/{block.text('name') or ''}", _region(view), "", _cidr(block))
        for block in view.blocks("subnets")
    ]


def pool_subnets(pool: MachinePool) -> list[View]:
    """Return the subnet that the nodes of a pool are in."""
    return pool.block.found("vnetSubnetID", NETWORK_SUBNET) if isinstance(pool, AksPool) else []


def pool_fabric(pool: MachinePool) -> PoolFabric | None:
    """Return InfiniBand where the machines of a pool have it."""
    first = next(iter(pool.machine_types()), None)
    machine = machine_of_size(first.name) if first is not None else None
    if machine is None or not machine.rdma:
        return None
    gbps = machine.infiniband_nics * machine.infiniband_gbps if machine.infiniband_gbps is not None else None
    return PoolFabric("InfiniBand", machine.infiniband_nics, gbps, compact="proximityPlacementGroupID" in pool.block)


def standing(view: View) -> Standing:
    """Return where a resource stands, with its zones where it names some."""
    region = places.region(view)
    zones = view.value("zones")
    names = zones if isinstance(zones, list | tuple) else ()
    return Standing(region, tuple(sorted(f"{region}-{zone}" for zone in names if isinstance(zone, str))))


def _cidr(block: Block) -> str:
    return block.text("addressPrefix") or next(iter(block.texts("addressPrefixes")), "")


def _region(view: View) -> str:
    try:
        return places.region(view)
    except (NotKnown, TypeMismatch):
        return ""

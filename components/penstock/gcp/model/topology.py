"""The topology of Google Cloud: subnetworks of a region, and the fabrics of GKE's node pools."""

from __future__ import annotations

from typing import Final

from penstock.gcp.model import places
from penstock.gcp.model.gke import GkePool
from penstock.gcp.types import COMPUTE_SUBNETWORK
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.model.pools.pool import MachinePool
from penstock.model.topology.records import PlacedSubnet, PoolFabric, Standing

SUBNETS: Final = (COMPUTE_SUBNETWORK,)
"""The types of resources that are subnets, or hold some."""

_TITLES: Final = {
    "tcpx": "GPUDirect-TCPX",
    "tcpxo": "GPUDirect-TCPXO",
    "rdma": "RoCE",
    "rdma-nvl72": "RoCE and NVLink racks",
    "rdma-metal": "RoCE",
    "dual-nic": "second interface",
}
"""The fabrics of the catalogue as people call them."""


def placed_subnets(view: View) -> list[PlacedSubnet]:
    """Return the subnet that a resource is."""
    return [PlacedSubnet(view.urn, view.name, _region(view), "", view.text("ipCidrRange") or "")]


def pool_subnets(pool: MachinePool) -> list[View]:
    """Return the subnets that machines are in: of nodes that of their cluster, and further ones of their own."""
    if not isinstance(pool, GkePool):
        return pool.view.found("networkInterfaces[].subnetwork", *SUBNETS)
    network = pool.block.block("networkConfig")
    own = network.found("additionalNodeNetworkConfigs[].subnetwork", *SUBNETS) if network is not None else []
    return [*pool.cluster.found("subnetwork", *SUBNETS), *own]


def pool_fabric(pool: MachinePool) -> PoolFabric | None:
    """Return the fabric that a node pool has networks for, or that between the chips of its TPU."""
    if not isinstance(pool, GkePool):
        return None
    machine, placement = pool.machine, pool.block.block("placementPolicy")
    compact = placement is not None and placement.text("type") == "COMPACT"
    if pool.chips():
        shape = (placement.text("tpuTopology") or "") if placement is not None else ""
        return PoolFabric("ICI", 0, None, shape, compact=compact)
    network, fabric = pool.block.block("networkConfig"), pool.fabric
    if network is None or fabric is None or machine is None:
        return None
    interfaces = network.count("additionalNodeNetworkConfigs")
    if not interfaces and "acceleratorNetworkProfile" not in network:
        return None
    title = _TITLES.get(fabric.name, fabric.name)
    return PoolFabric(title, interfaces or fabric.interfaces, machine.network_gbps, compact=compact)


def standing(view: View) -> Standing:
    """Return where a resource stands: in a zone, a region, or a multi-region, as it says."""
    place = places.place(view)
    return Standing(places.region(view), (place,) if places.is_zone(place) else ())


def _region(view: View) -> str:
    try:
        return places.region(view)
    except (NotKnown, TypeMismatch):
        return ""

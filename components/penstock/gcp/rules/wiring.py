"""The further networks of a node pool, as rules read them: one entry for each interface beside the first."""

from __future__ import annotations

from penstock.gcp.facts.fabrics import NetworkGroup
from penstock.gcp.model.gke import GkePool
from penstock.gcp.types import COMPUTE_NETWORK, COMPUTE_SUBNETWORK
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View


def entries(pool: GkePool) -> list[Block]:
    """The networks that a pool's nodes have beside that of the cluster, in their order."""
    network = pool.block.block("networkConfig")
    return [] if network is None else network.blocks("additionalNodeNetworkConfigs")


def subnetwork_of(entry: Block) -> View | None:
    """The subnetwork of one entry of the wiring; None where it names none.

    Raises:
        NotKnown: it lies outside the program, or is one of several that are alike before they are created.
    """
    return entry.one("subnetwork", COMPUTE_SUBNETWORK)


def network_of(entry: Block) -> View | None:
    """As `subnetwork_of`, for the network: the one that is named, or that of the subnetwork beside it."""
    try:
        return entry.one("network", COMPUTE_NETWORK)
    except NotKnown:
        entry.value("network")  # where that is not known yet, the only subnetwork may be that of another entry
        subnetwork = subnetwork_of(entry)
        if subnetwork is None:
            raise
        return subnetwork.one("network", COMPUTE_NETWORK)


def networks(pool: GkePool) -> list[View]:
    """The networks of the program among a pool's wiring; before they are created, those that the wiring refers to."""
    found: dict[str, View] = {}
    for entry in entries(pool):
        try:
            network = network_of(entry)
        except NotKnown:
            found |= {view.urn: view for view in _sources(pool, entry)}
        else:
            found |= {} if network is None else {network.urn: network}
    return list(found.values())


def accelerator_profile(pool: GkePool) -> str | None:
    """The profile by which GKE wires the nodes itself (DRANET); None for none."""
    network = pool.block.block("networkConfig")
    return None if network is None else network.text("acceleratorNetworkProfile")


def rdma_group(pool: GkePool) -> NetworkGroup | None:
    """The part of a pool's fabric that is for RDMA; None where the fabric is of another kind."""
    fabric = pool.fabric
    return next((group for group in fabric.groups if group.profile), None) if fabric is not None else None


def path_of(pool: GkePool) -> str:
    """Return the path of the wiring of a pool."""
    return pool.block.at("networkConfig.additionalNodeNetworkConfigs")


def profile_of(network: View) -> str | None:
    """The profile of a network by its last name; None for an ordinary network."""
    text = network.text("networkProfile")
    return None if text is None else text.rpartition("/")[2]


def _sources(pool: GkePool, entry: Block) -> list[View]:
    """The networks that the wiring of a pool is put together from, by themselves or by their subnetworks."""
    top = PropertyPath.parse(entry.at("network")).top
    through = [subnetwork.one("network", COMPUTE_NETWORK) for subnetwork in pool.view.sources(top, COMPUTE_SUBNETWORK)]
    return [*pool.view.sources(top, COMPUTE_NETWORK), *(network for network in through if network is not None)]

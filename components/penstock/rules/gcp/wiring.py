"""The further networks of a node pool, as rules read them: one entry for each interface beside the first."""

from __future__ import annotations

from penstock.model.pools.gke import GkePool
from penstock.resources.property_path import PropertyPath
from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block, View
from penstock.rules.gcp.types import NETWORK, SUBNETWORK


def entries(pool: GkePool) -> list[Block]:
    """The networks that a pool's nodes have beside that of the cluster, in their order."""
    network = pool.block.block("networkConfig")
    return [] if network is None else network.blocks("additionalNodeNetworkConfigs")


def subnetwork_of(entry: Block) -> View | None:
    """The subnetwork of one entry of the wiring; None where it names none.

    Raises:
        NotKnown: it lies outside the program, or is one of several that cannot be told apart before they are made.
    """
    return entry.one("subnetwork", SUBNETWORK)


def network_of(entry: Block) -> View | None:
    """As `subnetwork_of`, for the network: the one that is named, or that of the subnetwork beside it."""
    try:
        return entry.one("network", NETWORK)
    except NotKnown:
        entry.value("network")  # where that is not known yet, the only subnetwork may be that of another entry
        subnetwork = subnetwork_of(entry)
        if subnetwork is None:
            raise
        return subnetwork.one("network", NETWORK)


def networks(pool: GkePool) -> list[View]:
    """The networks of the program among a pool's wiring; before they are made, those that it is put together from."""
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


def _sources(pool: GkePool, entry: Block) -> list[View]:
    """The networks that the wiring of a pool is put together from, by themselves or by their subnetworks."""
    top = PropertyPath.parse(entry.at("network")).top
    through = [subnetwork.one("network", NETWORK) for subnetwork in pool.view.sources(top, SUBNETWORK)]
    return [*pool.view.sources(top, NETWORK), *(network for network in through if network is not None)]

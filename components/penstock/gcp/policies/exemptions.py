"""Relations that exempt resources of Google Cloud from rules."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import (
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_NETWORK,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_SUBNETWORK,
    CONTAINER_NODE_POOL,
)
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.openings.addresses import is_private, networks_of
from penstock.rules.checks import values

_MACHINES: Final = (
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_INSTANCE,
)


def is_of_accelerators(it: View) -> bool:
    """Return whether a network, a subnet or a private firewall rule carries what accelerators send each other."""
    if not all(is_private(network) for text in values(it, "sourceRanges[]") for network in networks_of(text)):
        return False
    network = it if it.type == COMPUTE_NETWORK else it.one("network", COMPUTE_NETWORK)
    if network is None:
        return False
    return "networkProfile" in network or network.urn in network.site.once(_second_networks)


def _second_networks(site: Site) -> frozenset[str]:
    """URNs of networks that machines have on further interfaces, beside the one that they are reached by."""
    found: set[str] = set()
    for pool in site.of_type(CONTAINER_NODE_POOL):
        found |= _added_by(pool)
    for machine in site.of_type(*_MACHINES):
        try:
            found |= _beside_first(machine)
        except (NotKnown, TypeMismatch):
            continue
    return frozenset(found)


def _added_by(pool: View) -> set[str]:
    try:
        return {
            view.urn for view in pool.found("networkConfig.additionalNodeNetworkConfigs[].network", COMPUTE_NETWORK)
        }
    except NotKnown:  # a preview: networkConfig names no other networks than these
        return {view.urn for view in pool.sources("networkConfig", COMPUTE_NETWORK)}


def _beside_first(machine: View) -> set[str]:
    further = machine.blocks("networkInterfaces")[1:]
    subnets = [subnet for interface in further for subnet in interface.found("subnetwork", COMPUTE_SUBNETWORK)]
    return {view.urn for holder in (*further, *subnets) for view in holder.found("network", COMPUTE_NETWORK)}


RELATIONS: Final = (is_of_accelerators,)
"""The relations that the table `exemptions` names."""

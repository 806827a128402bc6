"""Relations that exempt resources of Google Cloud from rules."""

from __future__ import annotations

from typing import Final

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.openings.addresses import is_private, networks_of
from penstock.rules.checks import values

_NETWORK: Final = "gcp:compute/network:Network"
_SUBNETWORK: Final = "gcp:compute/subnetwork:Subnetwork"
_NODE_POOL: Final = "gcp:container/nodePool:NodePool"
_MACHINES: Final = (
    "gcp:compute/instanceTemplate:InstanceTemplate",
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate",
    "gcp:compute/instance:Instance",
)


def is_of_accelerators(it: View) -> bool:
    """Return whether a network, a subnet or a private firewall rule carries what accelerators send each other."""
    if not all(is_private(network) for text in values(it, "sourceRanges[]") for network in networks_of(text)):
        return False
    network = it if it.type == _NETWORK else it.one("network", _NETWORK)
    if network is None:
        return False
    return "networkProfile" in network or network.urn in network.site.once(_second_networks)


def _second_networks(site: Site) -> frozenset[str]:
    """URNs of networks that machines have on further interfaces, beside the one that they are reached by."""
    found: set[str] = set()
    for pool in site.of_type(_NODE_POOL):
        found |= _added_by(pool)
    for machine in site.of_type(*_MACHINES):
        try:
            found |= _beside_first(machine)
        except (NotKnown, TypeMismatch):
            continue
    return frozenset(found)


def _added_by(pool: View) -> set[str]:
    try:
        return {view.urn for view in pool.found("networkConfig.additionalNodeNetworkConfigs[].network", _NETWORK)}
    except NotKnown:  # a preview: networkConfig names no other networks than these
        return {view.urn for view in pool.sources("networkConfig", _NETWORK)}


def _beside_first(machine: View) -> set[str]:
    further = machine.blocks("networkInterfaces")[1:]
    subnets = [subnet for interface in further for subnet in interface.found("subnetwork", _SUBNETWORK)]
    return {view.urn for holder in (*further, *subnets) for view in holder.found("network", _NETWORK)}


RELATIONS: Final = (is_of_accelerators,)
"""The relations that the table `exemptions` names."""

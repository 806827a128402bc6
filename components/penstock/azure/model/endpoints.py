"""The endpoint of an AKS cluster: public, or in the network of its nodes."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER, NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.model.endpoints.endpoint import ClusterApi, Endpoint
from penstock.model.endpoints.enforcement import PolicyEngine, no_engine
from penstock.model.endpoints.machines import MachineKind

CLUSTER: Final = CONTAINERSERVICE_MANAGED_CLUSTER
NETWORK: Final = NETWORK_VIRTUAL_NETWORK

HOLDERS: Final = {NETWORK_SUBNET: ("virtualNetworkName", NETWORK_VIRTUAL_NETWORK)}
"""The property by which something in a network names that network, and the network's type."""

MACHINES: Final[tuple[MachineKind, ...]] = ()
"""Machines in a network that people get on to: on Azure by its bastion, which is a connector."""

_ENGINES: Final = {"azure": "Azure Network Policy Manager", "calico": "Calico", "cilium": "Cilium"}
_POOLS = "agentPoolProfiles"
_PROFILE = "apiServerAccessProfile"


def cluster_api(cluster: View) -> ClusterApi:
    """Read the API of an AKS cluster, which is public to everybody where nothing is set."""
    profile = cluster.block(_PROFILE)
    if profile is not None and profile.flag("enablePrivateCluster"):
        endpoints = (Endpoint("private"),)
    else:
        places = profile.locations("authorizedIPRanges[]") if profile is not None else []
        ranges = tuple(location.value for location in places if location.value is not None)
        endpoints = (Endpoint("public", ranges or None),)
    return ClusterApi(
        cluster,
        endpoints,
        f"{_PROFILE}.enablePrivateCluster",
        f"leave {_PROFILE}.enablePrivateCluster out, which replaces the cluster, and set authorizedIPRanges to the "
        "ranges that Pulumi runs from",
        _network,
    )


def policy_engine(cluster: View) -> PolicyEngine:
    """Return what enforces the network policies of an AKS cluster by its own settings.

    Raises:
        NotKnown: a value is not known yet, or the cluster brings a network plugin of its own.
    """
    sku, profile = cluster.block("sku"), cluster.block("networkProfile")
    if sku is not None and sku.text("name") == "Automatic":
        return PolicyEngine("Cilium")
    chosen = profile.text("networkPolicy") if profile is not None else None
    if chosen in _ENGINES:
        return PolicyEngine(_ENGINES[chosen])
    if profile is not None and (
        profile.text("networkPlugin") == "none" or (chosen is None and profile.text("networkDataplane") == "cilium")
    ):
        raise NotKnown
    return no_engine(
        "networkProfile.networkPolicy is " + ("not set" if chosen is None else chosen),
        "Set networkProfile.networkPolicy to cilium, with networkDataplane cilium.",
        cluster,
        "networkProfile.networkPolicy",
    )


def _network(cluster: View) -> View:
    """The network of the nodes; the cluster, which brings one of its own where its pools name no subnet."""
    if all(location.value is None for location in cluster.locations(f"{_POOLS}[].vnetSubnetID")):
        return cluster
    found = [*cluster.sources(_POOLS, NETWORK_VIRTUAL_NETWORK), *cluster.sources(_POOLS, NETWORK_SUBNET)]
    if not found:
        found = cluster.found(f"{_POOLS}[].vnetSubnetID", NETWORK_SUBNET)
    created = [each for each in found if not each.resource.external]
    if not created:
        raise NotKnown
    named = next((each for each in created if each.type == NETWORK_VIRTUAL_NETWORK), None)
    network = named or created[0].one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK)
    if network is None or network.resource.external:
        raise NotKnown
    return network

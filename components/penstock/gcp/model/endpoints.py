"""The endpoints of a GKE cluster: an address, public or private, and a name behind Google's own front end with IAM."""

from __future__ import annotations

from typing import Final

from penstock.core.cidr import is_inside
from penstock.gcp.facts.address_ranges import iap
from penstock.gcp.model.openings import firewall_opening
from penstock.gcp.types import (
    COMPUTE_FIREWALL,
    COMPUTE_INSTANCE,
    COMPUTE_NETWORK,
    COMPUTE_ROUTER,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
)
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.kubernetes.facts.dns_endpoints import GKE_SUFFIX
from penstock.model.endpoints.endpoint import ClusterApi, Endpoint
from penstock.model.endpoints.enforcement import PolicyEngine, no_engine
from penstock.model.endpoints.machines import MachineKind, surely
from penstock.model.openings.addresses import is_private, networks_of

CLUSTER: Final = CONTAINER_CLUSTER
NETWORK: Final = COMPUTE_NETWORK

HOLDERS: Final = {
    COMPUTE_SUBNETWORK: ("network", COMPUTE_NETWORK),
    COMPUTE_ROUTER: ("network", COMPUTE_NETWORK),
}
"""The property by which something in a network names that network, and the network's type."""


def cluster_api(cluster: View) -> ClusterApi:
    """Read the API of a GKE cluster, which is public to everybody where nothing is set."""
    endpoints: list[Endpoint] = []
    both = cluster.block("controlPlaneEndpointsConfig")
    by_address = both.block("ipEndpointsConfig") if both is not None else None
    by_name = both.block("dnsEndpointConfig") if both is not None else None
    if by_address is None or by_address.flag("enabled") is not False:
        endpoints.append(Endpoint("private"))
        private = cluster.block("privateClusterConfig")
        if private is None or not private.flag("enablePrivateEndpoint"):
            endpoints.append(Endpoint("public", _ranges(cluster)))
    if by_name is not None and by_name.flag("allowExternalTraffic"):
        endpoints.append(Endpoint("dns"))
    return ClusterApi(
        cluster,
        tuple(endpoints),
        "controlPlaneEndpointsConfig",
        "set controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic to true and use that endpoint in the "
        "kubeconfig, or set privateClusterConfig.enablePrivateEndpoint to false and list the ranges that Pulumi runs "
        "from in masterAuthorizedNetworksConfig",
        _network,
        name_suffix=GKE_SUFFIX,
    )


def policy_engine(cluster: View) -> PolicyEngine:
    """Return what enforces the network policies of a GKE cluster by its own settings."""
    if cluster.flag("enableAutopilot") or cluster.text("datapathProvider") == "ADVANCED_DATAPATH":
        return PolicyEngine("Dataplane V2")
    policy, addons = cluster.block("networkPolicy"), cluster.block("addonsConfig")
    addon = addons.block("networkPolicyConfig") if addons is not None else None
    fix = "Set datapathProvider to ADVANCED_DATAPATH, which replaces the cluster, or networkPolicy.enabled to true."
    if policy is None or not policy.flag("enabled"):
        reason = "neither datapathProvider is ADVANCED_DATAPATH nor networkPolicy.enabled true"
        return no_engine(reason, fix, cluster, "networkPolicy.enabled")
    if addon is not None and addon.flag("disabled"):
        path = "addonsConfig.networkPolicyConfig.disabled"
        return no_engine(f"{path} is true, which removes Calico", f"Set {path} to false.", cluster, path)
    return PolicyEngine("Calico")


def _ranges(cluster: View) -> tuple[object, ...] | None:
    """The ranges that are admitted; without the block everybody is, with an empty list nobody outside the network."""
    authorised = cluster.block("masterAuthorizedNetworksConfig")
    if authorised is None:
        return None
    places = authorised.locations("cidrBlocks[].cidrBlock")
    found = tuple(location.value for location in places if location.value is not None)
    if not found and authorised.flag("gcpPublicCidrsAccessEnabled"):
        raise NotKnown  # machines of Google Cloud are admitted, and Pulumi may run on one
    return found


def _network(cluster: View) -> View:
    network = cluster.one("network", COMPUTE_NETWORK)
    if network is None or network.resource.external:
        raise NotKnown
    return network


def _takes_tunnels(machine: View) -> bool:
    """Return whether people get on to a machine: at a public address, or through a firewall that admits IAP."""
    if any(location.value is not None for location in machine.locations("networkInterfaces[].accessConfigs[]")):
        return True
    return any(surely(_admits_iap, firewall) for firewall in machine.site.of_type(COMPUTE_FIREWALL))


def _admits_iap(firewall: View) -> bool:
    opening = firewall_opening(firewall)
    ranges = [network for text in opening.sources for network in networks_of(str(text))]
    return opening.lets_in and is_inside(iap(), ranges)


def _admits_a_peer(cluster: View) -> bool:
    """Return whether a cluster admits private ranges: of a VPN or a peering."""
    admitted = cluster.locations("masterAuthorizedNetworksConfig.cidrBlocks[].cidrBlock")
    return any(is_private(each) for location in admitted for each in networks_of(str(location.value)))


MACHINES: Final = (
    MachineKind(
        COMPUTE_INSTANCE,
        "networkInterfaces[].subnetwork",
        COMPUTE_SUBNETWORK,
        "machine reached by IAP",
        _takes_tunnels,
    ),
    MachineKind(
        COMPUTE_INSTANCE, "networkInterfaces[].network", COMPUTE_NETWORK, "machine reached by IAP", _takes_tunnels
    ),
    MachineKind(CONTAINER_CLUSTER, "network", COMPUTE_NETWORK, "private ranges of a VPN or peering", _admits_a_peer),
)
"""Machines in a network that people get on to, and what admits people who come in by a way of another program."""

"""Control planes of GKE: the address and the networks from which they are reached."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.core.cidr import ipv4_range
from penstock.gcp.rules import nodes, ranges
from penstock.gcp.types import COMPUTE_NETWORK, CONTAINER_CLUSTER
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE rejects ranges of another size, and ranges in use in the network.",
    fix="Set masterIpv4CidrBlock to a free /28, such as 172.16.0.0/28.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, container.Cluster, private_cluster_config.master_ipv4_cidr_block",),
)
def gcp_gke_control_plane_range(cluster: View) -> Verdict:
    """The range of a private control plane is a /28 that overlaps no other range of the network."""
    private = cluster.block("privateClusterConfig")
    written = private.text("masterIpv4CidrBlock") if private is not None else None
    if private is None or not written:
        return NOT_APPLICABLE
    cidr, prefix = ipv4_range(written), limits.find_limit("control_plane_prefix", "gcp").most
    path = private.at("masterIpv4CidrBlock")
    if cidr is None or cidr.prefixlen != prefix:
        return fail(f"{written!r} is not a /{prefix}", hint=f"Write one such as 172.16.0.0/{prefix}.", path=path)
    network = cluster.one("network", COMPUTE_NETWORK)
    taken = [other for other in ranges.of_network(network) if other.cidr.overlaps(cidr)] if network else []
    message = f"{cidr} overlaps {taken[0].cidr} of {taken[0].holder.name}" if taken else ""
    return allow(not taken, message, hint=f"Take a /{prefix} that no subnetwork has.", path=path)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="The API answers a private endpoint without authorised networks with an error 400.",
    fix="Add masterAuthorizedNetworksConfig; without cidrBlocks only nodes reach the control plane.",
    sources=(
        "Kubernetes Engine API, 400: master authorized networks with a private endpoint (magic-modules pull 8338)",
    ),
)
def gcp_gke_private_endpoint_networks(cluster: View) -> Verdict:
    """A cluster with a private endpoint only has authorised networks configured, even if none is listed."""
    private = cluster.block("privateClusterConfig")
    if private is None or not private.flag("enablePrivateEndpoint"):
        return NOT_APPLICABLE
    endpoints = cluster.block("controlPlaneEndpointsConfig")
    if endpoints is not None and nodes.enabled(endpoints, "ipEndpointsConfig") is False:
        return NOT_APPLICABLE
    return allow(
        "masterAuthorizedNetworksConfig" in cluster,
        "a private endpoint needs authorised networks, and none are configured",
        path="masterAuthorizedNetworksConfig",
    )


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="The API rejects other texts.",
    fix="Set cidrBlock to a range such as 203.0.113.0/24, or 203.0.113.7/32 for one address.",
    sources=("Kubernetes Engine API v1, discovery document, CidrBlock",),
)
def gcp_gke_authorized_range(cluster: View) -> Verdict:
    """An authorised network is a range of IPv4 addresses in CIDR notation."""
    config = cluster.block("masterAuthorizedNetworksConfig")
    if config is None:
        return NOT_APPLICABLE

    def check(block: Block) -> Verdict:
        text = block.text("cidrBlock")
        hint = "Write one such as 203.0.113.0/24, or 203.0.113.7/32 for one address."
        good = ipv4_range(text) if text is not None and "/" in text else None
        return allow(good, f"{text!r} is not a range", hint=hint, path=block.at("cidrBlock"))

    return each(config.blocks("cidrBlocks"), check)

"""Rules on networks of AKS clusters: ways out, policies, room for pods, and who reaches the API server."""

from __future__ import annotations

from re import compile as pattern

from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.types import (
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    NETWORK_ROUTE,
    NETWORK_ROUTE_TABLE,
    NETWORK_SUBNET,
)
from penstock.catalog import limits
from penstock.core.cidr import any_range, ipv4_range
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import Given, Is, IsNot, NoneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NEEDS = {
    "userdefinedrouting": ("routeTable", "route table"),
    "userassignednatgateway": ("natGateway", "NAT gateway"),
}
"""Ways out that AKS does not make itself: the property of a subnet that leads to each."""

_ROUTES, _ROUTE = NETWORK_ROUTE_TABLE, NETWORK_ROUTE

_NUMERIC = pattern(r"[\d./-]+")
"""What is meant as addresses; service tags are names."""

RULES.row(
    "az-aks-cilium-policies",
    "A cluster on Cilium has no other engine of network policies.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        Is("networkProfile.networkDataplane", "cilium"), NoneOf("networkProfile.networkPolicy", ("calico", "azure"))
    ),
    severity=HIGH,
    rationale="Cilium enforces policies itself, and AKS rejects a second engine.",
    fix="Set networkProfile.networkPolicy to cilium.",
    sources=("AKS documentation, Azure CNI Powered by Cilium",),
)
RULES.row(
    "az-aks-basic-balancer",
    "The load balancer of a cluster is a standard one.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Given("networkProfile.loadBalancerSku"), IsNot("networkProfile.loadBalancerSku", "basic")),
    severity=HIGH,
    rationale="Azure retired the basic load balancer in September 2025, and clusters with several pools never had it.",
    fix="Set networkProfile.loadBalancerSku to standard.",
    sources=("AKS documentation, standard load balancer",),
)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS creates no cluster whose nodes have no way to its API server and to the registries of its images.",
    fix="Set routeTable or natGateway of the nodes' subnet, as networkProfile.outboundType says, or leave that out.",
    joins=True,
    sources=("AKS documentation, outbound types", "AKS documentation, NAT gateway"),
)
def az_aks_way_out(cluster: View) -> Verdict:
    """A cluster whose way out is the user's own has a route table or NAT gateway at the subnets of its nodes."""
    profile = cluster.block("networkProfile")
    kind = profile.text("outboundType") if profile is not None else None
    if profile is None or kind is None or kind.casefold() not in _NEEDS:
        return NOT_APPLICABLE
    key, called = _NEEDS[kind.casefold()]
    path = profile.at("outboundType")

    def check(pool: AksPool) -> Verdict:
        subnet = pool.block.one("vnetSubnetID", NETWORK_SUBNET)
        if subnet is None:
            return fail(f"{kind} needs a subnet of one's own", hint="Set vnetSubnetID of the pools.", path=path)
        message = f"the subnet {subnet.name} has no {called}, which {kind} needs"
        return allow(key in subnet, message, hint=f"Set {key} of the subnet.", path=path)

    return each(aks_pools(cluster), check)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS creates no cluster whose nodes go out by a route table that leads nowhere.",
    fix="Add a route with addressPrefix 0.0.0.0/0 and nextHopType VirtualAppliance to the route table.",
    joins=True,
    sources=("AKS documentation, outbound types",),
)
def az_aks_default_route(cluster: View) -> Verdict:
    """The route table of a cluster whose way out is the user's own has a route to everywhere."""
    profile = cluster.block("networkProfile")
    if profile is None or (profile.text("outboundType") or "").casefold() != "userdefinedrouting":
        return NOT_APPLICABLE

    def check(pool: AksPool) -> Verdict:
        subnet = pool.block.one("vnetSubnetID", NETWORK_SUBNET)
        link = subnet.block("routeTable") if subnet is not None else None
        table = link.one("id", _ROUTES) if link is not None else None
        if table is None:
            return NOT_APPLICABLE
        routes = [*table.blocks("routes"), *table.referrers(_ROUTE, "routeTableName")]
        out = any(route.text("addressPrefix") == "0.0.0.0/0" for route in routes)
        message = f"{table.name} has no route to 0.0.0.0/0"
        return allow(out, message, hint="Add one to a firewall.", path=profile.at("outboundType"))

    return each(aks_pools(cluster), check)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS rejects what is not an address or a range.",
    fix="Set apiServerAccessProfile.authorizedIPRanges to public addresses and ranges, such as 203.0.113.0/24.",
    sources=("AKS documentation, authorized IP ranges",),
)
def az_aks_authorized_ranges(cluster: View) -> Verdict:
    """What may reach the API server is given as addresses and ranges."""
    access = cluster.block("apiServerAccessProfile")
    texts = access.texts("authorizedIPRanges") if access is not None else []

    def check(text: str) -> Verdict:
        path = "apiServerAccessProfile.authorizedIPRanges"
        right = not _NUMERIC.fullmatch(text) or any_range(text) is not None
        return allow(right, f"{text!r} is not a range of addresses", hint="Use one such as 203.0.113.0/24.", path=path)

    return each(texts, check)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="Each node of an overlay takes a /24 of podCidr, and the range cannot be changed; further nodes fail.",
    fix="Set networkProfile.podCidr to a range with a /24 for each node, such as 10.244.0.0/16 for 256 nodes.",
    joins=True,
    sources=("AKS documentation, Azure CNI Overlay",),
)
def az_aks_pod_range(cluster: View) -> Verdict:
    """The range of pods of an overlay has a /24 for each node of the cluster's pools."""
    profile = cluster.block("networkProfile")
    if profile is None or (profile.text("networkPluginMode") or "").casefold() != "overlay":
        return NOT_APPLICABLE
    pods = ipv4_range(profile.text("podCidr"))
    if pods is None:
        return NOT_APPLICABLE
    longest = limits.find_limit("pod_range_of_node_prefix", "azure").most
    room = 2 ** max(longest - pods.prefixlen, 0) if pods.prefixlen <= longest else 0
    beside = cluster.referrers(CONTAINERSERVICE_AGENT_POOL, "resourceName")
    pools = [*aks_pools(cluster), *(pool for view in beside for pool in aks_pools(view))]
    nodes = sum(pool.most() for pool in pools)
    hint = f"Use a /{longest - max(nodes - 1, 0).bit_length()} or larger."
    message = f"{pods} has room for {room} nodes, and the pools may have {nodes}"
    return allow(nodes <= room, message, hint=hint, path=profile.at("podCidr"))

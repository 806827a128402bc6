"""Routers and Cloud NAT: how nodes without an address of their own reach what lies outside."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.gcp.model import places
from penstock.gcp.model.gke import GkePool
from penstock.gcp.rules import profiles, ranges
from penstock.gcp.types import (
    COMPUTE_NETWORK,
    COMPUTE_ROUTER,
    COMPUTE_ROUTER_NAT,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LISTED = "LIST_OF_SUBNETWORKS"
_ALL = ("ALL_SUBNETWORKS_ALL_IP_RANGES", "ALL_SUBNETWORKS_ALL_PRIMARY_IP_RANGES")
_WHICH = "sourceSubnetworkIpRangesToNat"
_ROUTE = "gcp:compute/route:Route"


@RULES.rule(
    on=COMPUTE_ROUTER_NAT,
    severity=HIGH,
    rationale=(
        "The provider takes subnetworks only with LIST_OF_SUBNETWORKS and natIps only with MANUAL_ONLY, and these "
        "settings not without a list."
    ),
    fix=(
        "Set sourceSubnetworkIpRangesToNat to LIST_OF_SUBNETWORKS with subnetworks, and natIpAllocateOption to "
        "MANUAL_ONLY with natIps, or leave the lists out."
    ),
    sources=("Pulumi Google Cloud 10.2, compute.RouterNat, subnetworks and nat_ips",),
)
def gcp_nat_listed_resources(nat: View) -> Verdict:
    """A NAT gateway lists subnetworks, or addresses of its own, exactly where its settings announce a list."""
    which, how = nat.text(_WHICH), nat.text("natIpAllocateOption") or "AUTO_ONLY"
    wanted = (
        ("subnetworks", which == _LISTED, _WHICH, _LISTED),
        ("natIps", how == "MANUAL_ONLY", "natIpAllocateOption", "MANUAL_ONLY"),
    )
    if which is None and "natIpAllocateOption" not in nat:
        return NOT_APPLICABLE

    def check(item: tuple[str, bool, str, str]) -> Verdict:
        key, listed, said, word = item
        given = nat.count(key) > 0
        if key == "subnetworks" and not given and nat.count("nat64Subnetworks"):
            return NOT_APPLICABLE
        if listed and not given:
            return fail(f"{said} is {word}, and {key} lists none", hint=f"List them under {key}.", path=key)
        hint = f"Set {said} to {word}, or leave {key} out."
        return allow(listed or not given, f"{key} counts only where {said} is {word}", hint=hint, path=key)

    return each(wanted, check)


@RULES.rule(
    on=COMPUTE_ROUTER_NAT,
    severity=HIGH,
    rationale=(
        "Cloud NAT rejects other port counts, maxPortsPerVm without dynamic allocation, and dynamic allocation with "
        "endpoint-independent mapping."
    ),
    fix=(
        "Set minPortsPerVm and maxPortsPerVm to powers of two from 32 on, enableDynamicPortAllocation to true and "
        "enableEndpointIndependentMapping to false."
    ),
    sources=(
        (
            "Pulumi Google Cloud 10.2, compute.RouterNat, enable_dynamic_port_allocation, min_ports_per_vm and "
            "max_ports_per_vm"
        ),
    ),
)
def gcp_nat_dynamic_ports(nat: View) -> Verdict:
    """Dynamic port allocation of a NAT gateway uses powers of two, and goes without endpoint-independent mapping."""
    dynamic = nat.flag("enableDynamicPortAllocation")
    least, most = nat.integer("minPortsPerVm"), nat.integer("maxPortsPerVm")
    if not dynamic:
        if most is None:
            return NOT_APPLICABLE
        hint = "Set enableDynamicPortAllocation to true, or leave maxPortsPerVm out."
        return fail("maxPortsPerVm needs dynamic port allocation", hint=hint, path="maxPortsPerVm")
    if nat.flag("enableEndpointIndependentMapping"):
        hint = "Set enableEndpointIndependentMapping to false."
        message = "dynamic port allocation excludes endpoint-independent mapping"
        return fail(message, hint=hint, path="enableEndpointIndependentMapping")
    fewest = limits.find_limit("nat_dynamic_ports_least", "gcp").most
    for key, value, floor in (("minPortsPerVm", least, fewest), ("maxPortsPerVm", most, (least or fewest) + 1)):
        if value is not None and (value < floor or value & (value - 1)):
            hint = f"Use a power of two that is {floor} or more."
            return fail(f"{value} is not a valid number of ports for dynamic allocation", hint=hint, path=key)
    return PASS


@RULES.rule(
    on=COMPUTE_ROUTER_NAT,
    severity=HIGH,
    rationale="A gateway is part of its router, which the API does not find in another region.",
    fix="Set region of the gateway to that of the router.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, compute.RouterNat, region: where the router and the gateway reside",),
)
def gcp_nat_router_region(nat: View) -> Verdict:
    """A NAT gateway is in the region of its router."""
    router = nat.one("router", COMPUTE_ROUTER)
    if router is None:
        return NOT_APPLICABLE
    own, other = places.region(nat), places.region(router)
    message = f"router {router.name} is in {other}, and the gateway in {own}"
    return allow(own == other, message, hint=f"Set region to {other}.", path="region")


@RULES.rule(
    on=COMPUTE_ROUTER_NAT,
    severity=HIGH,
    rationale="A gateway serves one network and region, and the API rejects other subnetworks.",
    fix="List in subnetworks only subnetworks of the router's network and region.",
    joins=True,
    sources=("Cloud NAT documentation: a gateway serves one network and region",),
)
def gcp_nat_subnetworks(nat: View) -> Verdict:
    """The subnetworks of a NAT gateway are in the network and the region of its router."""
    router = nat.one("router", COMPUTE_ROUTER)
    if router is None or not nat.count("subnetworks"):
        return NOT_APPLICABLE

    def check(entry: Block) -> Verdict:
        subnetwork = entry.one("name", COMPUTE_SUBNETWORK)
        if subnetwork is None:
            return NOT_APPLICABLE
        region, home = places.region(router), router.one("network", COMPUTE_NETWORK)
        if places.region(subnetwork) != region:
            message = f"{subnetwork.name} is in {places.region(subnetwork)}, and the router in {region}"
            return fail(message, hint=f"List subnetworks of {region}.", path=entry.at("name"))
        other = subnetwork.one("network", COMPUTE_NETWORK)
        if home is None or other is None:
            raise NotKnown
        message = f"{subnetwork.name} is in network {other.name}, and the router in {home.name}"
        return allow(home.urn == other.urn, message, hint=f"List subnetworks of {home.name}.", path=entry.at("name"))

    return each(nat.blocks("subnetworks"), check)


@RULES.rule(
    on=COMPUTE_ROUTER_NAT,
    severity=HIGH,
    rationale="Cloud NAT refuses a second gateway for subnetworks that another gateway serves.",
    fix="Leave one gateway out, or set sourceSubnetworkIpRangesToNat to LIST_OF_SUBNETWORKS in both.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, compute.RouterNat, source_subnetwork_ip_ranges_to_nat",),
)
def gcp_nat_single_gateway(nat: View) -> Verdict:
    """A NAT gateway for all subnetworks of a network in a region is the only one there."""
    router = nat.one("router", COMPUTE_ROUTER)
    network = router.one("network", COMPUTE_NETWORK) if router is not None else None
    if router is None or network is None or nat.text(_WHICH) not in _ALL or nat.text("type") == "PRIVATE":
        return NOT_APPLICABLE
    region = places.region(router)
    beside = [
        other
        for each_router in network.referrers(COMPUTE_ROUTER, "network")
        if places.region(each_router) == region
        for other in each_router.referrers(COMPUTE_ROUTER_NAT, "router")
        if other.urn != nat.urn and other.text("type") != "PRIVATE"
    ]
    return allow(
        not beside,
        f"the gateway serves every subnetwork of {network.name} in {region}, and so no other may: "
        f"{beside[0].name if beside else ''} does",
        hint=f"Leave one out, or set {_WHICH} to {_LISTED} in both.",
        path=_WHICH,
    )


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    severity=MEDIUM,
    rationale="The nodes start, but reach no image registry.",
    fix="Set privateIpGoogleAccess of the subnetwork to true, or give its network a NAT gateway.",
    joins=True,
    sources=("GKE documentation, network isolation: private nodes reach Google through Private Google Access only",),
)
def gcp_gke_private_nodes_egress(holder: View) -> Verdict:
    """The subnetwork of private nodes has a NAT gateway, or at least Private Google Access."""
    if not _is_private(holder):
        return NOT_APPLICABLE
    subnetwork = _subnetwork(holder)
    network = ranges.home(subnetwork) if subnetwork is not None else None
    if subnetwork is None or network is None:
        raise NotKnown
    if subnetwork.flag("privateIpGoogleAccess") or any(_serves(nat, subnetwork) for nat in _gateways(network)):
        return PASS
    return fail(
        f"nodes without addresses of their own are in {subnetwork.name}, which has no route to an image registry",
        hint=f"Set privateIpGoogleAccess of {subnetwork.name} to true, or give its network a NAT gateway.",
        path="subnetwork" if holder.type == CONTAINER_CLUSTER else "networkConfig",
    )


@RULES.rule(
    on=COMPUTE_ROUTER,
    severity=MEDIUM,
    rationale="Interfaces for RDMA never reach anything outside the network, so the gateway serves nothing.",
    fix="Put the gateway into the network of the nodes' first interface.",
    joins=True,
    sources=("VPC documentation, RDMA network profiles: no external addresses",),
)
def gcp_nat_no_rdma(router: View) -> Verdict:
    """A network for RDMA has no NAT gateway."""
    profile = profiles.of_network(router.one("network", COMPUTE_NETWORK))
    if profile is None:
        return NOT_APPLICABLE
    gateways = router.referrers(COMPUTE_ROUTER_NAT, "router")
    message = f"the network is for {profile.name}, whose interfaces have no access to the outside"
    hint = "Put the gateway into the network of the nodes' first interface."
    return allow(not gateways, message, hint=hint, path="network")


def has_way_out(cluster: View) -> bool:
    """Return whether nodes of a cluster reach what lies outside of Google Cloud.

    Raises:
        NotKnown: the network lies outside the program, or a route of the program may lead out of it.
    """
    if not _is_private(cluster):
        return True
    subnetwork = _subnetwork(cluster)
    network = ranges.home(subnetwork) if subnetwork is not None else None
    if subnetwork is None or network is None or cluster.site.of_type(_ROUTE):
        raise NotKnown
    return any(_serves(nat, subnetwork) for nat in _gateways(network))


def _is_private(holder: View) -> bool:
    """Return whether nodes of a cluster, or of a pool that differs from its cluster, have no public addresses."""
    if holder.type == CONTAINER_CLUSTER:
        config = holder.block("privateClusterConfig")
        return config is not None and config.flag("enablePrivateNodes") is True
    network = holder.block("networkConfig")
    return network is not None and network.flag("enablePrivateNodes") is True


def _subnetwork(holder: View) -> View | None:
    if holder.type == CONTAINER_CLUSTER:
        return holder.one("subnetwork", COMPUTE_SUBNETWORK)
    network = holder.block("networkConfig")
    own = network.one("subnetwork", COMPUTE_SUBNETWORK) if network is not None else None
    return own if own is not None else GkePool(holder, holder).cluster.one("subnetwork", COMPUTE_SUBNETWORK)


def _gateways(network: View) -> Iterator[View]:
    for router in network.referrers(COMPUTE_ROUTER, "network"):
        yield from router.referrers(COMPUTE_ROUTER_NAT, "router")


def _serves(nat: View, subnetwork: View) -> bool:
    router = nat.one("router", COMPUTE_ROUTER)
    if router is None or places.region(router) != places.region(subnetwork):
        return False
    if nat.text(_WHICH) in _ALL:
        return True
    return any(named.urn == subnetwork.urn for named in nat.found("subnetworks[].name", COMPUTE_SUBNETWORK))

"""Rules on the network: its range, who reaches it, and what an adopted one must have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from ipaddress import IPv4Network

from penstock.catalog.aws import efa
from penstock.catalog.gcp import address_ranges
from penstock.spec import gcp_ranges, node_pool, platform, subnets
from penstock.spec.cluster import SERVICE_CIDR
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.positions import Path
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, GCP, rule
from penstock.wording import one_of, quoted

_SIZES = {"aws": (16, subnets.LONGEST_PREFIX), "gcp": (gcp_ranges.SHORTEST_PREFIX, gcp_ranges.LONGEST_PREFIX)}
"""By cloud: the prefixes of the largest and the smallest network. The largest VPC is a /16 (EC2 API, CreateVpc)."""

_PRIVATE = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")))
"""The ranges that no router of the internet carries (RFC 1918 and RFC 6598)."""

_UNUSABLE_ON_AWS = tuple(map(IPv4Network, ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4")))
"""Where no machine can have its address: this network, loopback, link-local, multicast and reserved (RFC 6890)."""

_LARGEST_OFFICE = 8
"""The length of the widest range that was ever given to one organisation (IANA, IPv4 address space registry)."""

_CIDR: Path = ("network", "cidr")
_EXISTING: Path = ("network", "existing")


def holds_subnets(spec: Spec) -> bool:
    """Whether a network of that size has room for its parts."""
    largest, smallest = _SIZES[spec.cloud.provider]
    return largest <= spec.network.cidr.prefixlen <= smallest


@rule("SPEC-040", reads=("network",), provider=CLOUDS)
def network_has_a_size_that_works(spec: Spec) -> Iterator[Problem]:
    """A new network is between the largest that the cloud has and the smallest that holds all subnets."""
    cidr = spec.network.cidr
    if spec.network.existing is None and not holds_subnets(spec):
        largest, smallest = _SIZES[spec.cloud.provider]
        size = "large" if cidr.prefixlen < largest else "small"
        message = f"{cidr} is too {size} for a network."
        hint = f"Take one of /{largest} to /{smallest}, such as 10.40.0.0/16."
        yield Problem(_CIDR, message, hint)


@rule("SPEC-041", reads=("network", "cluster"), provider=AWS)
def network_leaves_services_their_range(spec: Spec) -> Iterator[Problem]:
    """The network does not overlap the range of Kubernetes services, or pods reach one where they mean the other."""
    if spec.network.existing is None and spec.network.cidr.overlaps(SERVICE_CIDR):
        message = f"{spec.network.cidr} overlaps {SERVICE_CIDR}, which holds the cluster's services."
        yield Problem(_CIDR, message, "Take another private range, such as 10.40.0.0/16.")


@rule("SPEC-042", reads=("network", "cloud", "node_pools"), provider=AWS)
def network_has_addresses_for_all_nodes(spec: Spec) -> Iterator[Problem]:
    """Each zone's subnet has addresses for the nodes that may stand in it, and for their pods."""
    if spec.network.existing is not None or not holds_subnets(spec):
        return
    zones = known.zones(spec)
    demand: Counter[str | None] = Counter()
    for pool in spec.node_pools:
        demand[known.zone(pool, spec)] += pool.nodes.max * _addresses(pool, spec)
    spread = demand.pop(None, 0)
    room = {zone: subnets.usable_addresses(spec.network.cidr, zone) for zone in zones}
    for zone, addresses in demand.items():
        if zone in room and addresses > room[zone]:
            yield _too_small(spec, f"{zone} has {room[zone]} addresses for nodes and pods", addresses)
            return
    if spread and zones and sum(demand.values()) + spread > sum(room.values()):
        yield _too_small(spec, f"all zones together have {sum(room.values())} addresses", sum(demand.values()) + spread)


@rule("SPEC-043", reads=("network", "cluster"))
def outside_access_is_named(spec: Spec) -> Iterator[Problem]:
    """A restricted cluster says who may reach it, never everyone; a private one is reached from private ranges only."""
    path: Path = ("network", "allowed_cidrs")
    allowed = spec.network.allowed_cidrs
    if spec.cluster.access == "restricted" and spec.cluster.existing is None and not allowed:
        message = "cluster.access is restricted, but nobody is named who may reach it."
        yield Problem(path, message, "List the ranges of your offices or VPN, such as 203.0.113.0/24.")
    for index, cidr in enumerate(allowed):
        if spec.cluster.access == "private" and not any(cidr.subnet_of(private) for private in _PRIVATE):
            message = f"cluster.access is private, and {cidr} is a range of the internet."
            yield Problem((*path, index), message, "Leave it out, or set cluster.access to restricted.")
        elif spec.cluster.access == "private" and spec.network.existing is None and cidr == spec.network.cidr:
            yield Problem(
                (*path, index), f"{cidr} is the network itself, which reaches the cluster anyway.", "Leave it out."
            )
        if spec.cluster.access == "restricted" and cidr.prefixlen < _LARGEST_OFFICE:
            what = "a large part of the internet" if cidr.prefixlen else "the whole internet"
            yield Problem((*path, index), f"{cidr} is {what}.", "List the ranges of your offices or VPN.")


@rule("SPEC-044", reads=("network",), provider=CLOUDS)
def nodes_reach_the_cloud(spec: Spec) -> Iterator[Problem]:
    """Nodes reach the services of the cloud by the internet or by private endpoints, or they never join the cluster.

    On Google Cloud they reach them privately in any case.
    """
    network = spec.network
    if spec.cloud.provider == GCP:
        if not network.private_endpoints:
            message = "Google Cloud's services are always reached without leaving the network."
            yield Problem(("network", "private_endpoints"), message, "Leave private_endpoints out.")
        return
    if network.existing is None and network.egress == "none" and not network.private_endpoints:
        message = "Without egress and without private endpoints no node can join the cluster."
        yield Problem(("network", "private_endpoints"), message, "Leave private_endpoints on, or set egress to nat.")


@rule("SPEC-045", reads=("network", "cloud"), provider=AWS)
def adopted_network_is_named_by_its_ids(spec: Spec) -> Iterator[Problem]:
    """An adopted network has the id of a VPC, and a subnet id for each of its zones in the region."""
    existing, region = spec.network.existing, known.region(spec)
    if existing is None:
        return
    yield from _ids(existing.id, "vpc", (*_EXISTING, "id"))
    if existing.fabric_security_group is not None:
        yield from _ids(existing.fabric_security_group, "sg", (*_EXISTING, "fabric_security_group"))
    for zone, subnet in existing.subnets.items():
        path = (*_EXISTING, "subnets", zone)
        if region is not None and zone not in region.zones:
            yield Problem(path, f"{quoted(zone)} is no zone of {region.name}.", one_of(zone, region.zones, "Zones"))
        yield from _ids(subnet, "subnet", path)


@rule("SPEC-046", reads=("network", "cloud"), provider=AWS)
def adopted_network_has_a_subnet_in_each_zone(spec: Spec) -> Iterator[Problem]:
    """Every zone that the platform uses has a subnet in the adopted network."""
    existing = spec.network.existing
    if existing is None:
        return
    for index, zone in enumerate(spec.cloud.zones):
        if zone not in existing.subnets:
            message = f"network.existing has no subnet in {quoted(zone)}."
            yield Problem(("cloud", "zones", index), message, "Add the subnet, or leave the zone out.")


@rule("SPEC-047", reads=("network",), provider=CLOUDS)
def network_has_addresses_that_machines_can_have(spec: Spec) -> Iterator[Problem]:
    """A new network lies outside the ranges for loopback, link-local addresses, multicast and the like."""
    cidr = spec.network.cidr
    unusable = address_ranges.reserved() if spec.cloud.provider == "gcp" else _UNUSABLE_ON_AWS
    taken = next((each for each in unusable if cidr.overlaps(each)), None)
    if spec.network.existing is None and taken is not None and holds_subnets(spec):
        message = f"{cidr} overlaps {taken}, where no machine can have an address."
        yield Problem(_CIDR, message, "Take a private range, such as 10.40.0.0/16.")


@rule("SPEC-048", reads=("network",), provider=CLOUDS)
def adopted_network_keeps_its_range(spec: Spec) -> Iterator[Problem]:
    """A range is given to a new network only: an adopted one has its own."""
    if spec.network.existing is not None and "cidr" in spec.network.model_fields_set:
        yield Problem(_CIDR, "The network exists, so its range cannot be chosen.", "Leave cidr out.")


def _addresses(pool: NodePoolSpec, spec: Spec) -> int:
    """The addresses that one node takes; none where the machine or its interfaces are not known."""
    machine = known.aws_machine(pool, spec)
    if machine is None:
        return 0
    interfaces = (
        efa.interfaces(machine, pool.aws.efa_interfaces) if node_pool.efa(platform.resolved(spec, pool)) else ()
    )
    return efa.addresses(machine, sum(interface.kind != "efa-only" for interface in interfaces)) or 0


def _too_small(spec: Spec, room: str, wanted: int) -> Problem:
    message = f"{spec.network.cidr} is too small: {room}, but the pools can grow to take {wanted}."
    return Problem(_CIDR, message, "Take a larger network, let fewer nodes grow, or put pools into other zones.")


def _ids(value: str, kind: str, path: Path) -> Iterator[Problem]:
    if not re.fullmatch(rf"{kind}-([0-9a-f]{{8}}|[0-9a-f]{{17}})", value):
        yield Problem(path, f"{quoted(value)} is no id of AWS here.", f"It looks like {kind}-0123456789abcdef0.")

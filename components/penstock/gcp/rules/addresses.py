"""Addresses: whether the ranges of a network are there, and hold nodes and their pods."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from penstock.catalog import limits
from penstock.catalog.address_ranges import reserved_addresses
from penstock.core.cidr import ipv4_range
from penstock.gcp.model.gke import GkePool, program_gke_pools
from penstock.gcp.rules import ranges
from penstock.gcp.types import COMPUTE_SUBNETWORK, CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    NotKnown,
    TypeMismatch,
    Verdict,
    allow,
    each,
    fail,
    together,
)
from penstock.graph.view import Block, Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    severity=HIGH,
    rationale="GKE rejects a range that the subnetwork does not have, and one range for both pods and services.",
    fix=(
        "Set clusterSecondaryRangeName, servicesSecondaryRangeName and podRange to different secondaryIpRanges of the "
        "subnetwork."
    ),
    joins=True,
    sources=("GKE documentation, VPC-native clusters: secondary ranges by name",),
)
def gcp_gke_secondary_ranges(holder: View) -> Verdict:
    """A cluster or node pool names two different secondary ranges of its subnetwork for pods and services."""
    named = list(_named_ranges(holder))
    if not named:
        return NOT_APPLICABLE
    subnetwork = _subnetwork(holder)

    def check(item: tuple[Block, str]) -> Verdict:
        block, key = item
        name = block.text(key)
        if name is None or subnetwork is None:
            return NOT_APPLICABLE
        known = [text for each_ in subnetwork.blocks("secondaryIpRanges") if (text := each_.text("rangeName"))]
        if key == "servicesSecondaryRangeName" and name == block.text("clusterSecondaryRangeName"):
            hint = f"Give {subnetwork.name} one range for pods, and one for services."
            return fail(f"pods and services share the range {name!r}", hint=hint, path=block.at(key))
        message = f"{subnetwork.name} has no secondary range {name!r}"
        hint = f"Use one of {', '.join(known)}." if known else f"Give {subnetwork.name} secondary ranges."
        return allow(name in known, message, hint=hint, path=block.at(key))

    return each(named, check)


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=MEDIUM,
    rationale="GKE documents /16 as the largest range for services, and a larger one was probably meant for pods.",
    fix="Set servicesSecondaryRangeName to the smaller range, and clusterSecondaryRangeName to the larger one.",
    joins=True,
    sources=("GKE documentation, VPC-native clusters: Services secondary range, /16 at most",),
)
def gcp_gke_services_range_size(cluster: View) -> Verdict:
    """The secondary range for services is a /16 or smaller."""
    policy = cluster.block("ipAllocationPolicy")
    subnetwork = cluster.one("subnetwork", COMPUTE_SUBNETWORK) if policy is not None else None
    name = policy.text("servicesSecondaryRangeName") if policy is not None else None
    if policy is None or subnetwork is None or name is None:
        return NOT_APPLICABLE
    block = ranges.secondary(subnetwork, name)
    cidr = ipv4_range(block.text("ipCidrRange")) if block is not None else None
    if cidr is None:
        return NOT_APPLICABLE
    largest = limits.find_limit("services_prefix_least", "gcp").most
    message = f"{name} is {cidr}, and GKE takes a /{largest} for services at most"
    hint = "Name the smaller range, and the larger one in clusterSecondaryRangeName."
    path = policy.at("servicesSecondaryRangeName")
    return allow(cidr.prefixlen >= largest, message, hint=hint, path=path)


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale=(
        "Each node takes a pod range of twice its maximum number of pods, and GKE creates no nodes without free "
        "addresses."
    ),
    fix="Enlarge ipCidrRange, or lower the number of nodes or maxPodsPerNode.",
    sources=("GKE documentation, configure maximum Pods per node: table of ranges by node",),
)
def gcp_gke_ranges_initial_nodes(stack: View) -> Verdict:
    """The ranges of nodes and pods hold the nodes that the program starts."""
    site = stack.site
    return _fits(site, GkePool.start, "start")


@RULES.rule(
    on=STACK_TYPE,
    severity=MEDIUM,
    rationale="Node pools stop growing when a range has no free addresses.",
    fix="Enlarge ipCidrRange, or lower maxNodeCount, totalMaxNodeCount or maxPodsPerNode.",
    sources=("GKE documentation, configure maximum Pods per node: table of ranges by node",),
)
def gcp_gke_ranges_max_nodes(stack: View) -> Verdict:
    """The ranges of nodes and pods hold as many nodes as the node pools may grow to."""
    site = stack.site
    return _fits(site, GkePool.most, "may come")


@dataclass(frozen=True, slots=True)
class _Demand:
    """The addresses that a pool takes of a range: nodes times addresses per node."""

    pool: GkePool
    count: int
    each: int


def _fits(site: Site, count: Callable[[GkePool], int], what: str) -> Verdict:
    """Each range is held to all pools that use it; a pool that nobody can count leaves its ranges open."""
    wanted: defaultdict[tuple[str, str], list[_Demand]] = defaultdict(list)
    unclear = False
    for pool in program_gke_pools(site):
        try:
            for subnetwork, name, addresses in _used(pool):
                wanted[subnetwork.urn, name].append(_Demand(pool, count(pool), addresses))
        except NotKnown:
            unclear = True
        except TypeMismatch:
            continue
    verdicts = [_held(site, urn, name, demands, what) for (urn, name), demands in wanted.items()]
    return together([*verdicts, *([UNKNOWN] if unclear else [])])


def _held(site: Site, urn: str, name: str, demands: list[_Demand], what: str) -> Verdict:
    subnetwork = View(site.graph[urn], site)
    block = ranges.secondary(subnetwork, name) if name else subnetwork
    cidr = ipv4_range(block.text("ipCidrRange")) if block is not None else None
    if block is None or cidr is None:
        return NOT_APPLICABLE
    kept = 0 if name else reserved_addresses("gcp")
    needed, room = sum(demand.count * demand.each for demand in demands), cidr.num_addresses - kept
    if needed <= room:
        return PASS
    largest = max(demands, key=lambda demand: demand.count * demand.each)
    total = sum(demand.count for demand in demands)
    prefix = max(0, 32 - (needed + kept - 1).bit_length())
    which = f"range {name!r} of {subnetwork.name}" if name else f"subnetwork {subnetwork.name}"
    message = f"{total} nodes {what}, which take {needed} addresses, and {which} ({cidr}) has {room}"
    hint = f"Make it a /{prefix}, or have fewer nodes{', or fewer pods on each' if name else ''}."
    verdict = fail(message, hint=hint, path=block.at("ipCidrRange"), urn=urn)
    return verdict if largest.count else NOT_APPLICABLE


def _used(pool: GkePool) -> Iterator[tuple[View, str, int]]:
    """The ranges that a pool takes addresses of: the subnetwork's own for nodes, and a secondary one for pods."""
    cluster, network = pool.cluster, pool.block.block("networkConfig")
    own = network.one("subnetwork", COMPUTE_SUBNETWORK) if network is not None else None
    subnetwork = own if own is not None else cluster.one("subnetwork", COMPUTE_SUBNETWORK)
    if subnetwork is None or subnetwork.resource.external:
        raise NotKnown
    yield subnetwork, "", 1
    policy = cluster.block("ipAllocationPolicy")
    named = network.text("podRange") if network is not None else None
    named = named or (policy.text("clusterSecondaryRangeName") if policy is not None else None)
    if not named or (network is not None and network.flag("createPodRange")):
        return
    if policy is not None and ("additionalPodRangesConfig" in policy or "podCidrOverprovisionConfig" in policy):
        raise NotKnown
    pods = pool.block.integer("maxPodsPerNode") or cluster.integer("defaultMaxPodsPerNode")
    pods = pods or limits.find_limit("pods_per_node_unless_said", "gcp").most
    yield subnetwork, named, 1 << (2 * max(pods, 1) - 1).bit_length()


def _named_ranges(holder: View) -> Iterator[tuple[Block, str]]:
    policy = holder.block("ipAllocationPolicy") if holder.type == CONTAINER_CLUSTER else holder.block("networkConfig")
    if policy is None:
        return
    for key in ("clusterSecondaryRangeName", "servicesSecondaryRangeName", "podRange"):
        if key in policy and not (key == "podRange" and policy.flag("createPodRange")):
            yield policy, key


def _subnetwork(holder: View) -> View | None:
    if holder.type == CONTAINER_CLUSTER:
        return holder.one("subnetwork", COMPUTE_SUBNETWORK)
    network = holder.block("networkConfig")
    own = network.one("subnetwork", COMPUTE_SUBNETWORK) if network is not None else None
    return own if own is not None else GkePool(holder, holder).cluster.one("subnetwork", COMPUTE_SUBNETWORK)

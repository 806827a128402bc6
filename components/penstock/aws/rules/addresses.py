"""Addresses: whether subnets have enough of them for nodes and their pods."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from penstock.aws.facts import efa
from penstock.aws.model.ec2 import Ec2Pool, instance_types_of, subnets_of
from penstock.aws.model.launch_templates import inside, template_of
from penstock.aws.types import EC2_SUBNET, EKS_ADDON, EKS_CLUSTER, EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.catalog.address_ranges import usable_addresses
from penstock.core.cidr import ipv4_range
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
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TUNED = ("WARM_IP_TARGET", "MINIMUM_IP_TARGET", "WARM_ENI_TARGET", "ENABLE_PREFIX_DELEGATION", "CUSTOM_NETWORK_CFG")
"""Settings of the CNI by which nodes hold fewer addresses, or hold them elsewhere (amazon-vpc-cni-k8s README)."""


@dataclass(frozen=True, slots=True)
class _Demand:
    """The addresses that a node group takes of its subnets together."""

    group: View
    subnets: tuple[str, ...]
    addresses: int


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale="Nodes do not start, and EKS reports InsufficientFreeAddresses.",
    fix="Use subnets with a larger cidrBlock, or lower desiredSize and minSize.",
    sources=("EKS API, NodegroupIssueCode InsufficientFreeAddresses", "VPC user guide, subnet sizing"),
)
def aws_subnet_node_addresses(stack: View) -> Verdict:
    """Subnets have an IP address for each network interface of the nodes that start at once."""
    site = stack.site

    def demand(group: View) -> int:
        scaling = group.block("scalingConfig")
        count = max((scaling.integer(key) or 0 for key in ("desiredSize", "minSize")), default=0) if scaling else 0
        return count * max(1, _addressed(group))

    return _judged(site, demand, "nodes take at the start")


@RULES.rule(
    on=STACK_TYPE,
    severity=MEDIUM,
    rationale="As the groups grow, the CNI finds no free addresses, and pods do not start.",
    fix="Use subnets with a larger cidrBlock, or lower maxSize of the node groups.",
    sources=("amazon-vpc-cni-k8s README, warm pools", "pytorch/ci-infra issue 544"),
)
def aws_subnet_pod_addresses(stack: View) -> Verdict:
    """Subnets have the IP addresses that the CNI reserves for pods on as many nodes as node groups may grow to."""
    site = stack.site
    if any(_tuned(addon) for addon in site.of_type(EKS_ADDON)):
        return NOT_APPLICABLE

    def demand(group: View) -> int:
        held = [
            efa.addresses(named.machine, _addressed(group)) if named.machine is not None else None
            for named in instance_types_of(group)
        ]
        if not held or None in held:
            raise NotKnown
        return (Ec2Pool(group, group).most() or 0) * max(addresses or 0 for addresses in held)

    return _judged(site, demand, "nodes and their pods can take")


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale="The cluster is created, but EKS may lack addresses for its own network interfaces during upgrades.",
    fix="Set cidrBlock of the subnet to a /27 or larger.",
    joins=True,
    sources=("EKS user guide, network requirements: 6 addresses, better 16",),
)
def aws_eks_subnet_room(cluster: View) -> Verdict:
    """Each subnet of an EKS cluster has at least the 16 IP addresses that EKS recommends."""
    least = limits.find_limit("addresses_free_for_a_cluster_least", "aws").most
    place = cluster.block("vpcConfig")
    if place is None:
        return NOT_APPLICABLE

    def check(subnet: View) -> Verdict:
        room = _room(inside(subnet))
        message = f"subnet {subnet.name} has {room} addresses; EKS recommends at least {least} free ones"
        return allow(room >= least, message, hint="Make it a /27 or larger.", path=place.at("subnetIds"))

    return each(place.many("subnetIds", EC2_SUBNET), check)


def _judged(site: Site, demand: Callable[[View], int], what: str) -> Verdict:
    wanted, unclear = [], False
    for group in site.of_type(EKS_NODE_GROUP):
        try:
            subnets = tuple(subnet.urn for subnet in subnets_of(group))
            wanted.append(_Demand(group, subnets, demand(group)))
        except NotKnown:
            unclear = True
        except TypeMismatch:
            continue
    return together([*_overfull(site, wanted, what), *([UNKNOWN] if unclear else [])])


def _overfull(site: Site, wanted: list[_Demand], what: str) -> list[Verdict]:
    """Groups of one subnet are held to that subnet, and all groups together to all of their subnets."""
    alone: defaultdict[str, list[_Demand]] = defaultdict(list)
    for demand in wanted:
        if len(demand.subnets) == 1:
            alone[demand.subnets[0]].append(demand)
    verdicts = [_fits(site, (subnet,), demands, what) for subnet, demands in alone.items()]
    everywhere = {subnet: None for demand in wanted for subnet in demand.subnets}
    if len(everywhere) > 1 and not any(verdict.failures for verdict in verdicts):
        verdicts.append(_fits(site, tuple(everywhere), wanted, what))
    return verdicts


def _fits(site: Site, subnets: tuple[str, ...], demands: list[_Demand], what: str) -> Verdict:
    try:
        room = sum(_room(View(site.graph[urn], site)) for urn in subnets)
    except NotKnown:
        return UNKNOWN
    total, largest = sum(demand.addresses for demand in demands), max(demands, key=lambda demand: demand.addresses)
    if total <= room:
        return PASS
    where = f"subnet {site.graph[subnets[0]].name} has" if len(subnets) == 1 else "all subnets of nodes have"
    message = f"{where} {room} addresses; {what} up to {total}"
    hint = "Give larger subnets, or let fewer nodes run."
    return fail(message, hint=hint, path="subnetIds", urn=largest.group.urn)


def _room(subnet: View) -> int:
    text = subnet.text("cidrBlock")
    if text is None:
        raise NotKnown
    cidr = ipv4_range(text)
    if cidr is None:
        raise TypeMismatch
    return usable_addresses(cidr, "aws")


def _addressed(group: View) -> int:
    """The interfaces of a node that take an address when it starts."""
    template = template_of(group)
    interfaces = template.blocks("networkInterfaces") if template is not None else []
    return sum(interface.text("interfaceType") != "efa-only" for interface in interfaces)


def _tuned(addon: View) -> bool:
    try:
        values = addon.text("configurationValues") if addon.text("addonName") == "vpc-cni" else None
    except (NotKnown, TypeMismatch):
        return True
    return any(setting in (values or "") for setting in _TUNED)

"""Rules on virtual networks: ranges of subnets and of peers, and the ranges of what is inside them."""

from __future__ import annotations

from penstock.azure.facts import address_ranges
from penstock.azure.facts.size_names import read_size
from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pool_networks import network_of
from penstock.azure.rules.ranges import ranges_of_all_subnets, ranges_of_network, ranges_of_subnet
from penstock.azure.types import (
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    NETWORK_SUBNET,
    NETWORK_VIRTUAL_NETWORK,
    NETWORK_VIRTUAL_NETWORK_PEERING,
)
from penstock.catalog import limits
from penstock.core.cidr import ipv4_range, is_inside, shared_range
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, NotKnown, Outcome, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_LEAST = {"AzureBastionSubnet": "bastion_subnet_prefix", "AzureFirewallSubnet": "firewall_subnet_prefix"}
"""Subnets that a service finds by their name, with the limit that says how small they may be."""


@RULES.rule(
    on=NETWORK_SUBNET,
    severity=HIGH,
    rationale="Azure rejects the subnet with NetcfgInvalidSubnet (NetcfgSubnetRangeOutsideVnet).",
    fix="Set addressPrefix of the subnet to a part of addressSpace of its virtual network.",
    joins=True,
    sources=("Azure Virtual Network documentation, manage subnets",),
)
def az_subnet_in_network(subnet: View) -> Verdict:
    """The ranges of a subnet are parts of the ranges of its virtual network."""
    found = ranges_of_subnet(subnet)
    network = subnet.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK) if found else None
    if network is None:
        return NOT_APPLICABLE
    ranges = ranges_of_network(network)
    if not ranges:
        raise NotKnown
    names = " or ".join(map(str, ranges))
    wrong = next((own for own in found if not is_inside(own.cidr, ranges)), None)
    if wrong is None:
        return PASS
    message = f"{wrong.cidr} is outside the virtual network, which has {names}"
    return fail(message, hint=f"Use a part of {names}.", path=wrong.path)


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK,
    severity=HIGH,
    rationale="Azure rejects the second subnet with NetcfgSubnetRangesOverlap.",
    fix="Set addressPrefix of one of the subnets to a free range of the virtual network.",
    joins=True,
    sources=("Azure Virtual Network documentation, manage subnets",),
)
def az_subnet_no_overlap(network: View) -> Verdict:
    """No two subnets of a virtual network overlap."""
    found = ranges_of_all_subnets(network)
    if not found:
        return NOT_APPLICABLE
    failures = []
    for at, own in enumerate(found):
        other = next((first for first in found[:at] if first.cidr.overlaps(own.cidr)), None)
        if other is not None:
            hint = f"Use a range outside {other.cidr}."
            failures.append(Failure(f"{own.cidr} overlaps the subnet {other.cidr}", hint, own.path, own.holder.urn))
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS


@RULES.rule(
    on=(NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK),
    severity=HIGH,
    rationale="Azure Bastion and Azure Firewall reject a smaller subnet, and a larger one needs a new service.",
    fix="Set addressPrefix to a range of /26 or larger.",
    sources=("Azure Bastion documentation, configuration settings", "Azure Firewall documentation, FAQ"),
)
def az_subnet_of_service(view: View) -> Verdict:
    """The subnets AzureBastionSubnet and AzureFirewallSubnet have a range of /26 or larger."""

    def check(subnet: Block) -> Verdict:
        name = subnet.text("subnetName" if view.type == NETWORK_SUBNET else "name")
        if name not in _LEAST:
            return NOT_APPLICABLE
        least = limits.find_limit(_LEAST[name], "azure").most
        small = next((own for own in ranges_of_subnet(subnet) if own.cidr.prefixlen > least), None)
        if small is None:
            return PASS
        return fail(f"{small.cidr} is too small for {name}", hint=f"Use a /{least} or larger.", path=small.path)

    return each([view] if view.type == NETWORK_SUBNET else view.blocks("subnets"), check)


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK_PEERING,
    severity=HIGH,
    rationale="Azure does not peer virtual networks whose ranges overlap.",
    fix="Set addressSpace of one of the two virtual networks to other ranges.",
    joins=True,
    sources=("Azure Virtual Network documentation, manage peerings: requirements",),
)
def az_peering_no_overlap(peering: View) -> Verdict:
    """Two peered virtual networks do not have overlapping ranges."""
    if peering.flag("peerCompleteVnets") is False:
        return NOT_APPLICABLE
    remote = peering.block("remoteVirtualNetwork")
    ends = (
        peering.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK),
        remote.one("id", NETWORK_VIRTUAL_NETWORK) if remote is not None else None,
    )
    first, second = (ranges_of_network(end) if end is not None else [] for end in ends)
    if not first or not second:
        return NOT_APPLICABLE
    both = shared_range(first, second)
    message = f"both virtual networks have addresses in {both}"
    return allow(both is None, message, hint="Use other ranges in one of them.", path="remoteVirtualNetwork.id")


@RULES.rule(
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    severity=HIGH,
    rationale="Azure keeps these addresses for InfiniBand, so nodes do not reach what has them in the network.",
    fix="Set addressSpace of the virtual network to ranges outside 172.16.0.0/16.",
    joins=True,
    sources=("Azure virtual machines documentation, set up InfiniBand",),
)
def az_ib_network_range(view: View) -> Verdict:
    """The virtual network of nodes on InfiniBand has no addresses of 172.16.0.0/16."""
    kept = address_ranges.rdma()

    def check(pool: AksPool) -> Verdict:
        named = read_size(pool.block.text("vmSize") or "")
        if named is None or not named.rdma:
            return NOT_APPLICABLE
        network = network_of(pool)
        if network is None:
            return NOT_APPLICABLE
        both = shared_range([kept], ranges_of_network(network))
        message = f"{network.name} has addresses in {both}, which Azure keeps for InfiniBand"
        return allow(both is None, message, hint=f"Use ranges outside {kept}.", path=pool.block.at("vnetSubnetID"))

    return each(aks_pools(view), check)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS rejects services with ServiceCidrOverlapExistingSubnetsCidr, and pods that overlap their nodes.",
    fix="Set networkProfile.serviceCidr and podCidr to ranges that no subnet of the virtual network has.",
    joins=True,
    sources=("AKS documentation, IP address planning", "AKS documentation, Azure CNI Overlay"),
)
def az_aks_ranges_of_network(cluster: View) -> Verdict:
    """The ranges of services and pods overlap no subnet of the virtual network that the nodes are in."""
    profile = cluster.block("networkProfile")
    networks = {found.urn: found for pool in aks_pools(cluster) if (found := network_of(pool)) is not None}
    if profile is None or not networks:
        return NOT_APPLICABLE
    taken = [found.cidr for network in networks.values() for found in ranges_of_all_subnets(network)]

    def check(key: str) -> Verdict:
        cidr = ipv4_range(profile.text(key))
        if cidr is None:
            return NOT_APPLICABLE
        both = shared_range([cidr], taken)
        message = f"{cidr} shares {both} with a subnet of the virtual network"
        return allow(both is None, message, hint="Use a range outside the virtual network.", path=profile.at(key))

    return each(("podCidr", "serviceCidr"), check)

"""Rules on the subnets of AKS node pools: one network, room for each node, and what else is there."""

from __future__ import annotations

from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS, cluster_of
from penstock.azure.rules.ranges import ranges_of_subnet
from penstock.azure.types import (
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    NETWORK_SUBNET,
    NETWORK_VIRTUAL_NETWORK,
)
from penstock.catalog import limits
from penstock.catalog.address_ranges import reserved_addresses, usable_addresses
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=CONTAINERSERVICE_AGENT_POOL,
    severity=HIGH,
    rationale="AKS rejects a node pool in another virtual network than the other pools of its cluster.",
    fix="Set vnetSubnetID to a subnet of the virtual network that the cluster's own pools are in.",
    joins=True,
    sources=("AKS documentation, unique subnets of node pools",),
)
def az_aks_one_network(pool: View) -> Verdict:
    """A node pool is in the virtual network of its cluster's own pools."""
    own = network_of(AksPool(pool, pool))
    cluster = pool.one("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER) if own is not None else None
    others = [network_of(each_pool) for each_pool in aks_pools(cluster)] if cluster is not None else []
    networks = {network.urn: network.name for network in others if network is not None}
    if own is None or not networks:
        return NOT_APPLICABLE
    names = " and ".join(networks.values())
    message = f"the pool is in {own.name}, and its cluster in {names}"
    return allow(own.urn in networks, message, hint=f"Use a subnet of {names}.", path="vnetSubnetID")


@RULES.rule(
    on=NETWORK_SUBNET,
    severity=HIGH,
    rationale=(
        "Each node takes an address, and as many as it may have pods where these have addresses of the subnet; Azure "
        "keeps five, and pools do not start without (InsufficientSubnetSize)."
    ),
    fix="Set addressPrefix of the subnet to a larger range, or count or maxPods of the pools to less.",
    joins=True,
    sources=("AKS documentation, Azure CNI Overlay", "AKS documentation, IP address planning"),
)
def az_aks_subnet_room(subnet: View) -> Verdict:
    """A subnet has an address for each node that the pools in it start with, and for its pods where they need one."""
    inside = subnet.referrers(CONTAINERSERVICE_MANAGED_CLUSTER, "agentPoolProfiles[].vnetSubnetID")
    views = [*inside, *subnet.referrers(CONTAINERSERVICE_AGENT_POOL, "vnetSubnetID")]
    pools = [pool for view in views for pool in aks_pools(view) if _is_in(pool, subnet)]
    ranges = ranges_of_subnet(subnet) if pools else []
    if not ranges:
        return NOT_APPLICABLE
    room = sum(max(usable_addresses(own.cidr, "azure"), 0) for own in ranges)
    nodes = sum(pool.start() for pool in pools)
    needed = nodes
    if nodes <= room:  # else it is too small whatever pods take
        needed += sum(pool.start() * _pods_in_subnet(pool) for pool in pools)
    hint = f"Use a /{32 - (needed + reserved_addresses('azure') - 1).bit_length()} or larger."
    what = f"{nodes} nodes start in it" + (f", which take {needed} with their pods" if needed > nodes else "")
    return allow(needed <= room, f"the subnet has {room} addresses, and {what}", hint=hint, path=ranges[0].path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Pods of an overlay have no addresses of a subnet, and AKS rejects one for them.",
    fix="Leave podSubnetID out, or networkProfile.networkPluginMode of the cluster.",
    joins=True,
    sources=("AKS documentation, Azure CNI Overlay",),
)
def az_aks_overlay_pod_subnet(pool: AksPool) -> Verdict:
    """Node pools of an overlay have no subnet for pods."""
    cluster = cluster_of(pool) if "podSubnetID" in pool.block else None
    profile = cluster.block("networkProfile") if cluster is not None else None
    if profile is None:
        return NOT_APPLICABLE
    overlay = (profile.text("networkPluginMode") or "").casefold() == "overlay"
    message = "pods of an overlay have no subnet"
    return allow(not overlay, message, hint="Leave it out.", path=pool.block.at("podSubnetID"))


def network_of(pool: AksPool) -> View | None:
    """The virtual network of the program that the nodes of a pool are in; None where they name no subnet.

    Raises:
        NotKnown: it lies outside the program.
    """
    subnet = pool.block.one("vnetSubnetID", NETWORK_SUBNET)
    return None if subnet is None else subnet.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK)


def _is_in(pool: AksPool, subnet: View) -> bool:
    found = pool.block.one("vnetSubnetID", NETWORK_SUBNET)
    return found is not None and found.urn == subnet.urn


def _pods_in_subnet(pool: AksPool) -> int:
    """The addresses that each node takes for pods from its own subnet: none of an overlay, or with one for pods."""
    cluster = cluster_of(pool) if "podSubnetID" not in pool.block else None
    profile = cluster.block("networkProfile") if cluster is not None else None
    if profile is None or (profile.text("networkPlugin") or "").casefold() != "azure":
        return 0
    if (profile.text("networkPluginMode") or "").casefold() == "overlay":
        return 0
    by_default = limits.find_limit("pods_of_a_node_by_default", "azure").most
    return pool.block.integer("maxPods") or by_default

"""Rules on what goes together: ways out, delegated subnets, regions of keys, and what spot cannot have."""

from __future__ import annotations

from typing import Final

from penstock.azure.model.places import region
from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS
from penstock.azure.rules.ranges import ranges_of_subnet
from penstock.azure.types import (
    COMPUTE_DISK_ENCRYPTION_SET,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    KEYVAULT_KEY,
    KEYVAULT_VAULT,
    NETWORK_PRIVATE_ENDPOINT,
    NETWORK_SUBNET,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_PLACEMENT: Final = "azure-native:compute:ProximityPlacementGroup"
_AKS: Final = "microsoft.containerservice/managedclusters"
_LEAST_OF_SERVERS: Final = 28
_MANAGED: Final = ("managednatgateway", "managednatgatewayv2")


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS makes that gateway in a network of its own, and rejects a cluster in another one.",
    fix="Set networkProfile.outboundType to userAssignedNATGateway, or leave vnetSubnetID of the pools out.",
    sources=("AKS documentation, NAT gateway",),
)
def az_aks_managed_gateway(cluster: View) -> Verdict:
    """A cluster with a NAT gateway of AKS has a network of AKS."""
    profile = cluster.block("networkProfile")
    kind = profile.text("outboundType") if profile is not None else None
    if profile is None or (kind or "").casefold() not in _MANAGED:
        return NOT_APPLICABLE
    own = any("vnetSubnetID" in pool.block for pool in aks_pools(cluster))
    message = f"{kind} does not go with a subnet of one's own"
    return allow(not own, message, hint="Use userAssignedNATGateway.", path=profile.at("outboundType"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects the pool: spot pools can't set max surge.",
    fix="Leave upgradeSettings.maxSurge of pools on spot out.",
    sources=("AKS documentation, spot node pools",),
)
def az_aks_spot_surge(pool: AksPool) -> Verdict:
    """A node pool on spot sets no surge of upgrades."""
    settings = pool.block.block("upgradeSettings")
    if settings is None or "maxSurge" not in settings:
        return NOT_APPLICABLE
    message = "pools on spot cannot set maxSurge"
    return allow(pool.purchase() != "spot", message, hint="Leave it out.", path=settings.at("maxSurge"))


@RULES.rule(
    on=(NETWORK_PRIVATE_ENDPOINT, STORAGECACHE_AML_FILESYSTEM),
    severity=HIGH,
    rationale="A delegated subnet is for the service that it is delegated to, and Azure rejects all else in it.",
    fix="Use a subnet without delegations.",
    joins=True,
    sources=("Azure Virtual Network documentation, subnet delegation",),
)
def az_subnet_delegated(view: View) -> Verdict:
    """Private endpoints and file systems are in subnets that are delegated to nobody."""
    holder = view if view.type == STORAGECACHE_AML_FILESYSTEM else view.block("subnet")
    key = "filesystemSubnet" if view.type == STORAGECACHE_AML_FILESYSTEM else "id"
    subnet = holder.one(key, NETWORK_SUBNET) if holder is not None else None
    if holder is None or subnet is None:
        return NOT_APPLICABLE
    services = [delegation.text("serviceName") for delegation in subnet.blocks("delegations")]
    message = f"{subnet.name} is delegated to {services[0] if services else ''}"
    return allow(not services, message, hint="Use another subnet.", path=holder.at(key))


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS puts the API server into a subnet that is delegated to it, and rejects any other.",
    fix="Set delegations of the subnet to one entry with serviceName Microsoft.ContainerService/managedClusters.",
    joins=True,
    sources=("AKS documentation, API Server VNet Integration",),
)
def az_aks_api_subnet(cluster: View) -> Verdict:
    """The subnet of a cluster's API is delegated to AKS."""
    access = cluster.block("apiServerAccessProfile")
    subnet = access.one("subnetId", NETWORK_SUBNET) if access is not None else None
    if access is None or subnet is None:
        return NOT_APPLICABLE
    services = {(each.text("serviceName") or "").casefold() for each in subnet.blocks("delegations")}
    message = f"{subnet.name} is not delegated to AKS"
    return allow(_AKS in services, message, hint="Delegate the subnet to AKS.", path=access.at("subnetId"))


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS puts the API server into no smaller subnet, and another one means another cluster.",
    fix="Set addressPrefix of the subnet to a /28 or larger.",
    joins=True,
    sources=("AKS documentation, API Server VNet Integration",),
)
def az_aks_api_subnet_size(cluster: View) -> Verdict:
    """The subnet of a cluster's API is a /28 or larger."""
    access = cluster.block("apiServerAccessProfile")
    subnet = access.one("subnetId", NETWORK_SUBNET) if access is not None else None
    ranges = ranges_of_subnet(subnet) if subnet is not None else []
    if access is None or subnet is None or not ranges:
        return NOT_APPLICABLE
    least = limits.find_limit("api_subnet_prefix", "azure").most
    message = f"{subnet.name} is a /{ranges[0].cidr.prefixlen}"
    hint = f"Use a /{least} or larger."
    return allow(ranges[0].cidr.prefixlen <= least, message, hint=hint, path=access.at("subnetId"))


@RULES.rule(
    on=DBFORPOSTGRESQL_SERVER,
    severity=HIGH,
    rationale="Azure rejects a smaller subnet: it keeps five addresses, and a server takes up to four.",
    fix="Set addressPrefix of the subnet to a /28 or larger.",
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
def az_postgres_subnet_size(server: View) -> Verdict:
    """The subnet of a PostgreSQL server is a /28 or larger."""
    network = server.block("network")
    subnet = network.one("delegatedSubnetResourceId", NETWORK_SUBNET) if network is not None else None
    ranges = ranges_of_subnet(subnet) if subnet is not None else []
    if network is None or not ranges:
        return NOT_APPLICABLE
    small = all(own.cidr.prefixlen > _LEAST_OF_SERVERS for own in ranges)
    message = f"{ranges[0].cidr} is too small for a server"
    path = network.at("delegatedSubnetResourceId")
    return allow(not small, message, hint=f"Use a /{_LEAST_OF_SERVERS} or larger.", path=path)


@RULES.rule(
    on=COMPUTE_DISK_ENCRYPTION_SET,
    severity=HIGH,
    rationale="Azure encrypts disks with keys of their own region only.",
    fix="Set location of the vault to that of the disk encryption set.",
    joins=True,
    sources=("Azure managed disks documentation, customer-managed keys",),
)
def az_disks_region(disks: View) -> Verdict:
    """A disk encryption set is in the region of the vault of its key."""
    keys = disks.sources("activeKey", KEYVAULT_KEY)
    vault = keys[0].one("vaultName", KEYVAULT_VAULT) if len(keys) == 1 else None
    if vault is None:
        return NOT_APPLICABLE
    own, wanted = region(disks), region(vault)
    message = f"the set is in {own}, and {vault.name} in {wanted}"
    return allow(own == wanted, message, hint=f"Use {wanted}.", path="location")


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="A proximity placement group lies in one data centre, and AKS rejects one of another region.",
    fix="Set location of the group to that of the cluster.",
    joins=True,
    sources=("AKS documentation, proximity placement groups",),
)
def az_aks_near_region(pool: AksPool) -> Verdict:
    """The proximity placement group of a node pool is in the region of the cluster."""
    group = pool.block.one("proximityPlacementGroupID", _PLACEMENT)
    if group is None:
        return NOT_APPLICABLE
    own, wanted = region(group), pool.region()
    message, hint = f"{group.name} is in {own}, and the cluster in {wanted}", f"Use a group in {wanted}."
    return allow(own == wanted, message, hint=hint, path=pool.block.at("proximityPlacementGroupID"))

"""Segmentation on Azure: databases, file systems, search, AI and machine learning."""

from __future__ import annotations

from typing import Final

from penstock.azure.policies.access import OFF, refuses_networks
from penstock.azure.types import (
    COGNITIVESERVICES_ACCOUNT,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    COSMOSDB_DATABASE_ACCOUNT,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_FIREWALL_RULE,
    DBFORPOSTGRESQL_SERVER,
    DISCOVERY_WORKSPACE,
    KUSTO_CLUSTER,
    MACHINELEARNINGSERVICES_ONLINE_ENDPOINT,
    MACHINELEARNINGSERVICES_REGISTRY,
    MACHINELEARNINGSERVICES_WORKSPACE,
    MONGOCLUSTER_MONGO_CLUSTER,
    NETAPP_CAPACITY_POOL_VOLUME,
    NETWORK_ROUTE,
    NETWORK_ROUTE_TABLE,
    NETWORK_SUBNET,
    REDIS,
    REDISENTERPRISE_REDIS_ENTERPRISE,
    SEARCH_SERVICE,
    SQL_MANAGED_INSTANCE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
    SYNAPSE_WORKSPACE,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, fail
from penstock.graph.view import View
from penstock.model.openings.addresses import open_range
from penstock.policies.open_world import NotOpen
from penstock.rules.checks import (
    Absent,
    All,
    ByType,
    Check,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    OneOf,
    Where,
    values,
)
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)


RULES.row(
    "az-pg-private",
    "A database has no public address.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Either(Is("network.publicNetworkAccess", "Disabled"), Given("network.delegatedSubnetResourceId")),
    severity=HIGH,
    rationale="Passwords are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set network.publicNetworkAccess to Disabled and add a private endpoint, or create it in a delegated subnet.",
    peers="CKV2_AZURE_57 CKV_AZURE_68 AZU-0022",
)


RULES.row(
    "az-db-private",
    "A store of data beside PostgreSQL is reached from networks of ours only.",
    on=(
        DBFORMYSQL_SERVER,
        SQL_SERVER,
        COSMOSDB_DATABASE_ACCOUNT,
        REDIS,
        REDISENTERPRISE_REDIS_ENTERPRISE,
        SQL_MANAGED_INSTANCE,
        MONGOCLUSTER_MONGO_CLUSTER,
        KUSTO_CLUSTER,
        SYNAPSE_WORKSPACE,
    ),
    check=ByType(
        {
            DBFORMYSQL_SERVER: Either(
                Is("network.publicNetworkAccess", "Disabled"), Given("network.delegatedSubnetResourceId")
            ),
            SQL_SERVER: OneOf("publicNetworkAccess", OFF),
            COSMOSDB_DATABASE_ACCOUNT: Either(
                OneOf("publicNetworkAccess", OFF),
                All(
                    Either(Is("isVirtualNetworkFilterEnabled", value=True), Given("ipRules")),
                    NotOpen("ipRules[].ipAddressOrRange"),
                ),
            ),
            REDIS: Either(Is("publicNetworkAccess", "Disabled"), Given("subnetId")),
            REDISENTERPRISE_REDIS_ENTERPRISE: Is("publicNetworkAccess", "Disabled"),
            SQL_MANAGED_INSTANCE: IsNot("publicDataEndpointEnabled", value=True),
            MONGOCLUSTER_MONGO_CLUSTER: Is("properties.publicNetworkAccess", "Disabled"),
            KUSTO_CLUSTER: Either(
                Is("publicNetworkAccess", "Disabled"),
                All(Given("allowedIpRangeList"), NotOpen("allowedIpRangeList")),
            ),
            SYNAPSE_WORKSPACE: Is("publicNetworkAccess", "Disabled"),
        }
    ),
    severity=HIGH,
    rationale="Passwords and keys are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set publicNetworkAccess (network.publicNetworkAccess for MySQL, properties.publicNetworkAccess for clusters "
    "of MongoDB) to Disabled and add a private endpoint; leave publicDataEndpointEnabled out. Cosmos DB may list "
    "ipRules instead, and Data Explorer allowedIpRangeList; Synapse needs managedVirtualNetwork, which replaces the "
    "workspace.",
    peers="CKV_AZURE_53 CKV_AZURE_113 CKV_AZURE_99 CKV_AZURE_101 CKV_AZURE_89 KICS:c2a3efb6 KICS:ade36cf4 "
    "KICS:f118890b",
)


def _firewall(first: str = "startIpAddress", last: str = "endIpAddress") -> Custom:
    """The firewall of a database lets no stranger in; by where a rule of it names its first and its last address."""

    def judge(it: View, _: Settings) -> Verdict:
        start, end = (*values(it, first), *values(it, last))
        if start is None or end is None:
            return NOT_APPLICABLE
        if start == end == "0.0.0.0":  # noqa: S104 - Azure's sign for all of Azure, no bind address
            return fail(f"{first} lets every customer of Azure in (0.0.0.0)", path=first)
        found = open_range((start if start == end else f"{start}-{end}",))
        return allow(found is None, f"{first} lets the whole internet in ({found})", path=first)

    return Custom(judge)


_FIREWALL_WHY = "The whole internet, or with 0.0.0.0 every customer of Azure, may try passwords on the database."
_FIREWALL_FIX = (
    "Set the first and the last address (startIpAddress and endIpAddress) to those of known clients, or use a private "
    "endpoint."
)

RULES.row(
    "az-pg-firewall-no-world",
    "The firewall of a database lets named addresses in.",
    on=(DBFORPOSTGRESQL_FIREWALL_RULE, "azure-native:dbforpostgresql:ServerGroupFirewallRule"),
    check=_firewall(),
    severity=CRITICAL,
    rationale=_FIREWALL_WHY,
    fix=_FIREWALL_FIX,
    peers="CKV2_AZURE_26 KICS:25c0ea09 KICS:d7ba74da AZU-0029 CKV2_AZURE_6",
)
_FIREWALLS: Final = {
    "azure-native:cosmosdb:MongoClusterFirewallRule": _firewall(),
    "azure-native:dbformysql:FirewallRule": _firewall(),
    "azure-native:horizondb:HorizonDbFirewallRule": _firewall("properties.startIpAddress", "properties.endIpAddress"),
    "azure-native:mongocluster:FirewallRule": _firewall("properties.startIpAddress", "properties.endIpAddress"),
    "azure-native:redis:FirewallRule": _firewall("startIP", "endIP"),
    "azure-native:sql:FirewallRule": _firewall(),
    "azure-native:sql:IPv6FirewallRule": _firewall("startIPv6Address", "endIPv6Address"),
    "azure-native:synapse:IpFirewallRule": _firewall(),
}

RULES.row(
    "az-db-firewall-no-world",
    "The firewall of a store of data beside PostgreSQL lets named addresses in.",
    on=tuple(_FIREWALLS),
    check=ByType(_FIREWALLS),
    severity=CRITICAL,
    rationale=_FIREWALL_WHY,
    fix=_FIREWALL_FIX,
    peers="CKV_AZURE_11 KICS:6a3201a5 KICS:25c0ea09 KICS:d7ba74da KICS:5089d055 KICS:fd8da341 KICS:a829b715 "
    "AZU-0029 CKV2_AZURE_34 CKV2_AZURE_6",
)
RULES.row(
    "az-cognitive-net",
    "An account of AI services, or a search service, refuses networks that no rule names.",
    on=(COGNITIVESERVICES_ACCOUNT, SEARCH_SERVICE),
    check=ByType(
        {
            COGNITIVESERVICES_ACCOUNT: refuses_networks("properties.publicNetworkAccess", "properties.networkAcls"),
            SEARCH_SERVICE: Where(
                IsNot("sku.name", "free"),  # has neither private endpoints nor rules for addresses
                Either(
                    OneOf("publicNetworkAccess", OFF),
                    All(Given("networkRuleSet.ipRules"), NotOpen("networkRuleSet.ipRules[].value")),
                ),
            ),
        }
    ),
    severity=HIGH,
    rationale="A key that leaks from a notebook calls models on your bill, and reads indexed documents, from anywhere.",
    fix="Set properties.publicNetworkAccess (publicNetworkAccess for search) to Disabled and add a private endpoint, "
    "or properties.networkAcls.defaultAction to Deny with virtualNetworkRules; both need "
    "properties.customSubDomainName. A search service may list networkRuleSet.ipRules.",
    peers="CKV_AZURE_134 CKV_AZURE_247 CKV_AZURE_124 KICS:4a9e0f00 CKV_AZURE_210",
)
RULES.row(
    "az-amlfs-subnet",
    "A Lustre file system is in a subnet of ours, and root of most clients is nobody there.",
    on=STORAGECACHE_AML_FILESYSTEM,
    check=All(Given("filesystemSubnet"), OneOf("rootSquashSettings.mode", ("RootOnly", "All"))),
    severity=MEDIUM,
    rationale=(
        "Every machine of the network mounts it, and whoever is root on one reads and deletes what any team put there."
    ),
    fix="Set rootSquashSettings.mode to RootOnly, with noSquashNidLists naming the machine that makes directories.",
)
RULES.row(
    "az-ml-ws-private",
    "A workspace of machine learning, and what it shares or serves models by, is reached by private endpoints only.",
    on=(
        MACHINELEARNINGSERVICES_WORKSPACE,
        MACHINELEARNINGSERVICES_ONLINE_ENDPOINT,
        MACHINELEARNINGSERVICES_REGISTRY,
        DISCOVERY_WORKSPACE,
    ),
    check=ByType(
        {
            # projects are reached by the network of their hub
            MACHINELEARNINGSERVICES_WORKSPACE: Where(IsNot("kind", "Project"), Is("publicNetworkAccess", "Disabled")),
            # an endpoint with a compute of its own is in a Kubernetes cluster, whose network decides
            MACHINELEARNINGSERVICES_ONLINE_ENDPOINT: Where(
                Absent("properties.compute"), Is("properties.publicNetworkAccess", "Disabled")
            ),
            MACHINELEARNINGSERVICES_REGISTRY: Is("publicNetworkAccess", "Disabled"),
            DISCOVERY_WORKSPACE: Is("properties.publicNetworkAccess", "Disabled"),
        }
    ),
    severity=HIGH,
    rationale="Experiments, models and the compute that runs notebooks answer whoever holds a stolen token.",
    fix="Set publicNetworkAccess (properties.publicNetworkAccess of an endpoint or of Discovery) to Disabled and add a "
    "private endpoint, such as amlworkspace.",
    peers="CKV_AZURE_144 CKV_AZURE_243 CKV2_AZURE_49",
)
RULES.row(
    "az-aci-network",
    "A group of containers runs in a network of yours.",
    on=CONTAINERINSTANCE_CONTAINER_GROUP,
    # spot containers cannot join a network
    check=Where(IsNot("priority", "Spot"), Given("subnetIds")),
    severity=LOW,
    rationale="No security group or firewall bounds what the containers reach, or who reaches them.",
    fix="Set subnetIds to a subnet that is delegated to Microsoft.ContainerInstance/containerGroups; this replaces the "
    "group.",
    sources=(
        "Container Instances, virtual networks <https://learn.microsoft.com/en-us/azure/container-instances/container-instances-virtual-network-concepts>",
    ),
    peers="CKV_AZURE_98",
)
RULES.row(
    "az-netapp-root",
    "A volume takes root from named addresses only.",
    on=NETAPP_CAPACITY_POOL_VOLUME,
    check=Each("exportPolicy.rules[]", Either(NotOpen("allowedClients"), Is("hasRootAccess", value=False))),
    severity=HIGH,
    rationale="Everything that reaches the volume reads and changes every file as root.",
    fix="Name the addresses of the clients in exportPolicy.rules[].allowedClients, or set hasRootAccess to false.",
    sources=(
        "Azure NetApp Files, export policy <https://learn.microsoft.com/en-us/azure/azure-netapp-files/azure-netapp-files-configure-export-policy>",
    ),
)

_OF_FIREWALLS: Final = "AzureFirewallSubnet"


def _is_default(address: str, hop: str) -> Check:
    return Where(OneOf(address, ("0.0.0.0/0", "::/0")), IsNot(hop, "Internet"))


def _has_no_firewall(it: View, _: Settings) -> Verdict:
    """Azure's own firewall needs such a route in its subnet where another default is learned."""
    names = (
        text for subnet in it.site.of_type(NETWORK_SUBNET) for text in (subnet.text("subnetName"), subnet.text("name"))
    )
    return allow(_OF_FIREWALLS not in names, "a subnet of the program is the firewall's")


_OUTSIDE_OF_FIREWALLS: Final = Custom(_has_no_firewall, others=True)

RULES.row(
    "az-route-no-internet",
    "A route table does not lead all traffic straight to the internet.",
    on=(NETWORK_ROUTE_TABLE, NETWORK_ROUTE),
    check=Where(
        _OUTSIDE_OF_FIREWALLS,
        ByType(
            {
                NETWORK_ROUTE_TABLE: Each("routes[]", _is_default("addressPrefix", "nextHopType")),
                NETWORK_ROUTE: _is_default("addressPrefix", "nextHopType"),
            }
        ),
    ),
    severity=MEDIUM,
    rationale="What leaves the subnet passes the firewall by, so stolen data and malware reach any address unseen.",
    fix="Set nextHopType to VirtualAppliance with nextHopIpAddress of the firewall, or remove the route and give the "
    "subnet a NAT gateway.",
)

RULES.row(
    "az-storage-xtenant",
    "A storage account refuses to replicate its blobs to another tenant.",
    on=STORAGE_ACCOUNT,
    check=Is("allowCrossTenantReplication", value=False),
    severity=MEDIUM,
    rationale="A stolen identity with rights on the account copies each new blob to another tenant, past the firewall.",
    fix="Set allowCrossTenantReplication to false; policies of replication between tenants must go first.",
    peers="KICS:50e0a9e3",
)

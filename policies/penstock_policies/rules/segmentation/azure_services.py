"""Segmentation on Azure: databases, file systems, search, AI and machine learning."""

from __future__ import annotations

from typing import Final

from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow, fail
from penstock.resources.view import View
from penstock_policies.azure_access import OFF, refuses_networks
from penstock_policies.checks import All, ByType, Custom, Either, Given, Is, OneOf
from penstock_policies.open_world import NotOpen, open_range
from penstock_policies.rule import CRITICAL, HIGH, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.SEGMENTATION)

_ACCOUNT: Final = "azure-native:cognitiveservices:Account"
_SEARCH: Final = "azure-native:search:Service"
_WORKSPACE: Final = "azure-native:machinelearningservices:Workspace"
_ONLINE_ENDPOINT: Final = "azure-native:machinelearningservices:OnlineEndpoint"

RULES.row(
    "az-pg-private",
    "A database has no public address.",
    on="azure-native:dbforpostgresql:Server",
    check=Either(Is("network.publicNetworkAccess", "Disabled"), Given("network.delegatedSubnetResourceId")),
    weight=CRITICAL,
    why="Passwords are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set network.publicNetworkAccess to Disabled and add a private endpoint, or create it in a delegated subnet.",
    peers="CKV2_AZURE_57 CKV_AZURE_68 AZU-0022",
)


_MYSQL = "azure-native:dbformysql:Server"
_SQL = "azure-native:sql:Server"
_COSMOS = "azure-native:cosmosdb:DatabaseAccount"
_REDIS = "azure-native:redis:Redis"

RULES.row(
    "az-db-private",
    "A store of data beside PostgreSQL is reached from networks of ours only.",
    on=(_MYSQL, _SQL, _COSMOS, _REDIS),
    check=ByType(
        {
            _MYSQL: Either(Is("network.publicNetworkAccess", "Disabled"), Given("network.delegatedSubnetResourceId")),
            _SQL: OneOf("publicNetworkAccess", OFF),
            _COSMOS: Either(
                OneOf("publicNetworkAccess", OFF),
                Is("isVirtualNetworkFilterEnabled", value=True),
                All(Given("ipRules"), NotOpen("ipRules[].ipAddressOrRange")),
            ),
            _REDIS: Either(Is("publicNetworkAccess", "Disabled"), Given("subnetId")),
        }
    ),
    weight=HIGH,
    why="Passwords and keys are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set publicNetworkAccess (network.publicNetworkAccess for MySQL) to Disabled and add a private endpoint.",
    peers="CKV_AZURE_53 CKV_AZURE_113 CKV_AZURE_99 CKV_AZURE_101 CKV_AZURE_89",
)


def _database_firewall(it: View, _: Settings) -> Verdict:
    first, last = it.text("startIpAddress"), it.text("endIpAddress")
    if first is None or last is None:
        return NOT_APPLICABLE
    if first == last == "0.0.0.0":  # noqa: S104 - Azure's sign for all of Azure, no bind address
        return fail("startIpAddress lets every customer of Azure in (0.0.0.0)", path="startIpAddress")
    found = open_range((first if first == last else f"{first}-{last}",))
    return allow(found is None, f"startIpAddress lets the whole internet in ({found})", path="startIpAddress")


_FIREWALL_WHY = "The whole internet, or with 0.0.0.0 every customer of Azure, may try passwords on the database."
_FIREWALL_FIX = "Set startIpAddress and endIpAddress to the addresses of known clients, or use a private endpoint."

RULES.row(
    "az-pg-firewall-no-world",
    "The firewall of a database lets named addresses in.",
    on="azure-native:dbforpostgresql:FirewallRule",
    check=Custom(("startIpAddress", "endIpAddress"), _database_firewall),
    weight=CRITICAL,
    why=_FIREWALL_WHY,
    fix=_FIREWALL_FIX,
    peers="CKV2_AZURE_26",
)
RULES.row(
    "az-db-firewall-no-world",
    "The firewall of MySQL or SQL Server lets named addresses in.",
    on=(
        "azure-native:dbformysql:FirewallRule",
        "azure-native:sql:FirewallRule",
    ),
    check=Custom(("startIpAddress", "endIpAddress"), _database_firewall),
    weight=CRITICAL,
    why=_FIREWALL_WHY,
    fix=_FIREWALL_FIX,
    peers="CKV_AZURE_11",
)
RULES.row(
    "az-cognitive-net",
    "An account of AI services, or a search service, refuses networks that no rule names.",
    on=(_ACCOUNT, _SEARCH),
    check=ByType(
        {
            _ACCOUNT: refuses_networks("properties.publicNetworkAccess", "properties.networkAcls"),
            _SEARCH: Either(
                OneOf("publicNetworkAccess", OFF),
                All(Given("networkRuleSet.ipRules"), NotOpen("networkRuleSet.ipRules[].value")),
            ),
        }
    ),
    weight=HIGH,
    why="A key that leaks from a notebook calls models on your bill, and reads indexed documents, from anywhere.",
    fix="Set properties.publicNetworkAccess (publicNetworkAccess for search) to Disabled and add a private endpoint, "
    "or properties.networkAcls.defaultAction to Deny with virtualNetworkRules.",
    peers="CKV_AZURE_134 CKV_AZURE_247 CKV_AZURE_124",
)
RULES.row(
    "az-amlfs-subnet",
    "A Lustre file system is in a subnet of ours, and root of most clients is nobody there.",
    on="azure-native:storagecache:AmlFilesystem",
    check=All(Given("filesystemSubnet"), OneOf("rootSquashSettings.mode", ("RootOnly", "All"))),
    weight=MEDIUM,
    why="Every machine of the network mounts it, and whoever is root on one reads and deletes what any team put there.",
    fix="Set rootSquashSettings.mode to RootOnly, with noSquashNidLists naming the machine that makes directories.",
)
RULES.row(
    "az-ml-ws-private",
    "A workspace of machine learning, and an endpoint that serves its models, is reached by private endpoints only.",
    on=(_WORKSPACE, _ONLINE_ENDPOINT),
    check=ByType(
        {
            _WORKSPACE: Is("publicNetworkAccess", "Disabled"),
            _ONLINE_ENDPOINT: Is("properties.publicNetworkAccess", "Disabled"),
        }
    ),
    weight=HIGH,
    why="Experiments, models and the compute that runs notebooks answer whoever holds a stolen token.",
    fix="Set publicNetworkAccess (properties.publicNetworkAccess of an endpoint) to Disabled and add a private "
    "endpoint for amlworkspace.",
    peers="CKV_AZURE_144",
)

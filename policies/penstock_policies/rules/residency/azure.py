"""Residency on Azure."""

from __future__ import annotations

from typing import Final

from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail
from penstock.resources.view import View
from penstock_policies.checks import Is, values
from penstock_policies.comparing import same
from penstock_policies.geography import Within, lies, limited, pair_of
from penstock_policies.rule import HIGH, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.RESIDENCY)

_GROUP: Final = "azure-native:resources:ResourceGroup"
_ACCOUNT: Final = "azure-native:storage:StorageAccount"
_SERVER: Final = "azure-native:dbforpostgresql:Server"
_VAULT: Final = "azure-native:recoveryservices:Vault"
_COPIES: Final = {
    _ACCOUNT: ("sku.name", ("Standard_GRS", "Standard_RAGRS", "Standard_GZRS", "Standard_RAGZRS")),
    _SERVER: ("backup.geoRedundantBackup", ("Enabled",)),
    _VAULT: ("properties.redundancySettings.standardTierStorageRedundancy", ("GeoRedundant",)),
}
"""Where a resource says that Azure copies it to the paired region, and how."""

_ZONES_OF_DATA: Final = ("eu", "us")


def _of_group(it: View) -> str:
    """The location of what names none: that of the provider, or else that of its resource group."""
    if it.resource.provider_urn not in it.site.graph.resources:
        raise NotKnown
    if found := it.provider.text("location"):
        return found
    group = None if it.type == _GROUP else it.one("resourceGroupName", _GROUP)
    if group is None:
        raise NotKnown
    return group.text("location") or _of_group(group)


_LOCATED: Final = (
    _GROUP,
    "azure-native:app:ContainerApp",
    "azure-native:app:Job",
    "azure-native:batch:BatchAccount",
    "azure-native:cognitiveservices:Account",
    "azure-native:compute:Disk",
    "azure-native:compute:Snapshot",
    "azure-native:compute:VirtualMachine",
    "azure-native:compute:VirtualMachineScaleSet",
    "azure-native:containerinstance:ContainerGroup",
    "azure-native:containerregistry:Registry",
    "azure-native:containerservice:ManagedCluster",
    "azure-native:cosmosdb:DatabaseAccount",
    "azure-native:databricks:Workspace",
    "azure-native:datafactory:Factory",
    "azure-native:dataprotection:BackupVault",
    "azure-native:dbformysql:Server",
    _SERVER,
    "azure-native:elasticsan:ElasticSan",
    "azure-native:eventhub:Namespace",
    "azure-native:fileshares:FileShare",
    "azure-native:kusto:Cluster",
    "azure-native:keyvault:ManagedHsm",
    "azure-native:keyvault:Vault",
    "azure-native:machinelearningservices:BatchEndpoint",
    "azure-native:machinelearningservices:Compute",
    "azure-native:machinelearningservices:OnlineEndpoint",
    "azure-native:machinelearningservices:Workspace",
    "azure-native:netapp:Account",
    "azure-native:netapp:CapacityPool",
    "azure-native:netapp:CapacityPoolVolume",
    "azure-native:operationalinsights:Workspace",
    _VAULT,
    "azure-native:redis:Redis",
    "azure-native:redisenterprise:RedisEnterprise",
    "azure-native:search:Service",
    "azure-native:servicebus:Namespace",
    "azure-native:sql:ManagedInstance",
    "azure-native:sql:Server",
    _ACCOUNT,
    "azure-native:storagecache:AmlFilesystem",
    "azure-native:synapse:Workspace",
    "azure-native:web:WebApp",
)
"""What keeps data or computes with it, and the groups that keep names and tags."""

RULES.row(
    "az-location-allowlist",
    "What keeps data or computes with it lies where the settings allow it.",
    on=_LOCATED,
    check=Within("azure", "location", _of_group),
    weight=HIGH,
    why="Data that was promised to one part of the world lies under the law of another; taking it back means moving "
    "it, and telling those whom it is about.",
    fix="Set location to an allowed region; what stands elsewhere is replaced, so copy its data first.",
)


@RULES.rule(
    "az-storage-no-geo-out",
    on=tuple(_COPIES),
    reads=("location",),
    weight=MEDIUM,
    why="Azure copies everything to the paired region by itself: that of Brazil South lies in Texas, and that of "
    "Singapore in Hong Kong.",
    fix="Set sku.name to Standard_ZRS or Standard_LRS, backup.geoRedundantBackup to Disabled or "
    "standardTierStorageRedundancy to ZoneRedundant; "
    "a loss of the whole region is then a loss of the data.",
)
def copies_stay_in_allowed_regions(it: View, settings: Settings) -> Verdict:
    """What Azure copies to the paired region of an account, a server or a vault stays where the settings allow it."""
    if not limited(settings):
        return NOT_APPLICABLE
    path, copying = _COPIES[it.type]
    (how,) = values(it, path)
    if not any(same(how, copied) for copied in copying):
        return PASS
    pair = pair_of(it.text("location") or _of_group(it))
    if pair is None:
        return PASS
    outside = lies("azure", pair, "its paired region", settings)
    return fail(f"{path} is {how}: {outside.failures[0].message}", path=path) if outside.failures else PASS


RULES.row(
    "az-storage-xtenant",
    "A storage account lets nobody replicate its blobs to another tenant.",
    on=_ACCOUNT,
    check=Is("allowCrossTenantReplication", value=False),
    weight=MEDIUM,
    why="Somebody with rights on the account can copy every new blob to a tenant of his own, and no firewall sees it.",
    fix="Set allowCrossTenantReplication to false; policies of replication between tenants must go first.",
)
RULES.row(
    "az-acr-georep",
    "Images of a registry are replicated to allowed regions only.",
    on="azure-native:containerregistry:Replication",
    check=Within("azure", "location", _of_group),
    weight=MEDIUM,
    why="Images with models in their layers lie under the law of another part of the world.",
    fix="Set location to an allowed region, or remove the replication, which deletes that copy.",
)
RULES.row(
    "az-cosmos-georep",
    "A Cosmos DB account has replicas in allowed regions only.",
    on="azure-native:cosmosdb:DatabaseAccount",
    check=Within("azure", "locations[].locationName"),
    weight=HIGH,
    why="Every item is copied out of the part of the world that it was promised to, within a second.",
    fix="Set locations[].locationName to allowed regions; removing one deletes that copy.",
)


@RULES.rule(
    "az-openai-no-global",
    on="azure-native:cognitiveservices:Deployment",
    reads=("sku.name",),
    weight=HIGH,
    why="Prompts, and what the model answers, are processed in whichever region of the world has room for them.",
    fix="Set sku.name to Standard or ProvisionedManaged, or where the whole EU or the whole US may serve to "
    "DataZoneStandard or DataZoneProvisionedManaged; quota and price differ.",
)
def prompts_stay_in_allowed_regions(deployment: View, settings: Settings) -> Verdict:
    """A deployed model is served from its own region, or from a data zone that is allowed as a whole."""
    if not limited(settings):
        return NOT_APPLICABLE
    sku = deployment.block("sku")
    kind = (sku.text("name") if sku is not None else None) or "Standard"
    if kind.startswith("DataZone"):
        return allow(
            settings.residency in _ZONES_OF_DATA,
            f"sku.name is {kind}, which serves from the whole EU or the whole US",
            path="sku.name",
        )
    return allow(not kind.startswith("Global"), f"sku.name is {kind}, which serves from any region", path="sku.name")

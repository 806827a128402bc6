"""Residency on Azure."""

from __future__ import annotations

from typing import Final

from penstock.azure.model.places import location_of_group
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.policies.geography import Within, geography_of, judge_place, limits_places
from penstock.rules.checks import All, ByType, Check, values
from penstock.rules.comparing import same
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESIDENCY)

_GROUP: Final = "azure-native:resources:ResourceGroup"
_ACCOUNT: Final = "azure-native:storage:StorageAccount"
_SERVER: Final = "azure-native:dbforpostgresql:Server"
_MYSQL: Final = "azure-native:dbformysql:Server"
_DATABASE: Final = "azure-native:sql:Database"
_INSTANCE: Final = "azure-native:sql:ManagedInstance"
_COSMOS: Final = "azure-native:cosmosdb:DatabaseAccount"
_BACKUPS: Final = "azure-native:dataprotection:BackupVault"
_VAULT: Final = "azure-native:recoveryservices:Vault"
_COPIES: Final = {
    _ACCOUNT: ("sku.name", ("Standard_GRS", "Standard_RAGRS", "Standard_GZRS", "Standard_RAGZRS")),
    _SERVER: ("backup.geoRedundantBackup", ("Enabled",)),
    _MYSQL: ("backup.geoRedundantBackup", ("Enabled",)),
    _DATABASE: ("requestedBackupStorageRedundancy", ("Geo", "GeoZone")),
    _INSTANCE: ("requestedBackupStorageRedundancy", ("Geo", "GeoZone")),
    _COSMOS: ("backupPolicy.periodicModeProperties.backupStorageRedundancy", ("Geo",)),
    _BACKUPS: ("properties.storageSettings[].type", ("GeoRedundant",)),
    _VAULT: ("properties.redundancySettings.standardTierStorageRedundancy", ("GeoRedundant",)),
}
"""Where a resource says that Azure copies it to the paired region, and how."""

_ZONES_OF_DATA: Final = ("eu", "us")
_ANYWHERE: Final = ("global", "developer")
"""What the SKUs of models begin with that are served from wherever there is room; trial ones have no guarantee."""


_LOCATED: Final = (
    _GROUP,
    "azure-native:apimanagement:ApiManagementService",
    "azure-native:app:ContainerApp",
    "azure-native:app:ContainerAppsSessionPool",
    "azure-native:app:Job",
    "azure-native:app:ManagedEnvironment",
    "azure-native:appconfiguration:ConfigurationStore",
    "azure-native:applicationinsights:Component",
    "azure-native:azurefleet:Fleet",
    "azure-native:batch:BatchAccount",
    "azure-native:cognitiveservices:Account",
    "azure-native:cognitiveservices:Project",
    "azure-native:compute:Disk",
    "azure-native:compute:GalleryImageVersion",
    "azure-native:compute:Image",
    "azure-native:compute:Snapshot",
    "azure-native:compute:VirtualMachine",
    "azure-native:compute:VirtualMachineScaleSet",
    "azure-native:containerinstance:ContainerGroup",
    "azure-native:containerregistry:Registry",
    "azure-native:containerservice:Fleet",
    "azure-native:containerservice:ManagedCluster",
    _COSMOS,
    "azure-native:databricks:Workspace",
    "azure-native:datafactory:Factory",
    _BACKUPS,
    _MYSQL,
    _SERVER,
    "azure-native:discovery:Bookshelf",
    "azure-native:discovery:StorageContainer",
    "azure-native:discovery:Supercomputer",
    "azure-native:discovery:Workspace",
    "azure-native:elasticsan:ElasticSan",
    "azure-native:eventgrid:Namespace",
    "azure-native:eventgrid:Topic",
    "azure-native:eventhub:Namespace",
    "azure-native:fabric:FabricCapacity",
    "azure-native:fileshares:FileShare",
    "azure-native:horizondb:HorizonDbCluster",
    "azure-native:kusto:Cluster",
    "azure-native:keyvault:ManagedHsm",
    "azure-native:keyvault:Vault",
    "azure-native:machinelearningservices:BatchDeployment",
    "azure-native:machinelearningservices:BatchEndpoint",
    "azure-native:machinelearningservices:Compute",
    "azure-native:machinelearningservices:OnlineDeployment",
    "azure-native:machinelearningservices:OnlineEndpoint",
    "azure-native:machinelearningservices:Registry",
    "azure-native:machinelearningservices:ServerlessEndpoint",
    "azure-native:machinelearningservices:Workspace",
    "azure-native:mongocluster:MongoCluster",
    "azure-native:monitor:AzureMonitorWorkspace",
    "azure-native:netapp:Account",
    "azure-native:netapp:CapacityPool",
    "azure-native:netapp:CapacityPoolVolume",
    "azure-native:operationalinsights:Workspace",
    "azure-native:purview:Account",
    _VAULT,
    "azure-native:redis:Redis",
    "azure-native:redisenterprise:RedisEnterprise",
    "azure-native:search:Service",
    "azure-native:servicebus:Namespace",
    _DATABASE,
    _INSTANCE,
    "azure-native:sql:Server",
    _ACCOUNT,
    "azure-native:storagecache:AmlFilesystem",
    "azure-native:synapse:Workspace",
    "azure-native:videoindexer:Account",
    "azure-native:web:WebApp",
    "azure-native:web:WebAppSlot",
)
"""What keeps data or computes with it, and the groups that keep names and tags."""

_COPIED_TO: Final = {
    "azure-native:apimanagement:ApiManagementService": "additionalLocations[].location",
    "azure-native:compute:GalleryImageVersion": "publishingProfile.targetRegions[].name",
    "azure-native:cognitiveservices:Account": "properties.locations.regions[].name",
    "azure-native:keyvault:ManagedHsm": "properties.regions[].name",
    "azure-native:machinelearningservices:Registry": "regionDetails[].location",
    "azure-native:servicebus:Namespace": "geoDataReplication.locations[].locationName",
}
"""Where some of it names further regions."""


def _within(type_: str) -> Check:
    own = Within("azure", "location", location_of_group)
    return All(own, Within("azure", _COPIED_TO[type_])) if type_ in _COPIED_TO else own


RULES.row(
    "az-location-allowlist",
    "What keeps data or computes with it lies where the settings allow it.",
    on=_LOCATED,
    check=ByType({type_: _within(type_) for type_ in _LOCATED}),
    severity=HIGH,
    rationale=(
        "Data that was promised to one part of the world lies under the law of another; taking it back means moving "
        "it, and informing those whom it is about."
    ),
    fix="Set location, and every region that it is copied to, to an allowed one; a resource elsewhere is replaced, so "
    "copy its data first.",
)


@RULES.rule(
    on=tuple(_COPIES),
    severity=MEDIUM,
    rationale="Azure copies everything to the paired region by itself: that of Brazil South lies in Texas, and that of "
    "Singapore in Hong Kong.",
    fix="Set sku.name to Standard_ZRS or Standard_LRS, backup.geoRedundantBackup to Disabled, "
    "requestedBackupStorageRedundancy or backupStorageRedundancy to Zone or Local, or "
    "standardTierStorageRedundancy or storageSettings[].type to ZoneRedundant; a loss of the whole region "
    "is then a loss of the data. PostgreSQL and vaults with backups take another only when they are created anew.",
)
def az_storage_no_geo_out(it: View, settings: Settings) -> Verdict:
    """Copies of an account, a database or a vault in its paired region stay where the settings allow them."""
    if not limits_places(settings):
        return NOT_APPLICABLE
    if it.type == _COSMOS and any(same(kind, "Continuous") for kind in values(it, "backupPolicy.type")):
        return PASS  # those backups stay in the regions of the account
    path, copying = _COPIES[it.type]
    how = next((how for how in values(it, path) if any(same(how, copied) for copied in copying)), None)
    if how is None:
        return PASS
    pair = paired_region_of(it.text("location") or location_of_group(it))
    if pair is None:
        return PASS
    outside = judge_place("azure", pair, "its paired region", settings)
    return fail(f"{path} is {how}: {outside.failures[0].message}", path=path) if outside.failures else PASS


RULES.row(
    "az-acr-georep",
    "Images of a registry are replicated to allowed regions only.",
    on="azure-native:containerregistry:Replication",
    check=Within("azure", "location", location_of_group),
    severity=MEDIUM,
    rationale="Images with models in their layers lie under the law of another part of the world.",
    fix="Set location to an allowed region, or remove the replication, which deletes that copy.",
)
RULES.row(
    "az-cosmos-georep",
    "A Cosmos DB account has replicas in allowed regions only.",
    on="azure-native:cosmosdb:DatabaseAccount",
    check=Within("azure", "locations[].locationName"),
    severity=HIGH,
    rationale="Every item is copied out of the part of the world that it was promised to, within a second.",
    fix="Set locations[].locationName to allowed regions; removing one deletes that copy.",
)


@RULES.rule(
    on="azure-native:cognitiveservices:Deployment",
    severity=HIGH,
    rationale="Prompts, and what the model answers, are processed in whichever region of the world has room for them.",
    fix="Set sku.name to Standard or ProvisionedManaged, or where the whole EU or the whole US may serve to "
    "DataZoneStandard or DataZoneProvisionedManaged; quota and price differ.",
)
def az_openai_no_global(deployment: View, settings: Settings) -> Verdict:
    """A deployed model is served from its own region, or from a data zone that is allowed as a whole."""
    if not limits_places(settings):
        return NOT_APPLICABLE
    sku = deployment.block("sku")
    kind = (sku.text("name") if sku is not None else None) or "Standard"
    if kind.casefold().startswith("datazone"):
        return allow(
            settings.residency in _ZONES_OF_DATA,
            f"sku.name is {kind}, which serves from the whole EU or the whole US",
            path="sku.name",
        )
    served = f"sku.name is {kind}, which serves from any region"
    return allow(not kind.casefold().startswith(_ANYWHERE), served, path="sku.name")


def paired_region_of(location: str) -> str | None:
    """Return the region to which geo-redundant storage of a region is copied; None where it has none.

    Raises:
        NotKnown: no table has the region.
    """
    found = geography_of("azure", location)
    if found is None:
        raise NotKnown
    return None if found.pair == "none" else found.pair

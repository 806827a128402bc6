"""Residency on Azure."""

from __future__ import annotations

from typing import Final

from penstock.azure.model.places import location_of_group
from penstock.azure.types import (
    APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    APP_CONTAINER_APP,
    APP_CONTAINER_APPS_SESSION_POOL,
    APP_JOB,
    APP_MANAGED_ENVIRONMENT,
    APPCONFIGURATION_CONFIGURATION_STORE,
    AZUREFLEET_FLEET,
    BATCH_ACCOUNT,
    COGNITIVESERVICES_ACCOUNT,
    COGNITIVESERVICES_DEPLOYMENT,
    COMPUTE_DISK,
    COMPUTE_GALLERY_IMAGE_VERSION,
    COMPUTE_SNAPSHOT,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERREGISTRY_REPLICATION,
    CONTAINERSERVICE_FLEET,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    COSMOSDB_DATABASE_ACCOUNT,
    DATABRICKS_WORKSPACE,
    DATAFACTORY_FACTORY,
    DATAPROTECTION_BACKUP_VAULT,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_SERVER,
    DISCOVERY_WORKSPACE,
    EVENTGRID_NAMESPACE,
    EVENTGRID_TOPIC,
    EVENTHUB_NAMESPACE,
    HORIZONDB_HORIZON_DB_CLUSTER,
    KEYVAULT_MANAGED_HSM,
    KEYVAULT_VAULT,
    KUSTO_CLUSTER,
    MACHINELEARNINGSERVICES_BATCH_DEPLOYMENT,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
    MACHINELEARNINGSERVICES_ONLINE_ENDPOINT,
    MACHINELEARNINGSERVICES_REGISTRY,
    MACHINELEARNINGSERVICES_SERVERLESS_ENDPOINT,
    MACHINELEARNINGSERVICES_WORKSPACE,
    MONGOCLUSTER_MONGO_CLUSTER,
    NETAPP_ACCOUNT,
    NETAPP_CAPACITY_POOL,
    NETAPP_CAPACITY_POOL_VOLUME,
    OPERATIONALINSIGHTS_WORKSPACE,
    PURVIEW_ACCOUNT,
    RECOVERYSERVICES_VAULT,
    REDIS,
    REDISENTERPRISE_REDIS_ENTERPRISE,
    RESOURCES_RESOURCE_GROUP,
    SEARCH_SERVICE,
    SERVICEBUS_NAMESPACE,
    SQL_DATABASE,
    SQL_MANAGED_INSTANCE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
    SYNAPSE_WORKSPACE,
    WEB_APP,
    WEB_APP_SLOT,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.policies.geography import Within, geography_of, judge_place, limits_places
from penstock.rules.checks import All, ByType, Check, values
from penstock.rules.comparing import same
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESIDENCY)

_COPIES: Final = {
    STORAGE_ACCOUNT: ("sku.name", ("Standard_GRS", "Standard_RAGRS", "Standard_GZRS", "Standard_RAGZRS")),
    DBFORPOSTGRESQL_SERVER: ("backup.geoRedundantBackup", ("Enabled",)),
    DBFORMYSQL_SERVER: ("backup.geoRedundantBackup", ("Enabled",)),
    SQL_DATABASE: ("requestedBackupStorageRedundancy", ("Geo", "GeoZone")),
    SQL_MANAGED_INSTANCE: ("requestedBackupStorageRedundancy", ("Geo", "GeoZone")),
    COSMOSDB_DATABASE_ACCOUNT: ("backupPolicy.periodicModeProperties.backupStorageRedundancy", ("Geo",)),
    DATAPROTECTION_BACKUP_VAULT: ("properties.storageSettings[].type", ("GeoRedundant",)),
    RECOVERYSERVICES_VAULT: ("properties.redundancySettings.standardTierStorageRedundancy", ("GeoRedundant",)),
}
"""Where a resource says that Azure copies it to the paired region, and how."""

_ZONES_OF_DATA: Final = ("eu", "us")
_ANYWHERE: Final = ("global", "developer")
"""What the SKUs of models begin with that are served from wherever there is room; trial ones have no guarantee."""


_LOCATED: Final = (
    RESOURCES_RESOURCE_GROUP,
    APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    APP_CONTAINER_APP,
    APP_CONTAINER_APPS_SESSION_POOL,
    APP_JOB,
    APP_MANAGED_ENVIRONMENT,
    APPCONFIGURATION_CONFIGURATION_STORE,
    "azure-native:applicationinsights:Component",
    AZUREFLEET_FLEET,
    BATCH_ACCOUNT,
    COGNITIVESERVICES_ACCOUNT,
    "azure-native:cognitiveservices:Project",
    COMPUTE_DISK,
    COMPUTE_GALLERY_IMAGE_VERSION,
    "azure-native:compute:Image",
    COMPUTE_SNAPSHOT,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_FLEET,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    COSMOSDB_DATABASE_ACCOUNT,
    DATABRICKS_WORKSPACE,
    DATAFACTORY_FACTORY,
    DATAPROTECTION_BACKUP_VAULT,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_SERVER,
    "azure-native:discovery:Bookshelf",
    "azure-native:discovery:StorageContainer",
    "azure-native:discovery:Supercomputer",
    DISCOVERY_WORKSPACE,
    "azure-native:elasticsan:ElasticSan",
    EVENTGRID_NAMESPACE,
    EVENTGRID_TOPIC,
    EVENTHUB_NAMESPACE,
    "azure-native:fabric:FabricCapacity",
    "azure-native:fileshares:FileShare",
    HORIZONDB_HORIZON_DB_CLUSTER,
    KUSTO_CLUSTER,
    KEYVAULT_MANAGED_HSM,
    KEYVAULT_VAULT,
    MACHINELEARNINGSERVICES_BATCH_DEPLOYMENT,
    "azure-native:machinelearningservices:BatchEndpoint",
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
    MACHINELEARNINGSERVICES_ONLINE_ENDPOINT,
    MACHINELEARNINGSERVICES_REGISTRY,
    MACHINELEARNINGSERVICES_SERVERLESS_ENDPOINT,
    MACHINELEARNINGSERVICES_WORKSPACE,
    MONGOCLUSTER_MONGO_CLUSTER,
    "azure-native:monitor:AzureMonitorWorkspace",
    NETAPP_ACCOUNT,
    NETAPP_CAPACITY_POOL,
    NETAPP_CAPACITY_POOL_VOLUME,
    OPERATIONALINSIGHTS_WORKSPACE,
    PURVIEW_ACCOUNT,
    RECOVERYSERVICES_VAULT,
    REDIS,
    REDISENTERPRISE_REDIS_ENTERPRISE,
    SEARCH_SERVICE,
    SERVICEBUS_NAMESPACE,
    SQL_DATABASE,
    SQL_MANAGED_INSTANCE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
    SYNAPSE_WORKSPACE,
    "azure-native:videoindexer:Account",
    WEB_APP,
    WEB_APP_SLOT,
)
"""What keeps data or computes with it, and the groups that keep names and tags."""

_COPIED_TO: Final = {
    APIMANAGEMENT_API_MANAGEMENT_SERVICE: "additionalLocations[].location",
    COMPUTE_GALLERY_IMAGE_VERSION: "publishingProfile.targetRegions[].name",
    COGNITIVESERVICES_ACCOUNT: "properties.locations.regions[].name",
    KEYVAULT_MANAGED_HSM: "properties.regions[].name",
    MACHINELEARNINGSERVICES_REGISTRY: "regionDetails[].location",
    SERVICEBUS_NAMESPACE: "geoDataReplication.locations[].locationName",
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
    if it.type == COSMOSDB_DATABASE_ACCOUNT and any(
        same(kind, "Continuous") for kind in values(it, "backupPolicy.type")
    ):
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
    on=CONTAINERREGISTRY_REPLICATION,
    check=Within("azure", "location", location_of_group),
    severity=MEDIUM,
    rationale="Images with models in their layers lie under the law of another part of the world.",
    fix="Set location to an allowed region, or remove the replication, which deletes that copy.",
)
RULES.row(
    "az-cosmos-georep",
    "A Cosmos DB account has replicas in allowed regions only.",
    on=COSMOSDB_DATABASE_ACCOUNT,
    check=Within("azure", "locations[].locationName"),
    severity=HIGH,
    rationale="Every item is copied out of the part of the world that it was promised to, within a second.",
    fix="Set locations[].locationName to allowed regions; removing one deletes that copy.",
)


@RULES.rule(
    on=COGNITIVESERVICES_DEPLOYMENT,
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

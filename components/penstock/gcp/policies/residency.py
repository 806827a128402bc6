"""Residency on Google Cloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.gcp.types import (
    ALLOYDB_CLUSTER,
    ARTIFACTREGISTRY_REPOSITORY,
    BACKUPDISASTERRECOVERY_BACKUP_VAULT,
    BIGQUERY_DATASET,
    BIGTABLE_INSTANCE,
    CLOUDBUILD_WORKER_POOL,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    CLOUDRUN_SERVICE,
    CLOUDRUNV2_JOB,
    CLOUDRUNV2_SERVICE,
    CLOUDRUNV2_WORKER_POOL,
    COLAB_NOTEBOOK_EXECUTION,
    COLAB_RUNTIME,
    COLAB_RUNTIME_TEMPLATE,
    COMPOSER_ENVIRONMENT,
    COMPUTE_DISK,
    COMPUTE_IMAGE,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_DISK,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    COMPUTE_RESOURCE_POLICY,
    COMPUTE_SNAPSHOT,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    DATAFLOW_FLEX_TEMPLATE_JOB,
    DATAFLOW_JOB,
    DATAFORM_REPOSITORY,
    DATAPROC_CLUSTER,
    DATAPROC_METASTORE_SERVICE,
    DISCOVERYENGINE_DATA_STORE,
    FILESTORE_INSTANCE,
    FIRESTORE_DATABASE,
    HYPERCOMPUTECLUSTER_CLUSTER,
    KMS_KEY_RING,
    LOGGING_PROJECT_BUCKET_CONFIG,
    LUSTRE_INSTANCE,
    MANAGEDKAFKA_CLUSTER,
    MEMORYSTORE_INSTANCE,
    NETAPP_VOLUME,
    PUBSUB_TOPIC,
    REDIS_CLUSTER,
    REDIS_INSTANCE,
    SECRETMANAGER_REGIONAL_SECRET,
    SECRETMANAGER_SECRET,
    SPANNER_INSTANCE,
    SQL_DATABASE_INSTANCE,
    STORAGE_BUCKET,
    TPU_V2_QUEUED_RESOURCE,
    TPU_V2_VM,
    VECTORSEARCH_COLLECTION,
    VERTEX_AI_DATASET,
    VERTEX_AI_ENDPOINT,
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT,
    VERTEX_AI_FEATURE_ONLINE_STORE,
    VERTEX_AI_FEATURE_STORE,
    VERTEX_AI_INDEX,
    VERTEX_AI_INDEX_ENDPOINT,
    VERTEX_AI_METADATA_STORE,
    VERTEX_AI_PERSISTENT_RESOURCE,
    VERTEX_AI_RAG_CORPUS,
    VERTEX_AI_REASONING_ENGINE,
    VERTEX_AI_TENSORBOARD,
    WORKBENCH_INSTANCE,
    WORKSTATIONS_WORKSTATION_CONFIG,
)
from penstock.graph.verdict import NOT_APPLICABLE, UNKNOWN, NotKnown, Verdict, fail
from penstock.graph.view import View
from penstock.policies.geography import Within, judge_place, limits_places
from penstock.rules.checks import Absent, All, ByType, Check, Custom, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESIDENCY)

_KEPT: Final = "messageStoragePolicy.allowedPersistenceRegions"


def _of_provider(*keys: str) -> Callable[[View], str]:
    """The place that the provider gives to what names none of its own."""

    def place(it: View) -> str:
        for key in keys:
            if found := it.provider.text(key):
                return found
        raise NotKnown

    return place


def _at(path: str, *keys: str) -> Check:
    return Within("gcp", path, _of_provider(*keys) if keys else None)


_LOCATION: Final = _at("location")
_REGIONAL: Final = _at("region", "region", "zone")
_ZONAL: Final = _at("zone", "zone")
_LOCATION_OR_REGION: Final = _at("location", "region", "zone")
_LOCATION_OR_ZONE: Final = _at("location", "zone", "region")


def _spanner(it: View, settings: Settings) -> Verdict:
    """Return whether the configuration of a Spanner instance, `regional-europe-west4` or `eur6`, lies where it may."""
    config = it.text("config")
    if config is None or not limits_places(settings):
        return NOT_APPLICABLE
    return judge_place("gcp", config.rpartition("/")[2].removeprefix("regional-"), "config", settings)


def _near_publishers(_: View, settings: Settings) -> Verdict:
    """Pub/Sub keeps messages near their publisher, unless a policy of the organization sets the place."""
    return UNKNOWN if limits_places(settings) else NOT_APPLICABLE


_STORES: Final[Mapping[str, Check]] = {
    STORAGE_BUCKET: All(
        Where(Absent("customPlacementConfig.dataLocations"), _LOCATION), _at("customPlacementConfig.dataLocations[]")
    ),
    "gcp:alloydb/backup:Backup": _LOCATION,
    ALLOYDB_CLUSTER: _LOCATION,
    ARTIFACTREGISTRY_REPOSITORY: _LOCATION_OR_REGION,
    BACKUPDISASTERRECOVERY_BACKUP_VAULT: _LOCATION,
    BIGQUERY_DATASET: _LOCATION,
    BIGTABLE_INSTANCE: _at("clusters[].zone"),
    DATAFORM_REPOSITORY: _REGIONAL,
    DATAPROC_METASTORE_SERVICE: _LOCATION,
    DISCOVERYENGINE_DATA_STORE: _LOCATION,
    COMPUTE_DISK: _ZONAL,
    COMPUTE_IMAGE: _at("storageLocations[]"),
    COMPUTE_REGION_DISK: _REGIONAL,
    COMPUTE_RESOURCE_POLICY: _at("snapshotSchedulePolicy.snapshotProperties.storageLocations"),
    COMPUTE_SNAPSHOT: _at("storageLocations[]"),
    "gcp:filestore/backup:Backup": _LOCATION,
    FILESTORE_INSTANCE: All(Where(Absent("zone"), _LOCATION_OR_ZONE), _at("zone")),
    FIRESTORE_DATABASE: _at("locationId"),
    "gcp:gkebackup/backupPlan:BackupPlan": _LOCATION,
    "gcp:healthcare/dataset:Dataset": _LOCATION,
    KMS_KEY_RING: _LOCATION,
    "gcp:logging/billingAccountBucketConfig:BillingAccountBucketConfig": _LOCATION,
    "gcp:logging/folderBucketConfig:FolderBucketConfig": _LOCATION,
    "gcp:logging/organizationBucketConfig:OrganizationBucketConfig": _LOCATION,
    LOGGING_PROJECT_BUCKET_CONFIG: _LOCATION,
    MANAGEDKAFKA_CLUSTER: _LOCATION,
    "gcp:memcache/instance:Instance": _REGIONAL,
    MEMORYSTORE_INSTANCE: _LOCATION,
    "gcp:netapp/backupVault:BackupVault": All(_LOCATION, _at("backupRegion")),
    "gcp:netapp/storagePool:StoragePool": _LOCATION,
    NETAPP_VOLUME: _LOCATION,
    PUBSUB_TOPIC: All(_at(f"{_KEPT}[]"), Where(Absent(_KEPT), Custom(_near_publishers))),
    "gcp:parametermanager/regionalParameter:RegionalParameter": _LOCATION,
    REDIS_CLUSTER: _REGIONAL,
    REDIS_INSTANCE: _REGIONAL,
    SECRETMANAGER_REGIONAL_SECRET: _LOCATION,
    SPANNER_INSTANCE: Custom(_spanner),
    SQL_DATABASE_INSTANCE: All(_REGIONAL, _at("settings.backupConfiguration.location")),
    VECTORSEARCH_COLLECTION: _LOCATION,
    VERTEX_AI_DATASET: _REGIONAL,
    VERTEX_AI_FEATURE_ONLINE_STORE: _REGIONAL,
    VERTEX_AI_FEATURE_STORE: _REGIONAL,
    VERTEX_AI_INDEX: _REGIONAL,
    VERTEX_AI_METADATA_STORE: _REGIONAL,
    VERTEX_AI_RAG_CORPUS: _REGIONAL,
    VERTEX_AI_TENSORBOARD: _REGIONAL,
}
"""What keeps data, by type."""

_MACHINES: Final[Mapping[str, Check]] = {
    CLOUDFUNCTIONS_FUNCTION: _REGIONAL,
    CLOUDFUNCTIONSV2_FUNCTION: _LOCATION,
    CLOUDRUN_SERVICE: _LOCATION,
    CLOUDRUNV2_JOB: _LOCATION,
    CLOUDRUNV2_SERVICE: _LOCATION,
    CLOUDRUNV2_WORKER_POOL: _LOCATION,
    CLOUDBUILD_WORKER_POOL: _LOCATION,
    COLAB_NOTEBOOK_EXECUTION: _LOCATION,
    COLAB_RUNTIME: _LOCATION,
    COLAB_RUNTIME_TEMPLATE: _LOCATION,
    COMPOSER_ENVIRONMENT: _REGIONAL,
    COMPUTE_INSTANCE: _ZONAL,
    COMPUTE_INSTANCE_GROUP_MANAGER: _ZONAL,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER: _REGIONAL,
    DATAFLOW_FLEX_TEMPLATE_JOB: _REGIONAL,
    DATAFLOW_JOB: _REGIONAL,
    DATAPROC_CLUSTER: _REGIONAL,
    HYPERCOMPUTECLUSTER_CLUSTER: _LOCATION,
    TPU_V2_QUEUED_RESOURCE: _ZONAL,
    TPU_V2_VM: _ZONAL,
    VERTEX_AI_ENDPOINT: _LOCATION,
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT: _LOCATION,
    VERTEX_AI_INDEX_ENDPOINT: _REGIONAL,
    VERTEX_AI_PERSISTENT_RESOURCE: _LOCATION,
    VERTEX_AI_REASONING_ENGINE: _REGIONAL,
    WORKBENCH_INSTANCE: _LOCATION,
    "gcp:workstations/workstationCluster:WorkstationCluster": _LOCATION,
    WORKSTATIONS_WORKSTATION_CONFIG: _LOCATION,
}
"""What computes, by type."""

_LUSTRE: Final = (LUSTRE_INSTANCE, "gcp:parallelstore/instance:Instance")

RULES.row(
    "gcp-location-allowlist",
    "What keeps data lies where the settings allow it; a multi-region lies where all of it may.",
    on=tuple(_STORES),
    check=ByType(_STORES),
    severity=HIGH,
    rationale=(
        "Data that was promised to one part of the world lies under the law of another; taking it back means moving "
        "it, and informing those whom it is about."
    ),
    fix="Set location (region, zone, storageLocations) to an allowed one, such as europe-west4, EU or EUR4; what "
    "lies elsewhere is replaced, so copy its data first.",
)
RULES.row(
    "gcp-compute-location",
    "What computes runs where the settings allow it.",
    on=tuple(_MACHINES),
    check=ByType(_MACHINES),
    severity=HIGH,
    rationale="Data is read, cached on disks and logged under the law of another part of the world.",
    fix="Set zone, region or location to an allowed one; the resource is replaced.",
)
RULES.row(
    "gcp-gke-location",
    "A cluster and the nodes of its pools are where the settings allow them.",
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    check=ByType(
        {
            CONTAINER_CLUSTER: All(_LOCATION_OR_ZONE, _at("nodeLocations[]"), _at("nodePools[].nodeLocations[]")),
            CONTAINER_NODE_POOL: All(_LOCATION, _at("nodeLocations[]")),
        }
    ),
    severity=HIGH,
    rationale="The Secrets, the logs and the disks of the nodes lie under the law of another part of the world.",
    fix="Set location and nodeLocations to allowed regions and zones; a cluster whose location changes is replaced.",
)


@RULES.rule(
    on=SECRETMANAGER_SECRET,
    severity=HIGH,
    rationale=(
        "Google keeps an automatically replicated secret wherever it likes: a key can be demanded where its data must "
        "not lie."
    ),
    fix="Set replication.userManaged.replicas[].location to allowed regions instead of replication.auto; the secret is "
    "replaced, so have its versions at hand.",
)
def gcp_secret_replication(secret: View, settings: Settings) -> Verdict:
    """A secret is replicated to allowed regions only, and not wherever Google chooses."""
    if not limits_places(settings):
        return NOT_APPLICABLE
    replication = secret.block("replication")
    if replication is not None and "auto" in replication:
        return fail("replication.auto keeps it wherever Google chooses", path="replication.auto")
    return Within("gcp", "replication.userManaged.replicas[].location").judge(secret, settings)


RULES.row(
    "gcp-lustre-location",
    "A Lustre file system is in a zone of an allowed region.",
    on=_LUSTRE,
    check=_LOCATION_OR_ZONE,
    severity=HIGH,
    rationale="Data sets and checkpoints lie under the law of another part of the world.",
    fix="Set location to a zone of an allowed region; the file system is replaced, so export its data first.",
)

"""Residency on Google Cloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.graph.verdict import NOT_APPLICABLE, UNKNOWN, NotKnown, Verdict, fail
from penstock.graph.view import View
from penstock.policies.geography import Within, judge_place, limits_places
from penstock.rules.checks import Absent, All, ByType, Check, Custom, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESIDENCY)

_KEPT: Final = "messageStoragePolicy.allowedPersistenceRegions"
_SECRET: Final = "gcp:secretmanager/secret:Secret"  # noqa: S105 - a type token


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
    "gcp:storage/bucket:Bucket": All(
        Where(Absent("customPlacementConfig.dataLocations"), _LOCATION), _at("customPlacementConfig.dataLocations[]")
    ),
    "gcp:alloydb/backup:Backup": _LOCATION,
    "gcp:alloydb/cluster:Cluster": _LOCATION,
    "gcp:artifactregistry/repository:Repository": _LOCATION_OR_REGION,
    "gcp:backupdisasterrecovery/backupVault:BackupVault": _LOCATION,
    "gcp:bigquery/dataset:Dataset": _LOCATION,
    "gcp:bigtable/instance:Instance": _at("clusters[].zone"),
    "gcp:dataform/repository:Repository": _REGIONAL,
    "gcp:dataproc/metastoreService:MetastoreService": _LOCATION,
    "gcp:discoveryengine/dataStore:DataStore": _LOCATION,
    "gcp:compute/disk:Disk": _ZONAL,
    "gcp:compute/image:Image": _at("storageLocations[]"),
    "gcp:compute/regionDisk:RegionDisk": _REGIONAL,
    "gcp:compute/resourcePolicy:ResourcePolicy": _at("snapshotSchedulePolicy.snapshotProperties.storageLocations"),
    "gcp:compute/snapshot:Snapshot": _at("storageLocations[]"),
    "gcp:filestore/backup:Backup": _LOCATION,
    "gcp:filestore/instance:Instance": All(Where(Absent("zone"), _LOCATION_OR_ZONE), _at("zone")),
    "gcp:firestore/database:Database": _at("locationId"),
    "gcp:gkebackup/backupPlan:BackupPlan": _LOCATION,
    "gcp:healthcare/dataset:Dataset": _LOCATION,
    "gcp:kms/keyRing:KeyRing": _LOCATION,
    "gcp:logging/billingAccountBucketConfig:BillingAccountBucketConfig": _LOCATION,
    "gcp:logging/folderBucketConfig:FolderBucketConfig": _LOCATION,
    "gcp:logging/organizationBucketConfig:OrganizationBucketConfig": _LOCATION,
    "gcp:logging/projectBucketConfig:ProjectBucketConfig": _LOCATION,
    "gcp:managedkafka/cluster:Cluster": _LOCATION,
    "gcp:memcache/instance:Instance": _REGIONAL,
    "gcp:memorystore/instance:Instance": _LOCATION,
    "gcp:netapp/backupVault:BackupVault": All(_LOCATION, _at("backupRegion")),
    "gcp:netapp/storagePool:StoragePool": _LOCATION,
    "gcp:netapp/volume:Volume": _LOCATION,
    "gcp:pubsub/topic:Topic": All(_at(f"{_KEPT}[]"), Where(Absent(_KEPT), Custom(_near_publishers))),
    "gcp:parametermanager/regionalParameter:RegionalParameter": _LOCATION,
    "gcp:redis/cluster:Cluster": _REGIONAL,
    "gcp:redis/instance:Instance": _REGIONAL,
    "gcp:secretmanager/regionalSecret:RegionalSecret": _LOCATION,
    "gcp:spanner/instance:Instance": Custom(_spanner),
    "gcp:sql/databaseInstance:DatabaseInstance": All(_REGIONAL, _at("settings.backupConfiguration.location")),
    "gcp:vectorsearch/collection:Collection": _LOCATION,
    "gcp:vertex/aiDataset:AiDataset": _REGIONAL,
    "gcp:vertex/aiFeatureOnlineStore:AiFeatureOnlineStore": _REGIONAL,
    "gcp:vertex/aiFeatureStore:AiFeatureStore": _REGIONAL,
    "gcp:vertex/aiIndex:AiIndex": _REGIONAL,
    "gcp:vertex/aiMetadataStore:AiMetadataStore": _REGIONAL,
    "gcp:vertex/aiRagCorpus:AiRagCorpus": _REGIONAL,
    "gcp:vertex/aiTensorboard:AiTensorboard": _REGIONAL,
}
"""What keeps data, by type."""

_MACHINES: Final[Mapping[str, Check]] = {
    "gcp:cloudfunctions/function:Function": _REGIONAL,
    "gcp:cloudfunctionsv2/function:Function": _LOCATION,
    "gcp:cloudrun/service:Service": _LOCATION,
    "gcp:cloudrunv2/job:Job": _LOCATION,
    "gcp:cloudrunv2/service:Service": _LOCATION,
    "gcp:cloudrunv2/workerPool:WorkerPool": _LOCATION,
    "gcp:cloudbuild/workerPool:WorkerPool": _LOCATION,
    "gcp:colab/notebookExecution:NotebookExecution": _LOCATION,
    "gcp:colab/runtime:Runtime": _LOCATION,
    "gcp:colab/runtimeTemplate:RuntimeTemplate": _LOCATION,
    "gcp:composer/environment:Environment": _REGIONAL,
    "gcp:compute/instance:Instance": _ZONAL,
    "gcp:compute/instanceGroupManager:InstanceGroupManager": _ZONAL,
    "gcp:compute/regionInstanceGroupManager:RegionInstanceGroupManager": _REGIONAL,
    "gcp:dataflow/flexTemplateJob:FlexTemplateJob": _REGIONAL,
    "gcp:dataflow/job:Job": _REGIONAL,
    "gcp:dataproc/cluster:Cluster": _REGIONAL,
    "gcp:hypercomputecluster/cluster:Cluster": _LOCATION,
    "gcp:tpu/v2QueuedResource:V2QueuedResource": _ZONAL,
    "gcp:tpu/v2Vm:V2Vm": _ZONAL,
    "gcp:vertex/aiEndpoint:AiEndpoint": _LOCATION,
    "gcp:vertex/aiEndpointWithModelGardenDeployment:AiEndpointWithModelGardenDeployment": _LOCATION,
    "gcp:vertex/aiIndexEndpoint:AiIndexEndpoint": _REGIONAL,
    "gcp:vertex/aiPersistentResource:AiPersistentResource": _LOCATION,
    "gcp:vertex/aiReasoningEngine:AiReasoningEngine": _REGIONAL,
    "gcp:workbench/instance:Instance": _LOCATION,
    "gcp:workstations/workstationCluster:WorkstationCluster": _LOCATION,
    "gcp:workstations/workstationConfig:WorkstationConfig": _LOCATION,
}
"""What computes, by type."""

_LUSTRE: Final = ("gcp:lustre/instance:Instance", "gcp:parallelstore/instance:Instance")

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
    on=("gcp:container/cluster:Cluster", "gcp:container/nodePool:NodePool"),
    check=ByType(
        {
            "gcp:container/cluster:Cluster": All(
                _LOCATION_OR_ZONE, _at("nodeLocations[]"), _at("nodePools[].nodeLocations[]")
            ),
            "gcp:container/nodePool:NodePool": All(_LOCATION, _at("nodeLocations[]")),
        }
    ),
    severity=HIGH,
    rationale="The Secrets, the logs and the disks of the nodes lie under the law of another part of the world.",
    fix="Set location and nodeLocations to allowed regions and zones; a cluster whose location changes is replaced.",
)


@RULES.rule(
    on=_SECRET,
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

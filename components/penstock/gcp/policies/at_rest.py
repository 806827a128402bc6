"""Encryption at rest on Google Cloud, which encrypts everything: the rules are about whose keys do it."""

from __future__ import annotations

from penstock.gcp.policies.gke_nodes import of_cluster_nodes, of_provisioned_nodes
from penstock.gcp.types import (
    ALLOYDB_CLUSTER,
    ARTIFACTREGISTRY_REPOSITORY,
    BIGQUERY_DATASET,
    BIGTABLE_INSTANCE,
    COLAB_RUNTIME_TEMPLATE,
    COMPUTE_DISK,
    COMPUTE_IMAGE,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_DISK,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_SNAPSHOT,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    DISCOVERYENGINE_DATA_STORE,
    FILESTORE_INSTANCE,
    FIRESTORE_DATABASE,
    KMS_CRYPTO_KEY,
    LUSTRE_INSTANCE,
    MANAGEDKAFKA_CLUSTER,
    MEMORYSTORE_INSTANCE,
    PUBSUB_TOPIC,
    REDIS_CLUSTER,
    REDIS_INSTANCE,
    SECRETMANAGER_REGIONAL_SECRET,
    SECRETMANAGER_SECRET,
    SPANNER_DATABASE,
    SQL_DATABASE_INSTANCE,
    STORAGE_BUCKET,
    VECTORSEARCH_COLLECTION,
    VERTEX_AI_DATASET,
    VERTEX_AI_ENDPOINT,
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
)
from penstock.graph.verdict import Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    AtMost,
    ByType,
    Check,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    NoneOf,
    OneOf,
    Where,
)
from penstock.rules.levels import CRITICAL, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.AT_REST)

_CMEK = "gcp:discoveryengine/cmekConfig:CmekConfig"


def _has_default_key(store: View, _: Settings) -> Verdict:
    """Return whether the program gives all data stores of the place a key."""
    configs = [config for config in store.site.of_type(_CMEK) if config.text("location") == store.text("location")]
    return allow([config for config in configs if config.flag("setDefault")], "no CmekConfig gives it one")


_VERTEX = {
    DISCOVERYENGINE_DATA_STORE: Where(
        IsNot("location", "global"),  # where it takes none
        Either(Given("kmsKeyName"), Custom(_has_default_key, others=True)),
    ),
    **dict.fromkeys(
        (
            VERTEX_AI_ENDPOINT,
            VERTEX_AI_DATASET,
            VERTEX_AI_INDEX,
            VERTEX_AI_INDEX_ENDPOINT,
            VERTEX_AI_TENSORBOARD,
            VERTEX_AI_FEATURE_ONLINE_STORE,
            VERTEX_AI_FEATURE_STORE,
            VERTEX_AI_METADATA_STORE,
            VERTEX_AI_PERSISTENT_RESOURCE,
            VERTEX_AI_RAG_CORPUS,
            VERTEX_AI_REASONING_ENGINE,
            COLAB_RUNTIME_TEMPLATE,
        ),
        Given("encryptionSpec.kmsKeyName"),
    ),
    VECTORSEARCH_COLLECTION: Given("encryptionSpec.cryptoKeyName"),
    "gcp:gemini/codeRepositoryIndex:CodeRepositoryIndex": Given("kmsKey"),
}

RULES.row(
    "gcp-gcs-cmek",
    "A bucket encrypts with a key of the customer's own.",
    on=STORAGE_BUCKET,
    check=Given("encryption.defaultKmsKeyName"),
    severity=MEDIUM,
    rationale="With Google's key nobody can put a data set or a model out of reach, as by disabling its key.",
    fix="Set encryption.defaultKmsKeyName to a key at the bucket's location; it counts for objects written later.",
    peers="GCP-0066",
)
RULES.row(
    "gcp-disk-cmek",
    "A disk is encrypted with a key of the customer's own.",
    on=(COMPUTE_DISK, COMPUTE_REGION_DISK),
    check=ByType(
        {
            COMPUTE_DISK: Given("diskEncryptionKey.kmsKeySelfLink"),
            COMPUTE_REGION_DISK: Given("diskEncryptionKey.kmsKeyName"),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "With Google's key a snapshot that someone carried off stays readable: nobody can withdraw what opens it."
    ),
    fix="Set the key in diskEncryptionKey; a disk that exists is replaced, so recreate it from a snapshot.",
    peers="CKV_GCP_37 GCP-0034 KICS:b1d51728",
    cis=("GCP 4.0: 4.7",),
)


def _no_key_in(*paths: str) -> Check:
    return All(*(Absent(path) for path in paths))


_RAW_KEYS = {
    COMPUTE_DISK: _no_key_in(
        "diskEncryptionKey.rawKey", "sourceImageEncryptionKey.rawKey", "sourceSnapshotEncryptionKey.rawKey"
    ),
    COMPUTE_REGION_DISK: _no_key_in("diskEncryptionKey.rawKey", "sourceSnapshotEncryptionKey.rawKey"),
    COMPUTE_IMAGE: _no_key_in(
        "imageEncryptionKey.rawKey",
        "sourceDiskEncryptionKey.rawKey",
        "sourceImageEncryptionKey.rawKey",
        "sourceSnapshotEncryptionKey.rawKey",
    ),
    COMPUTE_SNAPSHOT: _no_key_in("snapshotEncryptionKey.rawKey", "sourceDiskEncryptionKey.rawKey"),
    "gcp:compute/machineImage:MachineImage": _no_key_in("machineImageEncryptionKey.rawKey"),
    COMPUTE_INSTANCE: _no_key_in(
        "bootDisk.diskEncryptionKeyRaw",
        "bootDisk.initializeParams.sourceImageEncryptionKey.rawKey",
        "bootDisk.initializeParams.sourceSnapshotEncryptionKey.rawKey",
        "attachedDisks[].diskEncryptionKeyRaw",
    ),
    COMPUTE_INSTANCE_FROM_TEMPLATE: _no_key_in("bootDisk.diskEncryptionKeyRaw", "attachedDisks[].diskEncryptionKeyRaw"),
    **dict.fromkeys(
        (COMPUTE_INSTANCE_TEMPLATE, COMPUTE_REGION_INSTANCE_TEMPLATE),
        _no_key_in("disks[].sourceImageEncryptionKey.rawKey", "disks[].sourceSnapshotEncryptionKey.rawKey"),
    ),
    "gcp:storage/bucketObject:BucketObject": _no_key_in("customerEncryption.encryptionKey"),
}

RULES.row(
    "gcp-disk-no-raw-key",
    "No key of a disk, an image, a snapshot or an object is written in the program.",
    on=tuple(_RAW_KEYS),
    check=ByType(_RAW_KEYS),
    severity=CRITICAL,
    rationale="Whoever reads the program, its state or a log of a run has the key itself, and nobody can revoke it.",
    fix="Remove the raw key and name a key of Cloud KMS instead; what it encrypts is replaced, so copy it first.",
    peers="GCP-0037",
)
RULES.row(
    "gcp-instance-boot-cmek",
    "A machine's disks are encrypted with a key of the customer's own.",
    on=(COMPUTE_INSTANCE_TEMPLATE, COMPUTE_REGION_INSTANCE_TEMPLATE, COMPUTE_INSTANCE),
    check=ByType(
        {
            **dict.fromkeys(
                (COMPUTE_INSTANCE_TEMPLATE, COMPUTE_REGION_INSTANCE_TEMPLATE),
                Each(
                    "disks[]",
                    Where(All(Absent("source"), IsNot("type", "SCRATCH")), Given("diskEncryptionKey.kmsKeySelfLink")),
                ),
            ),
            COMPUTE_INSTANCE: Where(Absent("bootDisk.source"), Given("bootDisk.kmsKeySelfLink")),
        }
    ),
    severity=MEDIUM,
    rationale="The boot disk collects logs, caches and credentials; with Google's key a copy of it opens for good.",
    fix=(
        "Set kmsKeySelfLink in bootDisk, or in diskEncryptionKey of each disk of a template; machines get it when they "
        "are replaced."
    ),
    peers="CKV_GCP_38 GCP-0033",
    cis=("GCP 4.0: 4.7",),
)

_ENCRYPTS_SECRETS = OneOf("databaseEncryption.state", ("ENCRYPTED", "ALL_OBJECTS_ENCRYPTION_ENABLED"))

RULES.row(
    "gcp-gke-db-encryption",
    "A cluster encrypts Kubernetes secrets with a key of the customer's own.",
    on=CONTAINER_CLUSTER,
    check=All(_ENCRYPTS_SECRETS, Where(_ENCRYPTS_SECRETS, Given("databaseEncryption.keyName"))),
    severity=MEDIUM,
    rationale="Tokens and passwords are in etcd in clear text: whoever reads its disks has all of them.",
    fix=(
        "Set databaseEncryption with state ENCRYPTED and keyName; a key that is destroyed takes the cluster's secrets "
        "with it."
    ),
    cis=("GKE 1.6: 5.3.1",),
)
_BOOTS_FROM_OWN = Given("nodeConfig.bootDiskKmsKey")

RULES.row(
    "gcp-gke-nodepool-boot-cmek",
    "Nodes have boot disks under a key of the customer's own.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER),
    check=ByType(
        {
            CONTAINER_NODE_POOL: _BOOTS_FROM_OWN,
            CONTAINER_CLUSTER: All(
                of_cluster_nodes(_BOOTS_FROM_OWN),
                of_provisioned_nodes(Given("clusterAutoscaling.autoProvisioningDefaults.bootDiskKmsKey")),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Images, volumes of pods and secrets that they mount lie there, under a key that nobody can withdraw.",
    fix="Set nodeConfig.bootDiskKmsKey (clusterAutoscaling.autoProvisioningDefaults.bootDiskKmsKey on Autopilot), and "
    "let the service agent of Compute Engine use the key; the pool is replaced, or the cluster that describes it "
    "itself.",
    cis=("GKE 1.6: 5.9.2",),
)


def _is_of_confidential_cluster(pool: View, settings: Settings) -> Verdict:
    """Return whether the cluster encrypts the memory of all its nodes."""
    clusters = pool.found("cluster", CONTAINER_CLUSTER)
    return each(clusters, lambda cluster: Is("confidentialNodes.enabled", value=True).judge(cluster, settings))


RULES.row(
    "gcp-gke-confidential",
    "Where confidential nodes are enabled, nodes encrypt their memory.",
    on=CONTAINER_NODE_POOL,
    check=Where(
        Custom(lambda _, settings: allow(settings.parameters.confidential_nodes, "nobody asks for it")),
        Either(
            Is("nodeConfig.confidentialNodes.enabled", value=True),
            Custom(_is_of_confidential_cluster, others=True),
        ),
    ),
    severity=LOW,
    rationale="Whoever controls the host can read weights and data out of memory, where no disk encryption reaches.",
    fix=(
        "Set nodeConfig.confidentialNodes.enabled to true on machines that can, such as n2d, c3 or a3-highgpu-1g; the "
        "pool is replaced."
    ),
)

RULES.row(
    "gcp-filestore-cmek",
    "A shared file system of a tier that takes keys has one of the customer's own.",
    on=FILESTORE_INSTANCE,
    check=Where(OneOf("tier", ("HIGH_SCALE_SSD", "ZONAL", "REGIONAL", "ENTERPRISE")), Given("kmsKeyName")),
    severity=MEDIUM,
    rationale="Home directories and notebooks stay readable in backups as long as Google keeps its key.",
    fix="Set kmsKeyName to a key of the same region; an existing instance is replaced, so copy its files first.",
)
RULES.row(
    "gcp-lustre-cmek",
    "A Lustre file system is encrypted with a key of the customer's own.",
    on=LUSTRE_INSTANCE,
    check=Given("kmsKey"),
    severity=MEDIUM,
    rationale="Training data and checkpoints lie under a key that nobody outside of Google can withdraw.",
    fix="Set kmsKey to a key of the same region; an existing instance is replaced.",
)
_DATABASES = {
    SQL_DATABASE_INSTANCE: Where(Absent("masterInstanceName"), Given("encryptionKeyName")),
    ALLOYDB_CLUSTER: Given("encryptionConfig.kmsKeyName"),
    BIGTABLE_INSTANCE: Given("clusters[].kmsKeyName"),
    FIRESTORE_DATABASE: Given("cmekConfig.kmsKeyName"),
    MEMORYSTORE_INSTANCE: Given("kmsKey"),
    REDIS_CLUSTER: Given("kmsKey"),
    REDIS_INSTANCE: Given("customerManagedKey"),
    SPANNER_DATABASE: Either(Given("encryptionConfig.kmsKeyName"), Given("encryptionConfig.kmsKeyNames")),
}

RULES.row(
    "gcp-sql-cmek",
    "A database or a cache is encrypted with a key of the customer's own.",
    on=tuple(_DATABASES),
    check=ByType(_DATABASES),
    severity=MEDIUM,
    rationale="Backups stay readable as long as Google keeps its key, whatever happened to the project.",
    fix="Set encryptionKeyName (encryptionConfig, cmekConfig, kmsKey or customerManagedKey of other databases, "
    "kmsKeyName of each of clusters in Bigtable) to a key of the same region; an existing instance is replaced, "
    "so export it first.",
    peers="CKV_GCP_85 CKV_GCP_93",
)
RULES.row(
    "gcp-secret-cmek",
    "A secret is encrypted with keys of the customer's own, wherever it lies.",
    on=(SECRETMANAGER_SECRET, SECRETMANAGER_REGIONAL_SECRET),
    check=ByType(
        {
            SECRETMANAGER_SECRET: All(
                Where(IsNot("replication.auto", None), Given("replication.auto.customerManagedEncryption.kmsKeyName")),
                Given("replication.userManaged.replicas[].customerManagedEncryption.kmsKeyName"),
            ),
            SECRETMANAGER_REGIONAL_SECRET: Given("customerManagedEncryption.kmsKeyName"),
        }
    ),
    severity=MEDIUM,
    rationale="One grant on the project reads every secret in it: no second permission, on a key, is needed.",
    fix=(
        "Set customerManagedEncryption.kmsKeyName in replication.auto, or in each replica; versions that are there "
        "already keep their key."
    ),
)
RULES.row(
    "gcp-ar-cmek",
    "A registry encrypts with a key of the customer's own.",
    on=ARTIFACTREGISTRY_REPOSITORY,
    check=Where(IsNot("mode", "VIRTUAL_REPOSITORY"), Given("kmsKeyName")),
    severity=LOW,
    rationale="Images carry code and often weights, under a key that nobody outside of Google can withdraw.",
    fix="Set kmsKeyName to a key at the repository's location; an existing repository is replaced with its images.",
    peers="CKV_GCP_84",
)
RULES.row(
    "gcp-bq-cmek",
    "A data set of BigQuery encrypts with a key of the customer's own.",
    on=BIGQUERY_DATASET,
    check=Given("defaultEncryptionConfiguration.kmsKeyName"),
    severity=LOW,
    rationale="Tables, and what bills and logs are exported to, stay readable as long as Google keeps its key.",
    fix="Set defaultEncryptionConfiguration.kmsKeyName; it counts for tables made from then on.",
    peers="CKV_GCP_81",
    cis=("GCP 4.0: 7.3",),
)
RULES.row(
    "gcp-pubsub-cmek",
    "A topic, or a cluster of Kafka, encrypts with a key of the customer's own.",
    on=(PUBSUB_TOPIC, MANAGEDKAFKA_CLUSTER),
    check=ByType({PUBSUB_TOPIC: Given("kmsKeyName"), MANAGEDKAFKA_CLUSTER: Given("gcpConfig.kmsKey")}),
    severity=LOW,
    rationale="Messages wait for up to a month under a key that nobody outside of Google can withdraw.",
    fix="Set kmsKeyName (gcpConfig.kmsKey of Kafka), and let the service agent of Pub/Sub or Kafka use the key; a "
    "cluster of Kafka is replaced with its topics.",
    peers="CKV_GCP_83",
)
RULES.row(
    "gcp-vertex-cmek",
    "What Vertex AI keeps is encrypted with a key of the customer's own.",
    on=tuple(_VERTEX),
    check=ByType(_VERTEX),
    severity=MEDIUM,
    rationale="Models, data sets and embeddings lie under a key that nobody outside of Google can withdraw.",
    fix="Set encryptionSpec.kmsKeyName (cryptoKeyName of a collection, kmsKey of an index of code) to a key of the "
    "same region; an existing resource is replaced.",
    peers="CKV2_GCP_24 CKV2_GCP_25 CKV2_GCP_26 CKV_GCP_92 CKV_GCP_96",
)
RULES.row(
    "gcp-workbench-cmek",
    "A notebook machine has disks under a key of the customer's own.",
    on=WORKBENCH_INSTANCE,
    check=All(Given("gceSetup.bootDisk.kmsKey"), Each("gceSetup.dataDisks", Given("kmsKey"))),
    severity=MEDIUM,
    rationale="Data that someone loads into a notebook stays on its disk, under a key that nobody can withdraw.",
    fix="Set diskEncryption to CMEK and kmsKey in gceSetup.bootDisk and gceSetup.dataDisks; the machine is replaced.",
    peers="CKV2_GCP_27",
)

RULES.row(
    "gcp-kms-rotation",
    "A key that encrypts has a new version every 90 days at least.",
    on=KMS_CRYPTO_KEY,
    check=Where(
        All(
            Is("purpose", "ENCRYPT_DECRYPT"),
            IsNot("importOnly", value=True),
            NoneOf("versionTemplate.protectionLevel", ("EXTERNAL", "EXTERNAL_VPC")),
        ),
        AtMost("rotationPeriod", 7_776_000),
    ),
    severity=MEDIUM,
    rationale="One version of the key guards the data of all years: whoever gets hold of it reads everything.",
    fix="Set rotationPeriod to 7776000s or less; nothing is encrypted anew, and each old version costs a little.",
    peers="CKV_GCP_43 GCP-0065 KICS:d8c57c4e",
    cis=("GCP 4.0: 1.10",),
)
RULES.row(
    "gcp-kms-destroy-window",
    "A version of a key waits for 30 days at least before it is gone.",
    on=KMS_CRYPTO_KEY,
    check=Where(IsNot("importOnly", value=True), AtLeast("destroyScheduledDuration", 2_592_000)),
    severity=LOW,
    rationale=(
        "A version that is destroyed by mistake takes all that it encrypted with it, before someone misses the data."
    ),
    fix="Set destroyScheduledDuration to 2592000s. It counts at creation only: make a new key, encrypt the data with "
    "it, and then remove the old one, because a replaced key is destroyed with all that it encrypts.",
)

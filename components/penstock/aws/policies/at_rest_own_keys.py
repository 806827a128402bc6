"""Keys of the customer's own for databases, brokers, backups and analytics of AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.keys import OwnKey
from penstock.aws.types import (
    BACKUP_VAULT,
    DMS_ENDPOINT,
    DMS_REPLICATION_INSTANCE,
    DOCDB_CLUSTER,
    DOCDB_CLUSTER_INSTANCE,
    DSQL_CLUSTER,
    DYNAMODB_TABLE_REPLICA,
    ELASTICACHE_REPLICATION_GROUP,
    ELASTICACHE_SERVERLESS_CACHE,
    ELASTICSEARCH_DOMAIN,
    GLUE_DATA_CATALOG_ENCRYPTION_SETTINGS,
    KEYSPACES_TABLE,
    KINESIS_FIREHOSE_DELIVERY_STREAM,
    KINESIS_STREAM,
    MEMORYDB_CLUSTER,
    MQ_BROKER,
    MSK_CLUSTER,
    MWAA_ENVIRONMENT,
    NEPTUNE_CLUSTER,
    NEPTUNEGRAPH_GRAPH,
    OPENSEARCH_DOMAIN,
    RDS_CLUSTER,
    RDS_CLUSTER_INSTANCE,
    RDS_INSTANCE,
    REDSHIFT_CLUSTER,
    REDSHIFTSERVERLESS_NAMESPACE,
    SAGEMAKER_DATA_QUALITY_JOB_DEFINITION,
    SFN_STATE_MACHINE,
    SNS_TOPIC,
    SQS_QUEUE,
)
from penstock.rules.checks import Absent, All, ByType, Check, Is, IsNot, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)


def _own_keys(
    id_: str,
    title: str,
    checks: dict[str, Check],
    *,
    rationale: str,
    fix: str,
    peers: str,
) -> None:
    """Types of one kind, each of which names its key in a property of its own."""
    RULES.row(
        id_,
        title,
        on=tuple(checks),
        check=ByType(checks),
        severity=MEDIUM,
        rationale=rationale,
        fix=fix,
        peers=peers,
    )


_own_keys(
    "aws-db-cmk",
    "A database, cache or warehouse is encrypted with a key of the customer's own.",
    {
        RDS_INSTANCE: Where(
            All(
                Absent("replicateSourceDb"),
                Absent("snapshotIdentifier"),
                Absent("restoreToPointInTime"),
            ),
            OwnKey("kmsKeyId"),
        ),
        RDS_CLUSTER: Where(
            All(
                Absent("replicationSourceIdentifier"),
                Absent("snapshotIdentifier"),
                Absent("restoreToPointInTime"),
            ),
            OwnKey("kmsKeyId"),
        ),
        DOCDB_CLUSTER: Where(All(Absent("snapshotIdentifier"), Absent("restoreToPointInTime")), OwnKey("kmsKeyId")),
        "aws:docdb/elasticCluster:ElasticCluster": OwnKey("kmsKeyId"),
        NEPTUNE_CLUSTER: Where(
            All(Absent("replicationSourceIdentifier"), Absent("snapshotIdentifier")), OwnKey("kmsKeyArn")
        ),
        NEPTUNEGRAPH_GRAPH: OwnKey("kmsKeyIdentifier"),
        REDSHIFT_CLUSTER: Where(All(Absent("snapshotIdentifier"), Absent("snapshotArn")), OwnKey("kmsKeyId")),
        REDSHIFTSERVERLESS_NAMESPACE: OwnKey("kmsKeyId"),
        ELASTICACHE_REPLICATION_GROUP: Where(Absent("globalReplicationGroupId"), OwnKey("kmsKeyId")),
        ELASTICACHE_SERVERLESS_CACHE: OwnKey("kmsKeyId"),
        MEMORYDB_CLUSTER: Where(Absent("multiRegionClusterName"), OwnKey("kmsKeyArn")),
        OPENSEARCH_DOMAIN: OwnKey("encryptAtRest.kmsKeyId"),
        ELASTICSEARCH_DOMAIN: OwnKey("encryptAtRest.kmsKeyId"),
        "aws:timestreamwrite/database:Database": OwnKey("kmsKeyId"),
        DYNAMODB_TABLE_REPLICA: OwnKey("kmsKeyArn"),
        KEYSPACES_TABLE: All(
            Is("encryptionSpecification.type", "CUSTOMER_MANAGED_KMS_KEY"),
            OwnKey("encryptionSpecification.kmsKeyIdentifier"),
        ),
        DSQL_CLUSTER: All(OwnKey("kmsEncryptionKey"), IsNot("kmsEncryptionKey", "AWS_OWNED_KMS_KEY")),
    },
    rationale="AWS's key serves every database of the account alike: it cannot be withdrawn, and snapshots under it "
    "cannot go to a recovery account.",
    fix="Set the key property to the ARN of a KMS key of your own; most databases are replaced, so restore them from a "
    "snapshot that is copied with the new key.",
    peers=(
        "CKV_AWS_327 CKV_AWS_182 CKV_AWS_347 CKV_AWS_142 CKV_AWS_282 CKV_AWS_191 CKV_AWS_201 CKV_AWS_247 CKV_AWS_160 "
        "CKV_AWS_265 CKV_AWS_271 AWS-0022 AWS-0128 KICS:4766d3ea KICS:2134641d KICS:7af2f4a3"
    ),
)


_own_keys(
    "aws-stream-cmk",
    "A stream, queue, topic or broker is encrypted with a key of the customer's own.",
    {
        KINESIS_STREAM: OwnKey("kmsKeyId"),
        KINESIS_FIREHOSE_DELIVERY_STREAM: Where(
            All(Absent("kinesisSourceConfiguration"), Absent("mskSourceConfiguration")),
            All(
                Is("serverSideEncryption.keyType", "CUSTOMER_MANAGED_CMK"),
                OwnKey("serverSideEncryption.keyArn"),
            ),
        ),
        "aws:kinesis/videoStream:VideoStream": OwnKey("kmsKeyId"),
        SQS_QUEUE: OwnKey("kmsMasterKeyId"),
        SNS_TOPIC: OwnKey("kmsMasterKeyId"),
        MSK_CLUSTER: OwnKey("encryptionInfo.encryptionAtRestKmsKeyArn"),
        MQ_BROKER: Where(IsNot("engineType", "RabbitMQ"), OwnKey("encryptionOptions.kmsKeyId")),
        "aws:scheduler/schedule:Schedule": OwnKey("kmsKeyArn"),
        "aws:pipes/pipe:Pipe": OwnKey("kmsKeyIdentifier"),
    },
    rationale="Everyone whom the service admits reads messages without a permission on a key, and other accounts "
    "cannot be given access.",
    fix="Set the key property to the ARN of a KMS key of your own whose policy admits the services that publish; of a "
    "Firehose stream set serverSideEncryption.keyType to CUSTOMER_MANAGED_CMK with keyArn. Kafka clusters and "
    "ActiveMQ brokers are replaced.",
    peers=(
        "CKV_AWS_185 CKV_AWS_241 CKV_AWS_177 CKV2_AWS_73 CKV_AWS_209 CKV_AWS_297 AWS-0135 AWS-0136 KICS:b1a72f66 "
        "KICS:3db3f534 KICS:862fe4bf AWS-0179"
    ),
)

_own_keys(
    "aws-backup-cmk",
    "A backup vault, snapshot copy or activity stream is encrypted with a key of the customer's own.",
    {
        BACKUP_VAULT: OwnKey("kmsKeyArn"),
        "aws:backup/logicallyAirGappedVault:LogicallyAirGappedVault": OwnKey("encryptionKeyArn"),
        "aws:rds/snapshotCopy:SnapshotCopy": OwnKey("kmsKeyId"),
        "aws:rds/clusterSnapshotCopy:ClusterSnapshotCopy": OwnKey("kmsKeyId"),
        "aws:rds/instanceAutomatedBackupsReplication:InstanceAutomatedBackupsReplication": OwnKey("kmsKeyId"),
        "aws:rds/clusterActivityStream:ClusterActivityStream": OwnKey("kmsKeyId"),
        "aws:memorydb/snapshot:Snapshot": OwnKey("kmsKeyArn"),
        "aws:redshift/snapshotCopyGrant:SnapshotCopyGrant": OwnKey("kmsKeyId"),
        "aws:cloudtrail/eventDataStore:EventDataStore": OwnKey("kmsKeyId"),
    },
    rationale="A backup under AWS's key cannot be restored in another account, so it is lost with the account.",
    fix="Set the key property to the ARN of a KMS key of your own, in a copy to another region to one of that region; "
    "existing copies and vaults are replaced.",
    peers="CKV_AWS_166 CKV_AWS_266 CKV_AWS_245 CKV_AWS_246 CKV_AWS_278 CKV_AWS_281 CKV_AWS_294",
)

_WITH_LOCAL_DISKS: Final = r"ml\.([a-z]+\d+[a-z]*d[a-z]*|[gp][5-9]\w*)\..+"
"""Instance types that take no volume key (SageMaker API reference, ProcessingClusterConfig)."""

_own_keys(
    "aws-pipeline-cmk",
    "Data pipelines, search indexes and jobs that read data are encrypted with a key of the customer's own.",
    {
        MWAA_ENVIRONMENT: OwnKey("kmsKey"),
        DMS_REPLICATION_INSTANCE: OwnKey("kmsKeyArn"),
        "aws:dms/replicationConfig:ReplicationConfig": OwnKey("computeConfig.kmsKeyId"),
        DMS_ENDPOINT: OwnKey("kmsKeyArn"),
        "aws:dms/s3Endpoint:S3Endpoint": OwnKey("kmsKeyArn"),
        "aws:appflow/flow:Flow": OwnKey("kmsArn"),
        "aws:appflow/connectorProfile:ConnectorProfile": OwnKey("kmsArn"),
        GLUE_DATA_CATALOG_ENCRYPTION_SETTINGS: OwnKey("dataCatalogEncryptionSettings.encryptionAtRest.sseAwsKmsKeyId"),
        "aws:kendra/index:Index": OwnKey("serverSideEncryptionConfiguration.kmsKeyId"),
        "aws:comprehend/entityRecognizer:EntityRecognizer": All(OwnKey("modelKmsKeyId"), OwnKey("volumeKmsKeyId")),
        "aws:comprehend/documentClassifier:DocumentClassifier": All(OwnKey("modelKmsKeyId"), OwnKey("volumeKmsKeyId")),
        SAGEMAKER_DATA_QUALITY_JOB_DEFINITION: All(
            OwnKey("dataQualityJobOutputConfig.kmsKeyId"),
            Where(
                Unlike("jobResources.clusterConfig.instanceType", _WITH_LOCAL_DISKS),
                OwnKey("jobResources.clusterConfig.volumeKmsKeyId"),
            ),
        ),
        "aws:sagemaker/flowDefinition:FlowDefinition": OwnKey("outputConfig.kmsKeyId"),
        SFN_STATE_MACHINE: OwnKey("encryptionConfiguration.kmsKeyId"),
    },
    rationale="Working copies of data stay readable after the key of the original is disabled.",
    fix="Set the key property to the ARN of a KMS key of your own; most of these resources are replaced.",
    peers=(
        "CKV_AWS_212 CKV_AWS_296 CKV_AWS_298 CKV_AWS_263 CKV_AWS_264 CKV_AWS_262 CKV_AWS_267 CKV_AWS_268 CKV_AWS_367 "
        "CKV_AWS_368 CKV_AWS_372"
    ),
)

_INSIGHTS: Final = "performanceInsightsKmsKeyId"
RULES.row(
    "aws-rds-insights-cmk",
    "Performance Insights of a database are encrypted with a key of the customer's own.",
    on=(
        RDS_INSTANCE,
        RDS_CLUSTER,
        RDS_CLUSTER_INSTANCE,
        DOCDB_CLUSTER_INSTANCE,
    ),
    check=ByType(
        {
            **dict.fromkeys(
                (RDS_INSTANCE, RDS_CLUSTER, RDS_CLUSTER_INSTANCE),
                Where(Is("performanceInsightsEnabled", value=True), OwnKey(_INSIGHTS)),
            ),
            DOCDB_CLUSTER_INSTANCE: Where(Is("enablePerformanceInsights", value=True), OwnKey(_INSIGHTS)),
        }
    ),
    severity=LOW,
    rationale="Performance Insights keep the text of queries, with customer data in it, under a key of AWS's.",
    fix="Set performanceInsightsKmsKeyId to the ARN of a KMS key of your own when you enable Performance Insights; the "
    "key cannot be changed afterwards.",
    peers="CKV_AWS_354 AWS-0078",
)

"""Backups, updates and failover of data services, load balancers and firewalls on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    ALB_TARGET_GROUP,
    DMS_REPLICATION_INSTANCE,
    DOCDB_CLUSTER,
    DYNAMODB_TABLE_REPLICA,
    ELASTICACHE_CLUSTER,
    ELASTICACHE_REPLICATION_GROUP,
    ELASTICACHE_SERVERLESS_CACHE,
    ELASTICSEARCH_DOMAIN,
    ELB_LOAD_BALANCER,
    KEYSPACES_TABLE,
    LB_LOAD_BALANCER,
    LB_TARGET_GROUP,
    MEMORYDB_CLUSTER,
    MQ_BROKER,
    NEPTUNE_CLUSTER,
    NEPTUNE_CLUSTER_INSTANCE,
    OPENSEARCH_DOMAIN,
    RDS_CLUSTER,
    RDS_INSTANCE,
    REDSHIFT_CLUSTER,
)
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Given,
    Is,
    IsNot,
    NotBelow,
    OneOf,
    Where,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESILIENCE)

_REDIS: Final = OneOf("engine", ("redis", "valkey"))

RULES.row(
    "aws-docdb-backup",
    "A DocumentDB, Neptune, Redshift or Keyspaces database has backups of some days.",
    on=(DOCDB_CLUSTER, NEPTUNE_CLUSTER, REDSHIFT_CLUSTER, KEYSPACES_TABLE, DYNAMODB_TABLE_REPLICA),
    check=ByType(
        {
            DOCDB_CLUSTER: NotBelow("backupRetentionPeriod", "backup_retention_days"),
            NEPTUNE_CLUSTER: Where(
                Absent("replicationSourceIdentifier"), NotBelow("backupRetentionPeriod", "backup_retention_days")
            ),
            REDSHIFT_CLUSTER: AtLeast("automatedSnapshotRetentionPeriod", 1),
            KEYSPACES_TABLE: Is("pointInTimeRecovery.status", "ENABLED"),
            DYNAMODB_TABLE_REPLICA: Is("pointInTimeRecovery", value=True),
        }
    ),
    severity=MEDIUM,
    rationale="A faulty writer is noticed after days, and nothing from before it is left.",
    fix="Set backupRetentionPeriod to 7 or more, automatedSnapshotRetentionPeriod of Redshift to 1 or more, and "
    "point-in-time recovery of a table.",
    peers="CKV_AWS_343 CKV_AWS_360 CKV_AWS_361",
)
RULES.row(
    "aws-cache-backup",
    "A cache of Redis or Valkey has snapshots.",
    on=(ELASTICACHE_REPLICATION_GROUP, ELASTICACHE_CLUSTER, ELASTICACHE_SERVERLESS_CACHE, MEMORYDB_CLUSTER),
    check=ByType(
        {
            ELASTICACHE_REPLICATION_GROUP: Where(
                Absent("globalReplicationGroupId"), AtLeast("snapshotRetentionLimit", 1)
            ),
            ELASTICACHE_CLUSTER: Where(
                All(_REDIS, Absent("replicationGroupId"), IsNot("nodeType", "cache.t1.micro")),  # it takes no snapshots
                AtLeast("snapshotRetentionLimit", 1),
            ),
            ELASTICACHE_SERVERLESS_CACHE: Where(_REDIS, AtLeast("snapshotRetentionLimit", 1)),
            MEMORYDB_CLUSTER: AtLeast("snapshotRetentionLimit", 1),
        }
    ),
    severity=LOW,
    rationale="Sessions and features that exist nowhere else are gone after a flush, or with the cache.",
    fix="Set snapshotRetentionLimit to 1 or more; snapshots are billed by the gigabyte.",
    peers="AWS-0050 CKV_AWS_134 KICS:8fdb08a0",
)

_UPDATED: Final = IsNot("autoMinorVersionUpgrade", value=False)

RULES.row(
    "aws-service-minor-upgrade",
    "A broker, a cache, a graph, a warehouse or a replication instance takes minor versions by itself.",
    on=(
        MQ_BROKER,
        DMS_REPLICATION_INSTANCE,
        ELASTICACHE_REPLICATION_GROUP,
        ELASTICACHE_CLUSTER,
        MEMORYDB_CLUSTER,
        NEPTUNE_CLUSTER_INSTANCE,
        REDSHIFT_CLUSTER,
    ),
    check=ByType(
        {
            MQ_BROKER: Is("autoMinorVersionUpgrade", value=True),
            DMS_REPLICATION_INSTANCE: Is("autoMinorVersionUpgrade", value=True),
            ELASTICACHE_REPLICATION_GROUP: _UPDATED,
            ELASTICACHE_CLUSTER: Where(_REDIS, _UPDATED),
            MEMORYDB_CLUSTER: _UPDATED,
            NEPTUNE_CLUSTER_INSTANCE: _UPDATED,
            REDSHIFT_CLUSTER: IsNot("allowVersionUpgrade", value=False),
        }
    ),
    severity=LOW,
    rationale="Fixes of security holes arrive as minor versions, and nobody installs them by hand.",
    fix="Set autoMinorVersionUpgrade (allowVersionUpgrade of Redshift) to true, and the maintenance window to a quiet "
    "hour; a cluster of MemoryDB is replaced, so restore it from a snapshot.",
    peers="CKV_AWS_141 CKV_AWS_207 CKV_AWS_222 CKV_AWS_322",
)
RULES.row(
    "aws-snapshot-tags",
    "A database copies its tags to snapshots.",
    on=(RDS_INSTANCE, RDS_CLUSTER, NEPTUNE_CLUSTER),
    check=Is("copyTagsToSnapshot", value=True),
    severity=LOW,
    rationale="Nobody knows whose a snapshot is, how sensitive it is and when it may be deleted.",
    fix="Set copyTagsToSnapshot to true.",
    peers="CKV2_AWS_60 CKV_AWS_313 CKV_AWS_362 KICS:6d3dead4",
)
RULES.row(
    "aws-cache-failover",
    "A cache in production fails over to another zone.",
    on=(ELASTICACHE_REPLICATION_GROUP, ELASTICACHE_CLUSTER),
    check=ByType(
        {
            ELASTICACHE_REPLICATION_GROUP: Where(
                Absent("globalReplicationGroupId"),
                All(Is("automaticFailoverEnabled", value=True), Is("multiAzEnabled", value=True)),
            ),
            ELASTICACHE_CLUSTER: Where(
                All(Is("engine", "memcached"), AtLeast("numCacheNodes", 2)), Is("azMode", "cross-az")
            ),
        }
    ),
    severity=LOW,
    rationale="When its zone fails the cache is away, and the database behind it takes all requests.",
    fix="Set automaticFailoverEnabled and multiAzEnabled to true with two or more nodes; azMode of Memcached to "
    "cross-az.",
    peers="CKV2_AWS_50 KICS:6db03a91",
    in_production=True,
)
RULES.row(
    "aws-opensearch-masters",
    "A search domain in production has three dedicated master nodes.",
    on=(OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN),
    check=All(Is("clusterConfig.dedicatedMasterEnabled", value=True), AtLeast("clusterConfig.dedicatedMasterCount", 3)),
    severity=LOW,
    rationale="A data node under load stops answering as master, and the whole domain turns red.",
    fix="Set clusterConfig.dedicatedMasterEnabled to true and dedicatedMasterCount to 3.",
    peers="CKV2_AWS_59 CKV_AWS_318",
    in_production=True,
)

_BALANCERS: Final = (LB_LOAD_BALANCER, ALB_LOAD_BALANCER)

RULES.row(
    "aws-lb-cross-zone",
    "A load balancer spreads requests over all zones.",
    on=(*_BALANCERS, ELB_LOAD_BALANCER),
    check=ByType(
        dict.fromkeys(
            _BALANCERS,
            Where(OneOf("loadBalancerType", ("network", "gateway")), Is("enableCrossZoneLoadBalancing", value=True)),
        )
        | {ELB_LOAD_BALANCER: IsNot("crossZoneLoadBalancing", value=False)}
    ),
    severity=LOW,
    rationale="A zone with few targets is overloaded, and one without any loses its share of the requests.",
    fix="Set enableCrossZoneLoadBalancing (crossZoneLoadBalancing of a classic one) to true; traffic between zones is "
    "billed.",
    peers="CKV_AWS_138 CKV_AWS_152",
)
RULES.row(
    "aws-lb-health-check",
    "A target group checks the health of its targets on a path of their own.",
    on=(LB_TARGET_GROUP, ALB_TARGET_GROUP),
    check=Where(
        All(OneOf("protocol", ("HTTP", "HTTPS")), IsNot("targetType", "lambda")),
        All(Given("healthCheck.path"), IsNot("healthCheck.enabled", value=False)),
    ),
    severity=LOW,
    rationale="The page at / answers while the model behind it is not loaded, so requests fail.",
    fix="Set healthCheck.path to what the application offers for it, such as /health.",
    peers="CKV_AWS_261",
)

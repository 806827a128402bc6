"""Backups, updates and failover of data services, load balancers and firewalls on AWS."""

from __future__ import annotations

from typing import Final

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

_DOCUMENTS: Final = "aws:docdb/cluster:Cluster"
_GRAPHS: Final = "aws:neptune/cluster:Cluster"
_GRAPH: Final = "aws:neptune/clusterInstance:ClusterInstance"
_WAREHOUSE: Final = "aws:redshift/cluster:Cluster"
_KEYSPACE_TABLE: Final = "aws:keyspaces/table:Table"
_TABLE_REPLICA: Final = "aws:dynamodb/tableReplica:TableReplica"
_CACHES: Final = "aws:elasticache/replicationGroup:ReplicationGroup"
_CACHE: Final = "aws:elasticache/cluster:Cluster"
_SERVERLESS_CACHE: Final = "aws:elasticache/serverlessCache:ServerlessCache"
_DURABLE_CACHE: Final = "aws:memorydb/cluster:Cluster"
_REDIS: Final = OneOf("engine", ("redis", "valkey"))
_DATABASE: Final = "aws:rds/instance:Instance"
_DATABASES: Final = "aws:rds/cluster:Cluster"

RULES.row(
    "aws-docdb-backup",
    "A DocumentDB, Neptune, Redshift or Keyspaces database has backups of some days.",
    on=(_DOCUMENTS, _GRAPHS, _WAREHOUSE, _KEYSPACE_TABLE, _TABLE_REPLICA),
    check=ByType(
        {
            _DOCUMENTS: NotBelow("backupRetentionPeriod", "backup_retention_days"),
            _GRAPHS: Where(
                Absent("replicationSourceIdentifier"), NotBelow("backupRetentionPeriod", "backup_retention_days")
            ),
            _WAREHOUSE: AtLeast("automatedSnapshotRetentionPeriod", 1),
            _KEYSPACE_TABLE: Is("pointInTimeRecovery.status", "ENABLED"),
            _TABLE_REPLICA: Is("pointInTimeRecovery", value=True),
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
    on=(_CACHES, _CACHE, _SERVERLESS_CACHE, _DURABLE_CACHE),
    check=ByType(
        {
            _CACHES: Where(Absent("globalReplicationGroupId"), AtLeast("snapshotRetentionLimit", 1)),
            _CACHE: Where(
                All(_REDIS, Absent("replicationGroupId"), IsNot("nodeType", "cache.t1.micro")),  # it takes no snapshots
                AtLeast("snapshotRetentionLimit", 1),
            ),
            _SERVERLESS_CACHE: Where(_REDIS, AtLeast("snapshotRetentionLimit", 1)),
            _DURABLE_CACHE: AtLeast("snapshotRetentionLimit", 1),
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
        "aws:mq/broker:Broker",
        "aws:dms/replicationInstance:ReplicationInstance",
        _CACHES,
        _CACHE,
        _DURABLE_CACHE,
        _GRAPH,
        _WAREHOUSE,
    ),
    check=ByType(
        {
            "aws:mq/broker:Broker": Is("autoMinorVersionUpgrade", value=True),
            "aws:dms/replicationInstance:ReplicationInstance": Is("autoMinorVersionUpgrade", value=True),
            _CACHES: _UPDATED,
            _CACHE: Where(_REDIS, _UPDATED),
            _DURABLE_CACHE: _UPDATED,
            _GRAPH: _UPDATED,
            _WAREHOUSE: IsNot("allowVersionUpgrade", value=False),
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
    on=(_DATABASE, _DATABASES, _GRAPHS),
    check=Is("copyTagsToSnapshot", value=True),
    severity=LOW,
    rationale="Nobody knows whose a snapshot is, how sensitive it is and when it may be deleted.",
    fix="Set copyTagsToSnapshot to true.",
    peers="CKV2_AWS_60 CKV_AWS_313 CKV_AWS_362 KICS:6d3dead4",
)
RULES.row(
    "aws-cache-failover",
    "A cache in production fails over to another zone.",
    on=(_CACHES, _CACHE),
    check=ByType(
        {
            _CACHES: Where(
                Absent("globalReplicationGroupId"),
                All(Is("automaticFailoverEnabled", value=True), Is("multiAzEnabled", value=True)),
            ),
            _CACHE: Where(All(Is("engine", "memcached"), AtLeast("numCacheNodes", 2)), Is("azMode", "cross-az")),
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
    on=("aws:opensearch/domain:Domain", "aws:elasticsearch/domain:Domain"),
    check=All(Is("clusterConfig.dedicatedMasterEnabled", value=True), AtLeast("clusterConfig.dedicatedMasterCount", 3)),
    severity=LOW,
    rationale="A data node under load stops answering as master, and the whole domain turns red.",
    fix="Set clusterConfig.dedicatedMasterEnabled to true and dedicatedMasterCount to 3.",
    peers="CKV2_AWS_59 CKV_AWS_318",
    in_production=True,
)

_BALANCERS: Final = ("aws:lb/loadBalancer:LoadBalancer", "aws:alb/loadBalancer:LoadBalancer")
_CLASSIC: Final = "aws:elb/loadBalancer:LoadBalancer"

RULES.row(
    "aws-lb-cross-zone",
    "A load balancer spreads requests over all zones.",
    on=(*_BALANCERS, _CLASSIC),
    check=ByType(
        dict.fromkeys(
            _BALANCERS,
            Where(OneOf("loadBalancerType", ("network", "gateway")), Is("enableCrossZoneLoadBalancing", value=True)),
        )
        | {_CLASSIC: IsNot("crossZoneLoadBalancing", value=False)}
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
    on=("aws:lb/targetGroup:TargetGroup", "aws:alb/targetGroup:TargetGroup"),
    check=Where(
        All(OneOf("protocol", ("HTTP", "HTTPS")), IsNot("targetType", "lambda")),
        All(Given("healthCheck.path"), IsNot("healthCheck.enabled", value=False)),
    ),
    severity=LOW,
    rationale="The page at / answers while the model behind it is not loaded, so requests fail.",
    fix="Set healthCheck.path to what the application offers for it, such as /health.",
    peers="CKV_AWS_261",
)

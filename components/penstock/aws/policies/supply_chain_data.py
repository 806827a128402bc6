"""Engine versions of databases, caches and brokers on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import ELASTICACHE_CLUSTER, ELASTICACHE_REPLICATION_GROUP, MQ_BROKER, RDS_CLUSTER, RDS_INSTANCE
from penstock.policies.ended_versions import Maintained
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)

_TYPES: Final = (
    MQ_BROKER,
    ELASTICACHE_CLUSTER,
    ELASTICACHE_REPLICATION_GROUP,
    RDS_INSTANCE,
    RDS_CLUSTER,
)

RULES.row(
    "aws-engine-supported",
    "A broker, cache or database runs an engine version that AWS still patches.",
    on=_TYPES,
    check=Maintained(),
    severity=MEDIUM,
    rationale="Known flaws stay open: old PostgreSQL lets a user of the database read credentials from its host.",
    fix="Set engineVersion to a supported version, one major version at a time, and take a snapshot first.",
    sources=(
        "AWS security bulletin AWS-2022-004 <https://aws.amazon.com/security/security-bulletins/AWS-2022-004/>",
        "Amazon MQ developer guide <https://docs.aws.amazon.com/amazon-mq/latest/developer-guide/rabbitmq-version-management.html>",
        "[?] ElastiCache user guide, end of standard support of Redis OSS 4 and 5",
    ),
    peers="CKV_AWS_208 CKV_AWS_250 CKV_AWS_388 KICS:254c932d",
)

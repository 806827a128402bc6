"""Engine versions of databases, caches and brokers on AWS."""

from __future__ import annotations

from typing import Final

from penstock.rules.checks import All, ByType, Is, OneOf, Unlike, Where
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)

_BROKER: Final = "aws:mq/broker:Broker"
_CACHE: Final = "aws:elasticache/cluster:Cluster"
_CACHES: Final = "aws:elasticache/replicationGroup:ReplicationGroup"
_OLD_ACTIVEMQ: Final = r"5\.(\d|1[0-7])(\..*)?"
_OLD_RABBITMQ: Final = r"3\.(\d|1[0-2])(\..*)?"
_OLD_REDIS: Final = r"[2-5]\..*"
_POSTGRES: Final = ("aws:rds/instance:Instance", "aws:rds/cluster:Cluster")
_LEAKY_POSTGRES: Final = r"9\..*|10\.(\d|1[0-6])(\..*)?|11\.(\d|1[01])(\..*)?|12\.[0-6](\..*)?|13\.[0-2](\..*)?"
_LEAKY_AURORA: Final = r"9\..*|10\.(\d|1[0-3])(\..*)?|11\.[0-8](\..*)?"
"""Versions whose log_fdw extension reads files of the host (AWS security bulletin AWS-2022-004)."""

RULES.row(
    "aws-engine-supported",
    "A broker, cache or database runs an engine version that AWS still patches.",
    on=(_BROKER, _CACHE, _CACHES, *_POSTGRES),
    check=ByType(
        {
            _BROKER: All(
                Where(Is("engineType", "ActiveMQ"), Unlike("engineVersion", _OLD_ACTIVEMQ)),
                Where(Is("engineType", "RabbitMQ"), Unlike("engineVersion", _OLD_RABBITMQ)),
            ),
            _CACHE: Where(Is("engine", "redis"), Unlike("engineVersion", _OLD_REDIS)),
            _CACHES: Where(OneOf("engine", ("redis", None)), Unlike("engineVersion", _OLD_REDIS)),
            **dict.fromkeys(
                _POSTGRES,
                All(
                    Where(Is("engine", "postgres"), Unlike("engineVersion", _LEAKY_POSTGRES)),
                    Where(Is("engine", "aurora-postgresql"), Unlike("engineVersion", _LEAKY_AURORA)),
                ),
            ),
        }
    ),
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

"""Logins of databases and search domains on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import ELASTICSEARCH_DOMAIN, NEPTUNE_CLUSTER, OPENSEARCH_DOMAIN
from penstock.rules.checks import All, ByType, Is, IsNot
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IDENTITY)

_ENABLED: Final = Is("advancedSecurityOptions.enabled", value=True)

RULES.row(
    "aws-neptune-iam-auth",
    "A Neptune cluster requires IAM authentication.",
    on=NEPTUNE_CLUSTER,
    check=Is("iamDatabaseAuthenticationEnabled", value=True),
    severity=HIGH,
    rationale="Neptune has no passwords: everyone who reaches the port reads and changes the graph.",
    fix="Set iamDatabaseAuthenticationEnabled to true; clients then sign each request.",
    peers="CKV_AWS_359 KICS:c91d7ea0",
)
RULES.row(
    "aws-opensearch-fgac",
    "A search domain has fine-grained access control.",
    on=(OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN),
    check=ByType(
        {
            OPENSEARCH_DOMAIN: All(_ENABLED, IsNot("advancedSecurityOptions.anonymousAuthEnabled", value=True)),
            ELASTICSEARCH_DOMAIN: _ENABLED,
        }
    ),
    severity=MEDIUM,
    rationale="Everyone whom the access policy admits reads and deletes every index, also those of other teams.",
    fix="Set advancedSecurityOptions.enabled to true with masterUserOptions.masterUserArn; the domain needs HTTPS and "
    "encryption at rest and between nodes first, and an Elasticsearch domain is replaced.",
    peers="CKV2_AWS_52",
)

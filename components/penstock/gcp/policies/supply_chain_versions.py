"""Supply chain on Google Cloud: versions that get fixes, and images that a policy admits."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import (
    APPENGINE_STANDARD_APP_VERSION,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    SQL_DATABASE_INSTANCE,
)
from penstock.policies.ended_versions import Maintained
from penstock.rules.checks import All, NoneOf
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.SUPPLY_CHAIN)

_RUNTIMES: Final = (
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    APPENGINE_STANDARD_APP_VERSION,
)

RULES.row(
    "gcp-runtime-supported",
    "A function or an app runs on a runtime that still gets fixes.",
    on=_RUNTIMES,
    check=Maintained(),
    severity=MEDIUM,
    rationale="Holes in the language and its libraries stay open, and Google soon refuses new deployments.",
    fix="Set runtime (buildConfig.runtime) to a supported version, such as python313 or nodejs22.",
    sources=(
        "Cloud Run functions documentation, runtime support <https://cloud.google.com/functions/docs/runtime-support>",
    ),
)
RULES.row(
    "gcp-sql-engine-supported",
    "A database runs on an engine version that still gets fixes.",
    on=SQL_DATABASE_INSTANCE,
    check=Maintained(),
    severity=MEDIUM,
    rationale="The community closes no more holes of that version, and extended support is billed on top.",
    fix="Set databaseVersion to a supported version, such as POSTGRES_17 or MYSQL_8_4; Cloud SQL upgrades in place.",
    sources=("Cloud SQL documentation, database versions <https://cloud.google.com/sql/docs/db-versions>",),
)
RULES.row(
    "gcp-binauthz-policy",
    "Binary Authorization admits no image without a rule, and enforces the rules.",
    on="gcp:binaryauthorization/policy:Policy",
    check=All(
        NoneOf("defaultAdmissionRule.evaluationMode", ("ALWAYS_ALLOW",)),
        NoneOf("defaultAdmissionRule.enforcementMode", ("DRYRUN_AUDIT_LOG_ONLY",)),
        NoneOf("clusterAdmissionRules[].evaluationMode", ("ALWAYS_ALLOW",)),
        NoneOf("clusterAdmissionRules[].enforcementMode", ("DRYRUN_AUDIT_LOG_ONLY",)),
    ),
    severity=MEDIUM,
    rationale="Clusters that enforce the policy still run any image of the internet.",
    fix="Set evaluationMode to REQUIRE_ATTESTATION or ALWAYS_DENY and enforcementMode to "
    "ENFORCED_BLOCK_AND_AUDIT_LOG; name trusted registries in admissionWhitelistPatterns.",
    cis=("GKE 1.6: 5.1.4",),
)

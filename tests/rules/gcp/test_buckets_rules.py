"""Buckets of Cloud Storage."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import BUCKET, CLUSTER

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

FOLDERS = {"hierarchicalNamespace": {"enabled": True}}
UNIFORM = {"uniformBucketLevelAccess": True}
ON = {"enabled": True}


def bucket(**inputs: Any) -> Program:
    """A bucket."""
    return {"it": (BUCKET, inputs)}


def ageing(**action: Any) -> Program:
    """A bucket whose objects change in time."""
    return bucket(lifecycleRules=[{"action": action, "condition": {"age": 30}}])


def rapid(*places: Any, **inputs: Any) -> Program:
    """A bucket in a zone."""
    made = {"storageClass": "RAPID", "location": "US-CENTRAL1", **inputs}
    return bucket(**made, customPlacementConfig={"dataLocations": list(places)})


def paired(*places: Any, location: Any = "US") -> Program:
    """A bucket in two regions."""
    return bucket(location=location, customPlacementConfig={"dataLocations": list(places)})


def beside(location: Any) -> Program:
    """A bucket, and a cluster in us-central1."""
    return {"cluster": (CLUSTER, {"location": "us-central1"}), **bucket(location=location)}


CASES = [
    Case("GCP-GCS-001", PASS, bucket(name="acme-train-data")),
    Case("GCP-GCS-001", FAIL, bucket(name="Acme_Data"), path="name", says="acme-train-data"),
    Case("GCP-GCS-001", FAIL, bucket(name="my-google-data"), path="name", says="google"),
    Case("GCP-GCS-001", CANNOT_TELL, bucket(name=UNKNOWN)),
    Case("GCP-GCS-001", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-002", PASS, bucket(storageClass="NEARLINE")),
    Case("GCP-GCS-002", FAIL, bucket(storageClass="COLD"), path="storageClass", says="COLDLINE"),
    Case("GCP-GCS-002", FAIL, ageing(type="SetStorageClass"), path="lifecycleRules[0].action.storageClass"),
    Case(
        "GCP-GCS-002",
        FAIL,
        ageing(type="SetStorageClass", storageClass="GLACIER"),
        path="lifecycleRules[0].action.storageClass",
        says="ARCHIVE",
    ),
    Case("GCP-GCS-002", CANNOT_TELL, bucket(storageClass=UNKNOWN)),
    Case("GCP-GCS-002", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-003", PASS, bucket(**FOLDERS, **UNIFORM, versioning={"enabled": False})),
    Case("GCP-GCS-003", FAIL, bucket(**FOLDERS), path="uniformBucketLevelAccess", says="true"),
    Case("GCP-GCS-003", FAIL, bucket(**FOLDERS, **UNIFORM, versioning=ON), path="versioning", says="soft delete"),
    Case("GCP-GCS-003", PASS, bucket(**FOLDERS, **UNIFORM, autoclass=ON)),
    Case("GCP-GCS-003", CANNOT_TELL, bucket(**FOLDERS, **UNIFORM, versioning=UNKNOWN)),
    Case("GCP-GCS-003", NOT_APPLICABLE, bucket(versioning=ON)),
    Case("GCP-GCS-004", PASS, bucket(**FOLDERS)),
    Case(
        "GCP-GCS-004", FAIL, bucket(**FOLDERS, enableObjectRetention=True), path="enableObjectRetention", says="Leave"
    ),
    Case("GCP-GCS-004", CANNOT_TELL, bucket(**FOLDERS, enableObjectRetention=UNKNOWN)),
    Case("GCP-GCS-004", NOT_APPLICABLE, bucket(enableObjectRetention=True)),
    Case("GCP-GCS-005", PASS, bucket(softDeletePolicy={"retentionDurationSeconds": 604800})),
    Case("GCP-GCS-005", PASS, bucket(softDeletePolicy={"retentionDurationSeconds": 0})),
    Case(
        "GCP-GCS-005",
        FAIL,
        bucket(softDeletePolicy={"retentionDurationSeconds": 86400}),
        path="softDeletePolicy.retentionDurationSeconds",
        says="604800",
    ),
    Case(
        "GCP-GCS-005",
        FAIL,
        bucket(softDeletePolicy={"retentionDurationSeconds": 7776001}),
        path="softDeletePolicy.retentionDurationSeconds",
        says="7776000",
    ),
    Case("GCP-GCS-005", CANNOT_TELL, bucket(softDeletePolicy={"retentionDurationSeconds": UNKNOWN})),
    Case("GCP-GCS-005", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-006", PASS, bucket(retentionPolicy={"retentionPeriod": "2592000"})),
    Case("GCP-GCS-006", FAIL, bucket(retentionPolicy={"retentionPeriod": "0"}), path="retentionPolicy.retentionPeriod"),
    Case(
        "GCP-GCS-006",
        FAIL,
        bucket(retentionPolicy={"retentionPeriod": "4000000000"}),
        path="retentionPolicy.retentionPeriod",
        says="3155760000",
    ),
    Case("GCP-GCS-006", CANNOT_TELL, bucket(retentionPolicy={"retentionPeriod": UNKNOWN})),
    Case("GCP-GCS-006", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-007", PASS, bucket(publicAccessPrevention="enforced")),
    Case(
        "GCP-GCS-007", FAIL, bucket(publicAccessPrevention="ENFORCED"), path="publicAccessPrevention", says="enforced"
    ),
    Case("GCP-GCS-007", CANNOT_TELL, bucket(publicAccessPrevention=UNKNOWN)),
    Case("GCP-GCS-007", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-008", PASS, bucket(location="US")),
    Case("GCP-GCS-008", PASS, bucket(location="EUROPE-WEST4")),
    Case("GCP-GCS-008", FAIL, bucket(location="us-central1-b"), path="location", says="us-central1"),
    Case("GCP-GCS-008", FAIL, bucket(location="us-centre1"), path="location", says="us-central1"),
    Case("GCP-GCS-008", FAIL, bucket(location="EUROPE"), path="location", says="eu"),
    Case("GCP-GCS-008", CANNOT_TELL, bucket(location=UNKNOWN)),
    Case("GCP-GCS-008", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-009", PASS, bucket(location="NAM4", rpo="ASYNC_TURBO")),
    Case("GCP-GCS-009", FAIL, bucket(location="us-central1", rpo="DEFAULT"), path="rpo", says="Leave"),
    Case("GCP-GCS-009", FAIL, bucket(location="US", rpo="ASYNC_TURBO"), path="rpo", says="DEFAULT"),
    Case("GCP-GCS-009", CANNOT_TELL, bucket(location=UNKNOWN, rpo="DEFAULT")),
    Case("GCP-GCS-009", NOT_APPLICABLE, bucket(location="US")),
    Case("GCP-GCS-010", PASS, rapid("us-central1-b", **FOLDERS)),
    Case("GCP-GCS-010", FAIL, rapid("us-east1-b", **FOLDERS), path="customPlacementConfig", says="us-central1"),
    Case("GCP-GCS-010", FAIL, rapid("us-central1-b"), path="hierarchicalNamespace", says="true"),
    Case("GCP-GCS-010", CANNOT_TELL, rapid(UNKNOWN, **FOLDERS)),
    Case("GCP-GCS-010", NOT_APPLICABLE, bucket(storageClass="STANDARD")),
    Case("GCP-GCS-011", PASS, ageing(type="Delete")),
    Case("GCP-GCS-011", FAIL, ageing(type="delete"), path="lifecycleRules[0].action.type", says="Delete"),
    Case("GCP-GCS-011", CANNOT_TELL, ageing(type=UNKNOWN)),
    Case("GCP-GCS-011", NOT_APPLICABLE, bucket()),
    Case("GCP-GCS-012", PASS, bucket(autoclass={"enabled": True, "terminalStorageClass": "ARCHIVE"})),
    Case(
        "GCP-GCS-012",
        FAIL,
        bucket(autoclass={"enabled": True, "terminalStorageClass": "COLDLINE"}),
        path="autoclass.terminalStorageClass",
        says="NEARLINE",
    ),
    Case("GCP-GCS-012", FAIL, bucket(autoclass=ON, storageClass="NEARLINE"), path="storageClass", says="Leave"),
    Case("GCP-GCS-012", CANNOT_TELL, bucket(autoclass=UNKNOWN)),
    Case("GCP-GCS-012", NOT_APPLICABLE, bucket(storageClass="NEARLINE")),
    Case("GCP-GCS-013", PASS, beside("US-CENTRAL1")),
    Case("GCP-GCS-013", FAIL, beside("europe-west4"), path="location", says="us-central1"),
    Case("GCP-GCS-013", CANNOT_TELL, beside(UNKNOWN)),
    Case("GCP-GCS-013", NOT_APPLICABLE, beside("US")),
    Case("GCP-GCS-014", PASS, paired("US-CENTRAL1", "US-EAST1")),
    Case("GCP-GCS-014", FAIL, paired("US-CENTRAL1"), path="customPlacementConfig.dataLocations", says="two regions"),
    Case("GCP-GCS-014", FAIL, paired("US-EAST1", "us-east1"), path="customPlacementConfig.dataLocations"),
    Case("GCP-GCS-014", FAIL, paired("US", "US-EAST1"), path="customPlacementConfig.dataLocations"),
    Case("GCP-GCS-014", FAIL, paired("US-CENTRAL1", "US-EAST1", location="US-EAST1"), path="location", says="US, EU"),
    Case("GCP-GCS-014", CANNOT_TELL, paired("US-CENTRAL1", UNKNOWN)),
    Case("GCP-GCS-014", NOT_APPLICABLE, rapid("us-central1-a")),
    Case("GCP-GCS-014", NOT_APPLICABLE, bucket(location="US")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bucket_rule_says_what_google_would(case: Case) -> None:
    check(case)

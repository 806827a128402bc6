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
    Case("gcp-gcs-bucket-name", PASS, bucket(name="acme-train-data")),
    Case("gcp-gcs-bucket-name", FAIL, bucket(name="Acme_Data"), path="name", says="acme-train-data"),
    Case("gcp-gcs-bucket-name", FAIL, bucket(name="my-google-data"), path="name", says="google"),
    Case("gcp-gcs-bucket-name", CANNOT_TELL, bucket(name=UNKNOWN)),
    Case("gcp-gcs-bucket-name", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-storage-class", PASS, bucket(storageClass="NEARLINE")),
    Case("gcp-gcs-storage-class", FAIL, bucket(storageClass="COLD"), path="storageClass", says="COLDLINE"),
    Case("gcp-gcs-storage-class", FAIL, ageing(type="SetStorageClass"), path="lifecycleRules[0].action.storageClass"),
    Case(
        "gcp-gcs-storage-class",
        FAIL,
        ageing(type="SetStorageClass", storageClass="GLACIER"),
        path="lifecycleRules[0].action.storageClass",
        says="ARCHIVE",
    ),
    Case("gcp-gcs-storage-class", CANNOT_TELL, bucket(storageClass=UNKNOWN)),
    Case("gcp-gcs-storage-class", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-hns-settings", PASS, bucket(**FOLDERS, **UNIFORM, versioning={"enabled": False})),
    Case("gcp-gcs-hns-settings", FAIL, bucket(**FOLDERS), path="uniformBucketLevelAccess", says="true"),
    Case(
        "gcp-gcs-hns-settings", FAIL, bucket(**FOLDERS, **UNIFORM, versioning=ON), path="versioning", says="soft delete"
    ),
    Case("gcp-gcs-hns-settings", PASS, bucket(**FOLDERS, **UNIFORM, autoclass=ON)),
    Case("gcp-gcs-hns-settings", CANNOT_TELL, bucket(**FOLDERS, **UNIFORM, versioning=UNKNOWN)),
    Case("gcp-gcs-hns-settings", NOT_APPLICABLE, bucket(versioning=ON)),
    Case("gcp-gcs-hns-object-retention", PASS, bucket(**FOLDERS)),
    Case(
        "gcp-gcs-hns-object-retention",
        FAIL,
        bucket(**FOLDERS, enableObjectRetention=True),
        path="enableObjectRetention",
        says="Leave",
    ),
    Case("gcp-gcs-hns-object-retention", CANNOT_TELL, bucket(**FOLDERS, enableObjectRetention=UNKNOWN)),
    Case("gcp-gcs-hns-object-retention", NOT_APPLICABLE, bucket(enableObjectRetention=True)),
    Case("gcp-gcs-soft-delete-days", PASS, bucket(softDeletePolicy={"retentionDurationSeconds": 604800})),
    Case("gcp-gcs-soft-delete-days", PASS, bucket(softDeletePolicy={"retentionDurationSeconds": 0})),
    Case(
        "gcp-gcs-soft-delete-days",
        FAIL,
        bucket(softDeletePolicy={"retentionDurationSeconds": 86400}),
        path="softDeletePolicy.retentionDurationSeconds",
        says="604800",
    ),
    Case(
        "gcp-gcs-soft-delete-days",
        FAIL,
        bucket(softDeletePolicy={"retentionDurationSeconds": 7776001}),
        path="softDeletePolicy.retentionDurationSeconds",
        says="7776000",
    ),
    Case("gcp-gcs-soft-delete-days", CANNOT_TELL, bucket(softDeletePolicy={"retentionDurationSeconds": UNKNOWN})),
    Case("gcp-gcs-soft-delete-days", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-retention-period", PASS, bucket(retentionPolicy={"retentionPeriod": "2592000"})),
    Case(
        "gcp-gcs-retention-period",
        FAIL,
        bucket(retentionPolicy={"retentionPeriod": "0"}),
        path="retentionPolicy.retentionPeriod",
    ),
    Case(
        "gcp-gcs-retention-period",
        FAIL,
        bucket(retentionPolicy={"retentionPeriod": "4000000000"}),
        path="retentionPolicy.retentionPeriod",
        says="3155760000",
    ),
    Case("gcp-gcs-retention-period", CANNOT_TELL, bucket(retentionPolicy={"retentionPeriod": UNKNOWN})),
    Case("gcp-gcs-retention-period", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-pap-value", PASS, bucket(publicAccessPrevention="enforced")),
    Case(
        "gcp-gcs-pap-value",
        FAIL,
        bucket(publicAccessPrevention="ENFORCED"),
        path="publicAccessPrevention",
        says="enforced",
    ),
    Case("gcp-gcs-pap-value", CANNOT_TELL, bucket(publicAccessPrevention=UNKNOWN)),
    Case("gcp-gcs-pap-value", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-location", PASS, bucket(location="US")),
    Case("gcp-gcs-location", PASS, bucket(location="EUROPE-WEST4")),
    Case("gcp-gcs-location", FAIL, bucket(location="us-central1-b"), path="location", says="us-central1"),
    Case("gcp-gcs-location", FAIL, bucket(location="us-centre1"), path="location", says="us-central1"),
    Case("gcp-gcs-location", FAIL, bucket(location="EUROPE"), path="location", says="eu"),
    Case("gcp-gcs-location", CANNOT_TELL, bucket(location=UNKNOWN)),
    Case("gcp-gcs-location", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-rpo", PASS, bucket(location="NAM4", rpo="ASYNC_TURBO")),
    Case("gcp-gcs-rpo", FAIL, bucket(location="us-central1", rpo="DEFAULT"), path="rpo", says="Leave"),
    Case("gcp-gcs-rpo", FAIL, bucket(location="US", rpo="ASYNC_TURBO"), path="rpo", says="DEFAULT"),
    Case("gcp-gcs-rpo", CANNOT_TELL, bucket(location=UNKNOWN, rpo="DEFAULT")),
    Case("gcp-gcs-rpo", NOT_APPLICABLE, bucket(location="US")),
    Case("gcp-gcs-rapid-zone", PASS, rapid("us-central1-b", **FOLDERS)),
    Case("gcp-gcs-rapid-zone", FAIL, rapid("us-east1-b", **FOLDERS), path="customPlacementConfig", says="us-central1"),
    Case("gcp-gcs-rapid-zone", FAIL, rapid("us-central1-b"), path="hierarchicalNamespace", says="true"),
    Case("gcp-gcs-rapid-zone", CANNOT_TELL, rapid(UNKNOWN, **FOLDERS)),
    Case("gcp-gcs-rapid-zone", NOT_APPLICABLE, bucket(storageClass="STANDARD")),
    Case("gcp-gcs-lifecycle-action", PASS, ageing(type="Delete")),
    Case("gcp-gcs-lifecycle-action", FAIL, ageing(type="delete"), path="lifecycleRules[0].action.type", says="Delete"),
    Case("gcp-gcs-lifecycle-action", CANNOT_TELL, ageing(type=UNKNOWN)),
    Case("gcp-gcs-lifecycle-action", NOT_APPLICABLE, bucket()),
    Case("gcp-gcs-autoclass", PASS, bucket(autoclass={"enabled": True, "terminalStorageClass": "ARCHIVE"})),
    Case(
        "gcp-gcs-autoclass",
        FAIL,
        bucket(autoclass={"enabled": True, "terminalStorageClass": "COLDLINE"}),
        path="autoclass.terminalStorageClass",
        says="NEARLINE",
    ),
    Case("gcp-gcs-autoclass", FAIL, bucket(autoclass=ON, storageClass="NEARLINE"), path="storageClass", says="Leave"),
    Case("gcp-gcs-autoclass", CANNOT_TELL, bucket(autoclass=UNKNOWN)),
    Case("gcp-gcs-autoclass", NOT_APPLICABLE, bucket(storageClass="NEARLINE")),
    Case("gcp-gcs-cluster-region", PASS, beside("US-CENTRAL1")),
    Case("gcp-gcs-cluster-region", FAIL, beside("europe-west4"), path="location", says="us-central1"),
    Case("gcp-gcs-cluster-region", CANNOT_TELL, beside(UNKNOWN)),
    Case("gcp-gcs-cluster-region", NOT_APPLICABLE, beside("US")),
    Case("gcp-gcs-dual-region", PASS, paired("US-CENTRAL1", "US-EAST1")),
    Case(
        "gcp-gcs-dual-region",
        FAIL,
        paired("US-CENTRAL1"),
        path="customPlacementConfig.dataLocations",
        says="two regions",
    ),
    Case("gcp-gcs-dual-region", FAIL, paired("US-EAST1", "us-east1"), path="customPlacementConfig.dataLocations"),
    Case("gcp-gcs-dual-region", FAIL, paired("US", "US-EAST1"), path="customPlacementConfig.dataLocations"),
    Case(
        "gcp-gcs-dual-region",
        FAIL,
        paired("US-CENTRAL1", "US-EAST1", location="US-EAST1"),
        path="location",
        says="US, EU",
    ),
    Case("gcp-gcs-dual-region", CANNOT_TELL, paired("US-CENTRAL1", UNKNOWN)),
    Case("gcp-gcs-dual-region", NOT_APPLICABLE, rapid("us-central1-a")),
    Case("gcp-gcs-dual-region", NOT_APPLICABLE, bucket(location="US")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bucket_rule_says_what_google_would(case: Case) -> None:
    check(case)

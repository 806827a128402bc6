"""Filestore: what Google sells and accepts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import FILESTORE

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def instance(tier: Any = "ZONAL", **inputs: Any) -> Program:
    """An instance."""
    return {"it": (FILESTORE, {"tier": tier, **inputs})}


def share(tier: Any, capacity: Any, name: Any = "home") -> Program:
    """An instance with a share."""
    return instance(tier, fileShares={"capacityGb": capacity, "name": name})


CASES = [
    Case("GCP-FILE-001", PASS, instance("REGIONAL")),
    Case("GCP-FILE-001", PASS, instance("PREMIUM")),
    Case("GCP-FILE-001", FAIL, instance("FAST"), path="tier", says="ZONAL"),
    Case("GCP-FILE-001", CANNOT_TELL, instance(UNKNOWN)),
    Case("GCP-FILE-001", NOT_APPLICABLE, instance(None)),
    Case("GCP-FILE-002", PASS, share("ZONAL", 1024)),
    Case("GCP-FILE-002", PASS, share("ZONAL", 12800)),
    Case("GCP-FILE-002", FAIL, share("ZONAL", 1000), path="fileShares.capacityGb", says="1024"),
    Case("GCP-FILE-002", FAIL, share("BASIC_SSD", 1024), path="fileShares.capacityGb", says="2560"),
    Case("GCP-FILE-002", CANNOT_TELL, share("ZONAL", UNKNOWN)),
    Case("GCP-FILE-002", NOT_APPLICABLE, share("FAST", 1024)),
    Case("GCP-FILE-003", PASS, instance("REGIONAL", location="us-central1")),
    Case("GCP-FILE-003", PASS, instance("BASIC_HDD", zone="us-central1-b")),
    Case("GCP-FILE-003", FAIL, instance("ZONAL", location="us-central1"), path="location", says="us-central1-b"),
    Case("GCP-FILE-003", FAIL, instance("ENTERPRISE", location="us-central1-b"), path="location", says="a region"),
    Case("GCP-FILE-003", CANNOT_TELL, instance("ZONAL", location=UNKNOWN)),
    Case("GCP-FILE-003", NOT_APPLICABLE, instance("ZONAL")),
    Case("GCP-FILE-004", PASS, instance("ZONAL", protocol="NFS_V4_1")),
    Case("GCP-FILE-004", FAIL, instance("BASIC_SSD", protocol="NFS_V4_1"), path="protocol", says="NFS_V3"),
    Case("GCP-FILE-004", CANNOT_TELL, instance("ZONAL", protocol=UNKNOWN)),
    Case("GCP-FILE-004", NOT_APPLICABLE, instance("ZONAL")),
    Case("GCP-FILE-005", PASS, instance("ZONAL", deletionProtectionEnabled=True)),
    Case(
        "GCP-FILE-005",
        FAIL,
        instance("BASIC_HDD", deletionProtectionEnabled=True),
        path="deletionProtectionEnabled",
        says="REGIONAL",
    ),
    Case("GCP-FILE-005", CANNOT_TELL, instance("ZONAL", deletionProtectionEnabled=UNKNOWN)),
    Case("GCP-FILE-005", NOT_APPLICABLE, instance("BASIC_HDD")),
    Case("GCP-FILE-006", PASS, instance("ZONAL", kmsKeyName=UNKNOWN)),
    Case("GCP-FILE-006", FAIL, instance("BASIC_SSD", kmsKeyName="key"), path="kmsKeyName", says="ENTERPRISE"),
    Case("GCP-FILE-006", CANNOT_TELL, instance(UNKNOWN, kmsKeyName="key")),
    Case("GCP-FILE-006", NOT_APPLICABLE, instance("BASIC_SSD")),
    Case("GCP-FILE-007", PASS, share("ZONAL", 1024, "shared_by_the_whole_team")),
    Case("GCP-FILE-007", FAIL, share("ZONAL", 1024, "home-dirs"), path="fileShares.name", says="a letter first"),
    Case("GCP-FILE-007", FAIL, share("BASIC_HDD", 1024, "shared_by_the_whole_team"), path="fileShares.name", says="16"),
    Case("GCP-FILE-007", CANNOT_TELL, share("ZONAL", 1024, UNKNOWN)),
    Case("GCP-FILE-007", NOT_APPLICABLE, instance()),
    Case("GCP-FILE-008", PASS, instance(networks=[{"network": "net"}])),
    Case("GCP-FILE-008", FAIL, instance(networks=[{}, {}]), path="networks", says="Keep one"),
    Case("GCP-FILE-008", FAIL, instance(networks=[]), path="networks", says="no network"),
    Case("GCP-FILE-008", CANNOT_TELL, instance(networks=UNKNOWN)),
    Case("GCP-FILE-008", NOT_APPLICABLE, instance(networks="net")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_filestore_rule_says_what_google_would(case: Case) -> None:
    check(case)

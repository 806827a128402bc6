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
    Case("gcp-filestore-tier", PASS, instance("REGIONAL")),
    Case("gcp-filestore-tier", PASS, instance("PREMIUM")),
    Case("gcp-filestore-tier", FAIL, instance("FAST"), path="tier", says="ZONAL"),
    Case("gcp-filestore-tier", CANNOT_TELL, instance(UNKNOWN)),
    Case("gcp-filestore-tier", NOT_APPLICABLE, instance(None)),
    Case("gcp-filestore-capacity", PASS, share("ZONAL", 1024)),
    Case("gcp-filestore-capacity", PASS, share("ZONAL", 12800)),
    Case("gcp-filestore-capacity", FAIL, share("ZONAL", 1000), path="fileShares.capacityGb", says="1024"),
    Case("gcp-filestore-capacity", FAIL, share("BASIC_SSD", 1024), path="fileShares.capacityGb", says="2560"),
    Case("gcp-filestore-capacity", CANNOT_TELL, share("ZONAL", UNKNOWN)),
    Case("gcp-filestore-capacity", NOT_APPLICABLE, share("FAST", 1024)),
    Case("gcp-filestore-location", PASS, instance("REGIONAL", location="us-central1")),
    Case("gcp-filestore-location", PASS, instance("BASIC_HDD", zone="us-central1-b")),
    Case(
        "gcp-filestore-location", FAIL, instance("ZONAL", location="us-central1"), path="location", says="us-central1-b"
    ),
    Case(
        "gcp-filestore-location",
        FAIL,
        instance("ENTERPRISE", location="us-central1-b"),
        path="location",
        says="a region",
    ),
    Case("gcp-filestore-location", CANNOT_TELL, instance("ZONAL", location=UNKNOWN)),
    Case("gcp-filestore-location", NOT_APPLICABLE, instance("ZONAL")),
    Case("gcp-filestore-protocol", PASS, instance("ZONAL", protocol="NFS_V4_1")),
    Case("gcp-filestore-protocol", FAIL, instance("BASIC_SSD", protocol="NFS_V4_1"), path="protocol", says="NFS_V3"),
    Case("gcp-filestore-protocol", CANNOT_TELL, instance("ZONAL", protocol=UNKNOWN)),
    Case("gcp-filestore-protocol", NOT_APPLICABLE, instance("ZONAL")),
    Case("gcp-filestore-protection-tier", PASS, instance("ZONAL", deletionProtectionEnabled=True)),
    Case(
        "gcp-filestore-protection-tier",
        FAIL,
        instance("BASIC_HDD", deletionProtectionEnabled=True),
        path="deletionProtectionEnabled",
        says="REGIONAL",
    ),
    Case("gcp-filestore-protection-tier", CANNOT_TELL, instance("ZONAL", deletionProtectionEnabled=UNKNOWN)),
    Case("gcp-filestore-protection-tier", NOT_APPLICABLE, instance("BASIC_HDD")),
    Case("gcp-filestore-cmek-tier", PASS, instance("ZONAL", kmsKeyName=UNKNOWN)),
    Case(
        "gcp-filestore-cmek-tier", FAIL, instance("BASIC_SSD", kmsKeyName="key"), path="kmsKeyName", says="ENTERPRISE"
    ),
    Case("gcp-filestore-cmek-tier", CANNOT_TELL, instance(UNKNOWN, kmsKeyName="key")),
    Case("gcp-filestore-cmek-tier", NOT_APPLICABLE, instance("BASIC_SSD")),
    Case("gcp-filestore-share-name", PASS, share("ZONAL", 1024, "shared_by_the_whole_team")),
    Case(
        "gcp-filestore-share-name",
        FAIL,
        share("ZONAL", 1024, "home-dirs"),
        path="fileShares.name",
        says="a letter first",
    ),
    Case(
        "gcp-filestore-share-name",
        FAIL,
        share("BASIC_HDD", 1024, "shared_by_the_whole_team"),
        path="fileShares.name",
        says="16",
    ),
    Case("gcp-filestore-share-name", CANNOT_TELL, share("ZONAL", 1024, UNKNOWN)),
    Case("gcp-filestore-share-name", NOT_APPLICABLE, instance()),
    Case("gcp-filestore-network-count", PASS, instance(networks=[{"network": "net"}])),
    Case("gcp-filestore-network-count", FAIL, instance(networks=[{}, {}]), path="networks", says="Keep one"),
    Case("gcp-filestore-network-count", FAIL, instance(networks=[]), path="networks", says="no network"),
    Case("gcp-filestore-network-count", CANNOT_TELL, instance(networks=UNKNOWN)),
    Case("gcp-filestore-network-count", NOT_APPLICABLE, instance(networks="net")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_filestore_rule_says_what_google_would(case: Case) -> None:
    check(case)

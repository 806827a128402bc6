"""Cloud SQL."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import DATABASE

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def database(version: str = "POSTGRES_17", **settings: Any) -> Program:
    """An instance."""
    return {"it": (DATABASE, {"databaseVersion": version, "settings": settings})}


def doubled(version: str = "POSTGRES_17", **backups: Any) -> Program:
    """An instance in two zones."""
    return database(version, availabilityType="REGIONAL", backupConfiguration=backups)


def reached(**addresses: Any) -> Program:
    """An instance with these addresses."""
    return database(ipConfiguration=addresses)


HIDDEN: Program = {"it": (DATABASE, {"settings": UNKNOWN})}

CASES = [
    Case("GCP-SQL-001", PASS, doubled(enabled=True, pointInTimeRecoveryEnabled=True)),
    Case("GCP-SQL-001", PASS, doubled("MYSQL_8_4", enabled=True, binaryLogEnabled=True)),
    Case(
        "GCP-SQL-001",
        FAIL,
        doubled(enabled=True),
        path="settings.backupConfiguration.pointInTimeRecoveryEnabled",
        says="true",
    ),
    Case("GCP-SQL-001", FAIL, doubled(), path="settings.backupConfiguration", says="enabled"),
    Case("GCP-SQL-001", CANNOT_TELL, HIDDEN),
    Case("GCP-SQL-001", NOT_APPLICABLE, database(availabilityType="ZONAL")),
    Case("GCP-SQL-002", PASS, reached(ipv4Enabled=False, privateNetwork=UNKNOWN)),
    Case("GCP-SQL-002", PASS, reached(ipv4Enabled=False, pscConfigs=[{"pscEnabled": True}])),
    Case(
        "GCP-SQL-002", FAIL, reached(ipv4Enabled=False), path="settings.ipConfiguration.privateNetwork", says="neither"
    ),
    Case("GCP-SQL-002", CANNOT_TELL, reached(ipv4Enabled=UNKNOWN)),
    Case("GCP-SQL-002", NOT_APPLICABLE, reached()),
    Case("GCP-SQL-003", PASS, database(tier="db-custom-2-7680")),
    Case("GCP-SQL-003", PASS, database(tier="db-perf-optimized-N-8")),
    Case("GCP-SQL-003", FAIL, database(tier="db-custom-3-7680"), path="settings.tier", says="db-custom-4-7680"),
    Case("GCP-SQL-003", FAIL, database(tier="db-custom-2-7500"), path="settings.tier", says="db-custom-2-7424"),
    Case("GCP-SQL-003", FAIL, database(tier="n2-standard-4"), path="settings.tier", says="db-custom-2-7680"),
    Case("GCP-SQL-003", FAIL, database(tier="db-custom-2"), path="settings.tier", says="db-custom-2-7680"),
    Case("GCP-SQL-003", CANNOT_TELL, database(tier=UNKNOWN)),
    Case("GCP-SQL-003", NOT_APPLICABLE, database()),
    Case("GCP-SQL-004", PASS, database(tier="db-custom-2-7680", edition="ENTERPRISE")),
    Case("GCP-SQL-004", FAIL, database(tier="db-custom-2-7680", edition="ENTERPRISE_PLUS"), path="settings.edition"),
    Case(
        "GCP-SQL-004",
        FAIL,
        database(tier="db-perf-optimized-N-8", edition="ENTERPRISE"),
        path="settings.edition",
        says="ENTERPRISE_PLUS",
    ),
    Case("GCP-SQL-004", CANNOT_TELL, database(tier="db-custom-2-7680", edition=UNKNOWN)),
    Case("GCP-SQL-004", NOT_APPLICABLE, database(tier="db-custom-2-7680")),
    Case("GCP-SQL-005", PASS, doubled("MYSQL_8_4", binaryLogEnabled=True)),
    Case("GCP-SQL-005", FAIL, doubled(binaryLogEnabled=True), path="settings.backupConfiguration.binaryLogEnabled"),
    Case("GCP-SQL-005", CANNOT_TELL, doubled(binaryLogEnabled=UNKNOWN)),
    Case("GCP-SQL-005", NOT_APPLICABLE, doubled()),
    Case("GCP-SQL-006", PASS, database(diskSize=500)),
    Case("GCP-SQL-006", FAIL, database(diskSize=5), path="settings.diskSize", says="10 to 65536"),
    Case("GCP-SQL-006", FAIL, database(diskSize=70000), path="settings.diskSize", says="70000 GB"),
    Case("GCP-SQL-006", CANNOT_TELL, database(diskSize=UNKNOWN)),
    Case("GCP-SQL-006", NOT_APPLICABLE, database()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_database_rule_says_what_google_would(case: Case) -> None:
    check(case)

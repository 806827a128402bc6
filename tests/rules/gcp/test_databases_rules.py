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
    Case("gcp-sql-ha-backup", PASS, doubled(enabled=True, pointInTimeRecoveryEnabled=True)),
    Case("gcp-sql-ha-backup", PASS, doubled("MYSQL_8_4", enabled=True, binaryLogEnabled=True)),
    Case(
        "gcp-sql-ha-backup",
        FAIL,
        doubled(enabled=True),
        path="settings.backupConfiguration.pointInTimeRecoveryEnabled",
        says="true",
    ),
    Case("gcp-sql-ha-backup", FAIL, doubled(), path="settings.backupConfiguration", says="enabled"),
    Case("gcp-sql-ha-backup", CANNOT_TELL, HIDDEN),
    Case("gcp-sql-ha-backup", NOT_APPLICABLE, database(availabilityType="ZONAL")),
    Case("gcp-sql-ip-configuration", PASS, reached(ipv4Enabled=False, privateNetwork=UNKNOWN)),
    Case("gcp-sql-ip-configuration", PASS, reached(ipv4Enabled=False, pscConfigs=[{"pscEnabled": True}])),
    Case(
        "gcp-sql-ip-configuration",
        FAIL,
        reached(ipv4Enabled=False),
        path="settings.ipConfiguration.privateNetwork",
        says="neither",
    ),
    Case("gcp-sql-ip-configuration", CANNOT_TELL, reached(ipv4Enabled=UNKNOWN)),
    Case("gcp-sql-ip-configuration", NOT_APPLICABLE, reached()),
    Case("gcp-sql-tier", PASS, database(tier="db-custom-2-7680")),
    Case("gcp-sql-tier", PASS, database(tier="db-perf-optimized-N-8")),
    Case("gcp-sql-tier", FAIL, database(tier="db-custom-3-7680"), path="settings.tier", says="db-custom-4-7680"),
    Case("gcp-sql-tier", FAIL, database(tier="db-custom-2-7500"), path="settings.tier", says="db-custom-2-7424"),
    Case("gcp-sql-tier", FAIL, database(tier="n2-standard-4"), path="settings.tier", says="db-custom-2-7680"),
    Case("gcp-sql-tier", FAIL, database(tier="db-custom-2"), path="settings.tier", says="db-custom-2-7680"),
    Case("gcp-sql-tier", CANNOT_TELL, database(tier=UNKNOWN)),
    Case("gcp-sql-tier", NOT_APPLICABLE, database()),
    Case("gcp-sql-tier-edition", PASS, database(tier="db-custom-2-7680", edition="ENTERPRISE")),
    Case(
        "gcp-sql-tier-edition",
        FAIL,
        database(tier="db-custom-2-7680", edition="ENTERPRISE_PLUS"),
        path="settings.edition",
    ),
    Case(
        "gcp-sql-tier-edition",
        FAIL,
        database(tier="db-perf-optimized-N-8", edition="ENTERPRISE"),
        path="settings.edition",
        says="ENTERPRISE_PLUS",
    ),
    Case("gcp-sql-tier-edition", CANNOT_TELL, database(tier="db-custom-2-7680", edition=UNKNOWN)),
    Case("gcp-sql-tier-edition", NOT_APPLICABLE, database(tier="db-custom-2-7680")),
    Case("gcp-sql-binary-log", PASS, doubled("MYSQL_8_4", binaryLogEnabled=True)),
    Case(
        "gcp-sql-binary-log", FAIL, doubled(binaryLogEnabled=True), path="settings.backupConfiguration.binaryLogEnabled"
    ),
    Case("gcp-sql-binary-log", CANNOT_TELL, doubled(binaryLogEnabled=UNKNOWN)),
    Case("gcp-sql-binary-log", NOT_APPLICABLE, doubled()),
    Case("gcp-sql-disk-size", PASS, database(diskSize=500)),
    Case("gcp-sql-disk-size", FAIL, database(diskSize=5), path="settings.diskSize", says="10 to 65536"),
    Case("gcp-sql-disk-size", FAIL, database(diskSize=70000), path="settings.diskSize", says="70000 GB"),
    Case("gcp-sql-disk-size", CANNOT_TELL, database(diskSize=UNKNOWN)),
    Case("gcp-sql-disk-size", NOT_APPLICABLE, database()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_database_rule_says_what_google_would(case: Case) -> None:
    check(case)

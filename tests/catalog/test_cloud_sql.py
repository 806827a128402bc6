"""The database that Penstock asks Cloud SQL for is one that Google sells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import googleapiclient.discovery_cache
import pytest

from penstock.core.errors import UnknownFact
from penstock.gcp.facts import cloud_sql


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    path = Path(googleapiclient.discovery_cache.__file__).parent / "documents" / "sqladmin.v1.json"
    found: dict[str, Any] = json.loads(path.read_text())["schemas"]
    return found


def test_its_words_are_words_of_the_api(schemas: dict[str, Any]) -> None:
    postgres = cloud_sql.find_engine("postgres")
    settings = schemas["Settings"]["properties"]

    assert postgres.version in schemas["DatabaseInstance"]["properties"]["databaseVersion"]["enum"]
    assert postgres.edition in settings["edition"]["enum"]
    assert postgres.disk_type in settings["dataDiskType"]["enum"]


def test_logs_are_kept_no_longer_than_the_api_allows(schemas: dict[str, Any]) -> None:
    described = schemas["BackupConfiguration"]["properties"]["transactionLogRetentionDays"]["description"]

    assert described.endswith(f"from 1-{cloud_sql.find_engine('postgres').log_days}.")


def test_its_tier_says_its_processors_and_its_memory() -> None:
    postgres = cloud_sql.find_engine("postgres")

    assert postgres.tier == f"db-custom-{postgres.vcpu}-{postgres.ram_gib * 1024:.0f}"


def test_an_unknown_engine_names_those_that_are_known() -> None:
    with pytest.raises(UnknownFact, match="postgres"):
        cloud_sql.find_engine("mysql")

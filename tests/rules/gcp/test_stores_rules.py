"""Secret Manager and Artifact Registry."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import REPOSITORY, SECRET

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

AUTO: dict[str, Any] = {"auto": {}}
REMOTE: dict[str, Any] = {"remoteRepositoryConfig": {}}


def secret(**inputs: Any) -> Program:
    """A secret."""
    return {"it": (SECRET, inputs)}


def copied(*locations: Any) -> Program:
    """A secret with copies."""
    return secret(replication={"userManaged": {"replicas": [{"location": location} for location in locations]}})


def repository(**inputs: Any) -> Program:
    """A repository."""
    return {"it": (REPOSITORY, inputs)}


CASES = [
    Case("GCP-SECRET-001", PASS, secret(replication=AUTO)),
    Case("GCP-SECRET-001", FAIL, secret(replication={**AUTO, "userManaged": {}}), path="replication", says="Keep one"),
    Case("GCP-SECRET-001", FAIL, secret(replication={}), path="replication", says="nowhere"),
    Case("GCP-SECRET-001", CANNOT_TELL, secret(replication=UNKNOWN)),
    Case("GCP-SECRET-001", NOT_APPLICABLE, secret()),
    Case("GCP-SECRET-002", PASS, copied("us-central1", "us-east1")),
    Case("GCP-SECRET-002", FAIL, copied("us"), path="replication.userManaged.replicas[0].location", says="us-central1"),
    Case(
        "GCP-SECRET-002",
        FAIL,
        copied("us-east1", "us-east1"),
        path="replication.userManaged.replicas[1].location",
        says="already",
    ),
    Case("GCP-SECRET-002", CANNOT_TELL, copied(UNKNOWN)),
    Case("GCP-SECRET-002", NOT_APPLICABLE, secret(replication=AUTO)),
    Case("GCP-SECRET-003", PASS, secret(rotation={}, topics=[{"name": UNKNOWN}])),
    Case("GCP-SECRET-003", FAIL, secret(rotation={}), path="topics", says="Pub/Sub"),
    Case("GCP-SECRET-003", FAIL, secret(topics=[{}] * 11), path="topics", says="10"),
    Case("GCP-SECRET-003", CANNOT_TELL, secret(rotation={}, topics=UNKNOWN)),
    Case("GCP-SECRET-003", NOT_APPLICABLE, secret()),
    Case("GCP-SECRET-004", PASS, secret(ttl="86400s")),
    Case("GCP-SECRET-004", FAIL, secret(ttl="86400s", expireTime="2027-01-01T00:00:00Z"), path="ttl", says="Keep one"),
    Case("GCP-SECRET-004", CANNOT_TELL, secret(ttl=UNKNOWN)),
    Case("GCP-SECRET-004", NOT_APPLICABLE, secret()),
    Case("GCP-AR-001", PASS, repository(location="europe")),
    Case("GCP-AR-001", PASS, repository(location="us-central1")),
    Case("GCP-AR-001", FAIL, repository(location="us-central1-b"), path="location", says="Use us-central1"),
    Case("GCP-AR-001", FAIL, repository(location="eu"), path="location", says="europe"),
    Case("GCP-AR-001", CANNOT_TELL, repository(location=UNKNOWN)),
    Case("GCP-AR-001", NOT_APPLICABLE, repository()),
    Case("GCP-AR-002", PASS, repository(mode="REMOTE_REPOSITORY", **REMOTE)),
    Case("GCP-AR-002", FAIL, repository(mode="REMOTE_REPOSITORY"), path="remoteRepositoryConfig", says="Add"),
    Case("GCP-AR-002", FAIL, repository(**REMOTE), path="remoteRepositoryConfig", says="Leave it out"),
    Case("GCP-AR-002", CANNOT_TELL, repository(mode=UNKNOWN)),
    Case("GCP-AR-002", NOT_APPLICABLE, repository()),
    Case("GCP-AR-003", PASS, repository(format="docker", dockerConfig={"immutableTags": True})),
    Case("GCP-AR-003", FAIL, repository(format="PYTHON", dockerConfig={}), path="dockerConfig", says="PYTHON"),
    Case("GCP-AR-003", CANNOT_TELL, repository(format=UNKNOWN, dockerConfig={})),
    Case("GCP-AR-003", NOT_APPLICABLE, repository(format="PYTHON")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_stores_says_what_google_would(case: Case) -> None:
    check(case)

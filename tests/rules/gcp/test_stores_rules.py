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
    Case("gcp-secret-replication-mode", PASS, secret(replication=AUTO)),
    Case(
        "gcp-secret-replication-mode",
        FAIL,
        secret(replication={**AUTO, "userManaged": {}}),
        path="replication",
        says="Keep one",
    ),
    Case("gcp-secret-replication-mode", FAIL, secret(replication={}), path="replication", says="nowhere"),
    Case("gcp-secret-replication-mode", CANNOT_TELL, secret(replication=UNKNOWN)),
    Case("gcp-secret-replication-mode", NOT_APPLICABLE, secret()),
    Case("gcp-secret-replica-regions", PASS, copied("us-central1", "us-east1")),
    Case(
        "gcp-secret-replica-regions",
        FAIL,
        copied("us"),
        path="replication.userManaged.replicas[0].location",
        says="us-central1",
    ),
    Case(
        "gcp-secret-replica-regions",
        FAIL,
        copied("us-east1", "us-east1"),
        path="replication.userManaged.replicas[1].location",
        says="already",
    ),
    Case("gcp-secret-replica-regions", CANNOT_TELL, copied(UNKNOWN)),
    Case("gcp-secret-replica-regions", NOT_APPLICABLE, secret(replication=AUTO)),
    Case("gcp-secret-rotation-topics", PASS, secret(rotation={}, topics=[{"name": UNKNOWN}])),
    Case("gcp-secret-rotation-topics", FAIL, secret(rotation={}), path="topics", says="Pub/Sub"),
    Case("gcp-secret-rotation-topics", FAIL, secret(topics=[{}] * 11), path="topics", says="10"),
    Case("gcp-secret-rotation-topics", CANNOT_TELL, secret(rotation={}, topics=UNKNOWN)),
    Case("gcp-secret-rotation-topics", NOT_APPLICABLE, secret()),
    Case("gcp-secret-expiry", PASS, secret(ttl="86400s")),
    Case(
        "gcp-secret-expiry", FAIL, secret(ttl="86400s", expireTime="2027-01-01T00:00:00Z"), path="ttl", says="Keep one"
    ),
    Case("gcp-secret-expiry", CANNOT_TELL, secret(ttl=UNKNOWN)),
    Case("gcp-secret-expiry", NOT_APPLICABLE, secret()),
    Case("gcp-ar-location", PASS, repository(location="europe")),
    Case("gcp-ar-location", PASS, repository(location="us-central1")),
    Case("gcp-ar-location", FAIL, repository(location="us-central1-b"), path="location", says="Use us-central1"),
    Case("gcp-ar-location", FAIL, repository(location="eu"), path="location", says="europe"),
    Case("gcp-ar-location", CANNOT_TELL, repository(location=UNKNOWN)),
    Case("gcp-ar-location", NOT_APPLICABLE, repository()),
    Case("gcp-ar-mode-config", PASS, repository(mode="REMOTE_REPOSITORY", **REMOTE)),
    Case("gcp-ar-mode-config", FAIL, repository(mode="REMOTE_REPOSITORY"), path="remoteRepositoryConfig", says="Add"),
    Case("gcp-ar-mode-config", FAIL, repository(**REMOTE), path="remoteRepositoryConfig", says="Leave it out"),
    Case("gcp-ar-mode-config", CANNOT_TELL, repository(mode=UNKNOWN)),
    Case("gcp-ar-mode-config", NOT_APPLICABLE, repository()),
    Case("gcp-ar-format-config", PASS, repository(format="docker", dockerConfig={"immutableTags": True})),
    Case(
        "gcp-ar-format-config", FAIL, repository(format="PYTHON", dockerConfig={}), path="dockerConfig", says="PYTHON"
    ),
    Case("gcp-ar-format-config", CANNOT_TELL, repository(format=UNKNOWN, dockerConfig={})),
    Case("gcp-ar-format-config", NOT_APPLICABLE, repository(format="PYTHON")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_stores_says_what_google_would(case: Case) -> None:
    check(case)

"""Names and labels."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import (
    BUCKET,
    CLUSTER,
    DATABASE,
    KEY,
    NETWORK,
    NODE_POOL,
    SECRET,
    SERVICE_ACCOUNT,
    SUBNETWORK,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

CHANNEL = "gcp:monitoring/notificationChannel:NotificationChannel"


def one(type_: str, **inputs: Any) -> Program:
    """A resource."""
    return {"it": (type_, inputs)}


def two(type_: str, first: dict[str, Any], then: dict[str, Any]) -> Program:
    """Two resources of a kind, and clusters that they may be part of."""
    clusters: Program = {name: (CLUSTER, {"location": "us-central1"}) for name in ("a", "b") if type_ == NODE_POOL}
    return {**clusters, "first": (type_, first), "it": (type_, then)}


def pools(first: str, second: str) -> Program:
    """Two pools of one name."""
    return two(NODE_POOL, {"name": "train", "cluster": Ref(first)}, {"name": "train", "cluster": Ref(second)})


def labelled(labels: Any) -> Program:
    """A bucket with labels."""
    return one(BUCKET, labels=labels)


CASES = [
    Case("GCP-NAME-001", PASS, one(NETWORK, name="train-1")),
    Case("GCP-NAME-001", PASS, one(SECRET, secretId="Hub_Token")),
    Case("GCP-NAME-001", FAIL, one(NETWORK, name="Train_1"), path="name", says="train-1"),
    Case("GCP-NAME-001", FAIL, one(CLUSTER, name="a" * 41), path="name", says="40"),
    Case("GCP-NAME-001", FAIL, one(KEY, name="data.key"), path="name", says="letters, digits, _ and -"),
    Case("GCP-NAME-001", FAIL, one(NETWORK, name="train-"), path="name"),
    Case("GCP-NAME-001", CANNOT_TELL, one(NETWORK, name=UNKNOWN)),
    Case("GCP-NAME-001", NOT_APPLICABLE, one(NETWORK)),
    Case("GCP-NAME-002", PASS, two(NETWORK, {"name": "a"}, {"name": "b"})),
    Case("GCP-NAME-002", PASS, pools("a", "b"), preview=True),
    Case(
        "GCP-NAME-002",
        PASS,
        two(SUBNETWORK, {"name": "a", "region": "us-east1"}, {"name": "a", "region": "us-central1"}),
    ),
    Case("GCP-NAME-002", FAIL, pools("a", "a"), path="name", says="first", preview=True),
    Case("GCP-NAME-002", FAIL, two(NETWORK, {"name": "a"}, {"name": "a"}), path="name", says="another name"),
    Case("GCP-NAME-002", FAIL, two(BUCKET, {"name": "abc"}, {"name": "abc", "project": "other"}), path="name"),
    Case("GCP-NAME-002", CANNOT_TELL, two(NETWORK, {"name": "a"}, {"name": UNKNOWN})),
    Case("GCP-NAME-002", NOT_APPLICABLE, two(DATABASE, {"name": "a"}, {})),
    Case("GCP-NAME-003", PASS, labelled({"cost_center": "ml-1", "équipe": ""})),
    Case("GCP-NAME-003", FAIL, labelled({"CostCenter": "ml"}), path="labels", says="cost_center"),
    Case("GCP-NAME-003", FAIL, labelled({"owner": "ann@example.com"}), path="labels.owner", says="63"),
    Case("GCP-NAME-003", FAIL, labelled({"owner": "a" * 64}), path="labels.owner", says="63"),
    Case("GCP-NAME-003", FAIL, labelled({f"k{rank}": "v" for rank in range(65)}), path="labels", says="64"),
    Case("GCP-NAME-003", CANNOT_TELL, labelled(UNKNOWN)),
    Case("GCP-NAME-003", NOT_APPLICABLE, one(BUCKET)),
    Case("GCP-NAME-003", NOT_APPLICABLE, one(CHANNEL, labels={"email_address": "ops@example.com"})),
    Case("GCP-NAME-004", PASS, one(NETWORK)),
    Case("GCP-NAME-004", PASS, one(NETWORK), called="Training"),
    Case("GCP-NAME-004", FAIL, one(CLUSTER), path="name", says="32 of a-z", called="Training"),
    Case("GCP-NAME-004", FAIL, one(CLUSTER), path="name", says="8 characters", called="a" * 33),
    Case("GCP-NAME-004", FAIL, one(NODE_POOL), path="name", says="no name of a NodePool", called="a" * 33),
    Case("GCP-NAME-004", FAIL, one(SERVICE_ACCOUNT), path="accountId", says="22 of a-z", called="a" * 23),
    Case("GCP-NAME-004", FAIL, one(BUCKET), path="name", called="a" * 56),
    Case("GCP-NAME-004", FAIL, one(NETWORK), path="name", says="Set name", called="hub_data"),
    Case("GCP-NAME-004", PASS, one(SECRET), called="Hub_Token"),
    Case("GCP-NAME-004", NOT_APPLICABLE, one(CLUSTER, name="main"), called="a" * 33),
    Case("GCP-NAME-004", CANNOT_TELL, one(CLUSTER, name=UNKNOWN), called="a" * 33),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_names_says_what_google_would(case: Case) -> None:
    check(case)

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
    Case("gcp-name-form", PASS, one(NETWORK, name="train-1")),
    Case("gcp-name-form", PASS, one(SECRET, secretId="Hub_Token")),
    Case("gcp-name-form", FAIL, one(NETWORK, name="Train_1"), path="name", says="train-1"),
    Case("gcp-name-form", FAIL, one(CLUSTER, name="a" * 41), path="name", says="40"),
    Case("gcp-name-form", FAIL, one(KEY, name="data.key"), path="name", says="letters, digits, _ and -"),
    Case("gcp-name-form", FAIL, one(NETWORK, name="train-"), path="name"),
    Case("gcp-name-form", CANNOT_TELL, one(NETWORK, name=UNKNOWN)),
    Case("gcp-name-form", NOT_APPLICABLE, one(NETWORK)),
    Case("gcp-name-unique", PASS, two(NETWORK, {"name": "a"}, {"name": "b"})),
    Case("gcp-name-unique", PASS, pools("a", "b"), preview=True),
    Case(
        "gcp-name-unique",
        PASS,
        two(SUBNETWORK, {"name": "a", "region": "us-east1"}, {"name": "a", "region": "us-central1"}),
    ),
    Case("gcp-name-unique", FAIL, pools("a", "a"), path="name", says="first", preview=True),
    Case("gcp-name-unique", FAIL, two(NETWORK, {"name": "a"}, {"name": "a"}), path="name", says="another name"),
    Case("gcp-name-unique", FAIL, two(BUCKET, {"name": "abc"}, {"name": "abc", "project": "other"}), path="name"),
    Case("gcp-name-unique", CANNOT_TELL, two(NETWORK, {"name": "a"}, {"name": UNKNOWN})),
    Case("gcp-name-unique", NOT_APPLICABLE, two(DATABASE, {"name": "a"}, {})),
    Case("gcp-label-limits", PASS, labelled({"cost_center": "ml-1", "équipe": ""})),
    Case("gcp-label-limits", FAIL, labelled({"CostCenter": "ml"}), path="labels", says="cost_center"),
    Case("gcp-label-limits", FAIL, labelled({"owner": "ann@example.com"}), path="labels.owner", says="63"),
    Case("gcp-label-limits", FAIL, labelled({"owner": "a" * 64}), path="labels.owner", says="63"),
    Case("gcp-label-limits", FAIL, labelled({f"k{rank}": "v" for rank in range(65)}), path="labels", says="64"),
    Case("gcp-label-limits", CANNOT_TELL, labelled(UNKNOWN)),
    Case("gcp-label-limits", NOT_APPLICABLE, one(BUCKET)),
    Case("gcp-label-limits", NOT_APPLICABLE, one(CHANNEL, labels={"email_address": "ops@example.com"})),
    Case("gcp-name-autonaming", PASS, one(NETWORK)),
    Case("gcp-name-autonaming", PASS, one(NETWORK), called="Training"),
    Case("gcp-name-autonaming", FAIL, one(CLUSTER), path="name", says="32 of a-z", called="Training"),
    Case("gcp-name-autonaming", FAIL, one(CLUSTER), path="name", says="8 characters", called="a" * 33),
    Case("gcp-name-autonaming", FAIL, one(NODE_POOL), path="name", says="no name of a NodePool", called="a" * 33),
    Case("gcp-name-autonaming", FAIL, one(SERVICE_ACCOUNT), path="accountId", says="22 of a-z", called="a" * 23),
    Case("gcp-name-autonaming", FAIL, one(BUCKET), path="name", called="a" * 56),
    Case("gcp-name-autonaming", FAIL, one(NETWORK), path="name", says="Set name", called="hub_data"),
    Case("gcp-name-autonaming", PASS, one(SECRET), called="Hub_Token"),
    Case("gcp-name-autonaming", NOT_APPLICABLE, one(CLUSTER, name="main"), called="a" * 33),
    Case("gcp-name-autonaming", CANNOT_TELL, one(CLUSTER, name=UNKNOWN), called="a" * 33),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_names_says_what_google_would(case: Case) -> None:
    check(case)

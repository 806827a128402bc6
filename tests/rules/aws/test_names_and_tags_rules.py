"""Names that are taken, and tags that AWS does not take."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import BUCKET, CLUSTER, NODE_GROUP, ROLE, SECURITY_GROUP, VPC

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def tagged(**tags: Any) -> Program:
    """A bucket with tags."""
    return {"it": (BUCKET, {"tags": tags})}


def two(type_: str, first: dict[str, Any], second: dict[str, Any]) -> Program:
    """Two resources of a type."""
    return {
        "a": (VPC, {}),
        "b": (VPC, {}),
        "east": (CLUSTER, {}),
        "west": (CLUSTER, {}),
        "first": (type_, first),
        "it": (type_, second),
    }


def group(cluster: str) -> dict[str, Any]:
    """A node group of one name in a cluster."""
    return {"nodeGroupName": "train", "clusterName": Ref(cluster, "name")}


def guard(vpc: str) -> dict[str, Any]:
    """A security group of one name in a VPC."""
    return {"name": "nodes", "vpcId": Ref(vpc)}


CASES = [
    Case("aws-name-unique", PASS, two(ROLE, {"name": "x"}, {"name": "y"})),
    Case("aws-name-unique", PASS, two(NODE_GROUP, group("east"), group("west")), preview=True),
    Case("aws-name-unique", PASS, two(SECURITY_GROUP, guard("a"), guard("b"))),
    Case("aws-name-unique", FAIL, two(ROLE, {"name": "x"}, {"name": "x"}), path="name", says="first is called x"),
    Case("aws-name-unique", FAIL, two(BUCKET, {"bucket": "x"}, {"bucket": "x", "region": "eu-west-1"}), path="bucket"),
    Case("aws-name-unique", FAIL, two(NODE_GROUP, group("east"), group("east")), path="nodeGroupName", preview=True),
    Case("aws-name-unique", FAIL, two(SECURITY_GROUP, guard("a"), guard("a")), path="name"),
    Case("aws-name-unique", CANNOT_TELL, two(ROLE, {}, {"name": UNKNOWN})),
    Case("aws-name-unique", NOT_APPLICABLE, two(ROLE, {}, {})),
    Case("aws-name-unique", NOT_APPLICABLE, two(ROLE, {"name": ""}, {"name": ""})),
    Case("aws-tag-limits", PASS, tagged(team="ml", owner="")),
    Case("aws-tag-limits", FAIL, tagged(**{f"t{rank}": "" for rank in range(51)}), path="tags", says="51"),
    Case("aws-tag-limits", FAIL, tagged(**{"AWS:x": "y"}), path="tags", says="aws:"),
    Case("aws-tag-limits", FAIL, tagged(**{"k" * 129: "y"}), path="tags", says="128"),
    Case("aws-tag-limits", FAIL, tagged(team="v" * 257), path="tags.team", says="256"),
    Case("aws-tag-limits", CANNOT_TELL, tagged(team=Secret("s"))),
    Case("aws-tag-limits", NOT_APPLICABLE, tagged()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_names_and_tags_says_what_aws_would(case: Case) -> None:
    check(case)

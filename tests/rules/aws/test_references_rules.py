"""What one resource names another by."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import INGRESS_RULE, NODE_GROUP, SUBNET, VPC

SUBNET_ID, VPC_ID, GROUP = "subnet-0123456789abcdef0", "vpc-0123456789abcdef0", "sg-01234567"

ODD = "aws:nowhere/thing:Thing"  # the simulated cloud has no form for its ids


def nodes(**inputs: Any) -> Program:
    """A node group."""
    return {"it": (NODE_GROUP, inputs)}


CASES = [
    Case(
        "aws-reference-kind",
        Outcome.PASS,
        nodes(subnetIds=[SUBNET_ID], nodeRoleArn="arn:aws:iam::123456789012:role/a/b"),
    ),
    Case("aws-reference-kind", Outcome.PASS, nodes(nodeRoleArn="arn:aws-us-gov:iam::123456789012:role/a")),
    Case(
        "aws-reference-kind",
        Outcome.PASS,
        {"it": (INGRESS_RULE, {"referencedSecurityGroupId": f"123456789012/{GROUP}"})},
    ),
    Case("aws-reference-kind", Outcome.FAIL, nodes(subnetIds=[GROUP]), path="subnetIds[0]"),
    Case(
        "aws-reference-kind",
        Outcome.FAIL,
        {"it": (NODE_GROUP, {"subnetIds": [Ref("vpc", "0123456789abcdef0")]}), "vpc": (VPC, {})},
        path="subnetIds[0]",
    ),
    Case("aws-reference-kind", Outcome.UNKNOWN, {"it": (NODE_GROUP, {"subnetIds": [Ref("odd")]}), "odd": (ODD, {})}),
    Case(
        "aws-reference-kind",
        Outcome.FAIL,
        {"it": (NODE_GROUP, {"subnetIds": [Ref("main")]}), "main": (VPC, {})},
        path="subnetIds[0]",
        says="this is the id of the Vpc main",
    ),
    Case("aws-reference-kind", Outcome.FAIL, nodes(subnetIds=[SUBNET_ID, VPC_ID]), path="subnetIds[1]", says="subnet-"),
    Case("aws-reference-kind", Outcome.FAIL, nodes(subnetIds=VPC_ID), path="subnetIds", says=VPC_ID),
    Case("aws-reference-kind", Outcome.FAIL, nodes(nodeRoleArn="node"), path="nodeRoleArn", says="arn:aws:iam"),
    Case(
        "aws-reference-kind",
        Outcome.FAIL,
        nodes(remoteAccess={"a": [{"securityGroupIds": [SUBNET_ID]}]}),
        path="remoteAccess.a[0].securityGroupIds[0]",
    ),
    Case("aws-reference-kind", Outcome.UNKNOWN, nodes(subnetIds=[SUBNET_ID, UNKNOWN])),
    Case("aws-reference-kind", Outcome.UNKNOWN, nodes(nodeRoleArn=Secret("node"))),
    Case(
        "aws-reference-kind", Outcome.UNKNOWN, {"it": (SUBNET, {"vpcId": Ref("vpc")}), "vpc": (VPC, {})}, preview=True
    ),
    Case("aws-reference-kind", Outcome.NOT_APPLICABLE, nodes(subnetIds=[], nodeRoleArn="", clusterName="main")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_reference_says_what_it_is_of(case: Case) -> None:
    check(case)

"""IAM: what its grammar refuses, and roles that nobody can take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import (
    ALL_POLICY_ATTACHMENTS,
    BUCKET_POLICY,
    CLUSTER,
    INSTANCE_PROFILE,
    NODE_GROUP,
    POD_IDENTITY,
    POLICY,
    POLICY_ATTACHMENT,
    ROLE,
    ROLE_POLICY,
    SHARED_POLICY_ATTACHMENT,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

MANAGED = "arn:aws:iam::aws:policy"


def document(version: str = "2012-10-17", **statement: Any) -> str:
    """A document of one statement; None leaves an element out."""
    given = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*", **statement}
    made = {key: value for key, value in given.items() if value is not None}
    return json.dumps({"Version": version, "Statement": [made]})


def held(policy: Any, type_: str = POLICY) -> Program:
    """A policy."""
    return {"it": (type_, {"policy": policy})}


def trust(service: str = "ec2.amazonaws.com", action: Any = "sts:AssumeRole", **more: Any) -> str:
    """A trust policy."""
    return document(Principal={"Service": service}, Action=action, Resource=None, **more)


def role(trusted: Any, **inputs: Any) -> Program:
    """A role."""
    return {"it": (ROLE, {"assumeRolePolicy": trusted, **inputs})}


def taken(type_: str, key: str, trusted: Any, *policies: Any, output: str = "arn", **more: Any) -> Program:
    """Something that takes a role, and the policies that the role carries."""
    return {
        "role": (ROLE, {"assumeRolePolicy": trusted, **more}),
        **{
            f"p{rank}": (POLICY_ATTACHMENT, {"role": Ref("role", "name"), "policyArn": arn})
            for rank, arn in enumerate(policies)
        },
        "it": (type_, {key: Ref("role", output)}),
    }


def nodes(*policies: Any, **more: Any) -> Program:
    """A node group and its role."""
    return taken(NODE_GROUP, "nodeRoleArn", trust(), *policies, **more)


def attached(arn: Any) -> Program:
    """A policy on a role."""
    return {"it": (POLICY_ATTACHMENT, {"role": "role", "policyArn": arn})}


def shared(arn: str) -> Program:
    """A policy on a list of roles, which is the one of `taken`."""
    return {"shared": (SHARED_POLICY_ATTACHMENT, {"roles": [Ref("role", "name")], "policyArn": arn})}


WORKER = f"{MANAGED}/AmazonEKSWorkerNodePolicy"
PULL = f"{MANAGED}/AmazonEC2ContainerRegistryPullOnly"
LISTED = {"roleName": Ref("role", "name"), "policyArns": [WORKER, PULL]}
TAGGED = ["sts:AssumeRole", "sts:TagSession"]
PODS = "pods.eks.amazonaws.com"

CASES = [
    Case("AWS-IAM-001", PASS, held(document())),
    Case("AWS-IAM-001", PASS, held({"Version": "2012-10-17", "Statement": []})),
    Case("AWS-IAM-001", FAIL, held("{'Version'}"), path="policy", says="json.dumps"),
    Case("AWS-IAM-001", FAIL, held("[]"), path="policy"),
    Case("AWS-IAM-001", FAIL, role("x"), path="assumeRolePolicy"),
    Case("AWS-IAM-001", FAIL, role(trust(), inlinePolicies=[{"policy": "x"}]), path="inlinePolicies[0].policy"),
    Case("AWS-IAM-001", CANNOT_TELL, held(Secret("s"))),
    Case("AWS-IAM-001", CANNOT_TELL, held("policy-342f4f49")),
    Case("AWS-IAM-001", NOT_APPLICABLE, held(None)),
    Case("AWS-IAM-002", PASS, held(document())),
    Case("AWS-IAM-002", PASS, held(document(Action=None, NotAction=["iam:*"]))),
    Case("AWS-IAM-002", FAIL, held(document(version="2024-01-01")), path="policy", says="2012-10-17"),
    Case("AWS-IAM-002", FAIL, held(document(Effect="allow")), path="policy", says="'allow'"),
    Case("AWS-IAM-002", FAIL, held(document(Action=None)), path="policy"),
    Case("AWS-IAM-002", FAIL, held(document(NotAction="s3:*")), path="policy"),
    Case("AWS-IAM-002", FAIL, held(document(Action=["s3:Get*", "GetObject"])), path="policy", says="GetObject"),
    Case("AWS-IAM-002", FAIL, held('{"Version": "2012-10-17"}'), path="policy", says="no statement"),
    Case("AWS-IAM-002", CANNOT_TELL, held(UNKNOWN)),
    Case("AWS-IAM-002", NOT_APPLICABLE, held(None)),
    Case("AWS-IAM-003", PASS, held(document())),
    Case("AWS-IAM-003", PASS, held(document(Principal="*"), BUCKET_POLICY)),
    Case("AWS-IAM-003", PASS, role(trust())),
    Case("AWS-IAM-003", FAIL, held(document(Principal="*")), path="policy", says="principal"),
    Case("AWS-IAM-003", FAIL, held(document(Resource=None)), path="policy", says="no resource"),
    Case("AWS-IAM-003", FAIL, held(document(), BUCKET_POLICY), path="policy", says="Principal"),
    Case("AWS-IAM-003", FAIL, role(document(Principal="*")), path="assumeRolePolicy", says="Leave Resource out"),
    Case("AWS-IAM-003", CANNOT_TELL, held(UNKNOWN)),
    Case("AWS-IAM-003", NOT_APPLICABLE, held(None)),
    Case("AWS-IAM-004", PASS, held(document(Resource=["x" * 6000]))),
    Case("AWS-IAM-004", PASS, held(document() + " " * 9000)),
    Case("AWS-IAM-004", PASS, held(document(Resource=["x" * 9000]), ROLE_POLICY)),
    Case("AWS-IAM-004", FAIL, held(document(Resource=["x" * 6144])), path="policy", says="6144"),
    Case("AWS-IAM-004", CANNOT_TELL, held(UNKNOWN)),
    Case("AWS-IAM-004", NOT_APPLICABLE, held(None)),
    Case("AWS-IAM-005", PASS, role(trust())),
    Case("AWS-IAM-005", FAIL, role(trust(service="x" * 2048)), path="assumeRolePolicy", says="2048"),
    Case("AWS-IAM-005", CANNOT_TELL, role(UNKNOWN)),
    Case("AWS-IAM-005", NOT_APPLICABLE, role(None)),
    Case("AWS-IAM-006", PASS, nodes()),
    Case("AWS-IAM-006", PASS, nodes(), preview=True),
    Case("AWS-IAM-006", PASS, taken(CLUSTER, "roleArn", trust("eks.amazonaws.com", TAGGED))),
    Case("AWS-IAM-006", PASS, taken(NODE_GROUP, "nodeRoleArn", trust("ec2.amazonaws.com.cn"))),
    Case("AWS-IAM-006", PASS, taken(POD_IDENTITY, "roleArn", trust(PODS, TAGGED))),
    Case("AWS-IAM-006", FAIL, taken(CLUSTER, "roleArn", trust()), path="roleArn", says="eks.amazonaws.com"),
    Case("AWS-IAM-006", FAIL, taken(POD_IDENTITY, "roleArn", trust(PODS)), path="roleArn", says="sts:TagSession"),
    Case("AWS-IAM-006", FAIL, taken(INSTANCE_PROFILE, "role", trust(PODS), output="name"), path="role", preview=True),
    Case("AWS-IAM-006", FAIL, taken(NODE_GROUP, "nodeRoleArn", trust(Effect="Deny")), path="nodeRoleArn"),
    Case("AWS-IAM-006", CANNOT_TELL, taken(NODE_GROUP, "nodeRoleArn", UNKNOWN)),
    Case("AWS-IAM-006", NOT_APPLICABLE, {"it": (NODE_GROUP, {})}),
    Case("AWS-IAM-007", PASS, nodes(WORKER, PULL)),
    Case("AWS-IAM-007", PASS, nodes(managedPolicyArns=[WORKER, PULL]), preview=True),
    Case("AWS-IAM-007", PASS, {**taken(CLUSTER, "roleArn", trust()), **shared(f"{MANAGED}/AmazonEKSClusterPolicy")}),
    Case("AWS-IAM-007", PASS, {**nodes(WORKER), **shared(PULL)}, preview=True),
    Case("AWS-IAM-007", PASS, {**nodes(), "all": (ALL_POLICY_ATTACHMENTS, LISTED)}),
    Case("AWS-IAM-007", PASS, taken(CLUSTER, "roleArn", trust(), f"{MANAGED}/AmazonEKSLocalOutpostClusterPolicy")),
    Case("AWS-IAM-007", FAIL, nodes(WORKER), path="nodeRoleArn", says="AmazonEC2ContainerRegistryPullOnly"),
    Case("AWS-IAM-007", FAIL, taken(CLUSTER, "roleArn", trust()), path="roleArn", says="AmazonEKSClusterPolicy"),
    Case("AWS-IAM-007", CANNOT_TELL, nodes(WORKER, "arn:aws:iam::123456789012:policy/own")),
    Case("AWS-IAM-007", CANNOT_TELL, {**nodes(), "own": (ROLE_POLICY, {"role": Ref("role")})}),
    Case("AWS-IAM-007", NOT_APPLICABLE, {"it": (CLUSTER, {})}),
    Case("AWS-IAM-008", PASS, attached(WORKER)),
    Case("AWS-IAM-008", PASS, attached("arn:aws-cn:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy")),
    Case("AWS-IAM-008", PASS, role(trust(), managedPolicyArns=["arn:aws:iam::123456789012:policy/team/own"])),
    Case("AWS-IAM-008", FAIL, attached("AmazonEKSWorkerNodePolicy"), path="policyArn", says=WORKER),
    Case("AWS-IAM-008", CANNOT_TELL, attached("policyArn-342f4f49")),
    Case("AWS-IAM-010", PASS, attached(f"{MANAGED}/service-role/AmazonEBSCSIDriverPolicy")),
    Case("AWS-IAM-010", FAIL, attached(f"{MANAGED}/AmazonEBSCSIDriverPolicy"), path="policyArn", says="service-role/"),
    Case("AWS-IAM-010", CANNOT_TELL, attached(UNKNOWN)),
    Case("AWS-IAM-010", NOT_APPLICABLE, attached("arn:aws:iam::123456789012:policy/AmazonEBSCSIDriverPolicy")),
    Case("AWS-IAM-008", FAIL, role(trust(), managedPolicyArns=[WORKER, "x"]), path="managedPolicyArns[1]"),
    Case("AWS-IAM-008", CANNOT_TELL, attached(UNKNOWN)),
    Case("AWS-IAM-008", NOT_APPLICABLE, {"policy": (POLICY, {}), **attached(Ref("policy", "arn"))}, preview=True),
    Case("AWS-IAM-009", PASS, role(trust(), managedPolicyArns=[WORKER] * 10)),
    Case("AWS-IAM-009", PASS, role(trust(), managedPolicyArns=[WORKER] * 12), quotas={"L-0DA4ABF3": 20}),
    Case("AWS-IAM-009", FAIL, role(trust(), managedPolicyArns=[WORKER] * 11), path="managedPolicyArns", says="11"),
    Case("AWS-IAM-009", CANNOT_TELL, role(trust(), managedPolicyArns=UNKNOWN)),
    Case("AWS-IAM-009", NOT_APPLICABLE, role(trust())),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_policy_rule_says_what_aws_would(case: Case) -> None:
    check(case)

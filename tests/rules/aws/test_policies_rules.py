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
    Case("aws-iam-policy-json", PASS, held(document())),
    Case("aws-iam-policy-json", PASS, held({"Version": "2012-10-17", "Statement": []})),
    Case("aws-iam-policy-json", FAIL, held("{'Version'}"), path="policy", says="json.dumps"),
    Case("aws-iam-policy-json", FAIL, held("[]"), path="policy"),
    Case("aws-iam-policy-json", FAIL, role("x"), path="assumeRolePolicy"),
    Case("aws-iam-policy-json", FAIL, role(trust(), inlinePolicies=[{"policy": "x"}]), path="inlinePolicies[0].policy"),
    Case("aws-iam-policy-json", CANNOT_TELL, held(Secret("s"))),
    Case("aws-iam-policy-json", CANNOT_TELL, held("policy-342f4f49")),
    Case("aws-iam-policy-json", NOT_APPLICABLE, held(None)),
    Case("aws-iam-policy-grammar", PASS, held(document())),
    Case("aws-iam-policy-grammar", PASS, held(document(Action=None, NotAction=["iam:*"]))),
    Case("aws-iam-policy-grammar", FAIL, held(document(version="2024-01-01")), path="policy", says="2012-10-17"),
    Case("aws-iam-policy-grammar", FAIL, held(document(Effect="allow")), path="policy", says="'allow'"),
    Case("aws-iam-policy-grammar", FAIL, held(document(Action=None)), path="policy"),
    Case("aws-iam-policy-grammar", FAIL, held(document(NotAction="s3:*")), path="policy"),
    Case(
        "aws-iam-policy-grammar", FAIL, held(document(Action=["s3:Get*", "GetObject"])), path="policy", says="GetObject"
    ),
    Case("aws-iam-policy-grammar", FAIL, held('{"Version": "2012-10-17"}'), path="policy", says="no statement"),
    Case("aws-iam-policy-grammar", CANNOT_TELL, held(UNKNOWN)),
    Case("aws-iam-policy-grammar", NOT_APPLICABLE, held(None)),
    Case("aws-iam-policy-principal", PASS, held(document())),
    Case("aws-iam-policy-principal", PASS, held(document(Principal="*"), BUCKET_POLICY)),
    Case("aws-iam-policy-principal", PASS, role(trust())),
    Case("aws-iam-policy-principal", FAIL, held(document(Principal="*")), path="policy", says="principal"),
    Case("aws-iam-policy-principal", FAIL, held(document(Resource=None)), path="policy", says="no resource"),
    Case("aws-iam-policy-principal", FAIL, held(document(), BUCKET_POLICY), path="policy", says="Principal"),
    Case(
        "aws-iam-policy-principal",
        FAIL,
        role(document(Principal="*")),
        path="assumeRolePolicy",
        says="Leave Resource out",
    ),
    Case("aws-iam-policy-principal", CANNOT_TELL, held(UNKNOWN)),
    Case("aws-iam-policy-principal", NOT_APPLICABLE, held(None)),
    Case("aws-iam-policy-length", PASS, held(document(Resource=["x" * 6000]))),
    Case("aws-iam-policy-length", PASS, held(document() + " " * 9000)),
    Case("aws-iam-policy-length", PASS, held(document(Resource=["x" * 9000]), ROLE_POLICY)),
    Case("aws-iam-policy-length", FAIL, held(document(Resource=["x" * 6144])), path="policy", says="6144"),
    Case("aws-iam-policy-length", CANNOT_TELL, held(UNKNOWN)),
    Case("aws-iam-policy-length", NOT_APPLICABLE, held(None)),
    Case("aws-iam-trust-policy-length", PASS, role(trust())),
    Case("aws-iam-trust-policy-length", FAIL, role(trust(service="x" * 2048)), path="assumeRolePolicy", says="2048"),
    Case("aws-iam-trust-policy-length", CANNOT_TELL, role(UNKNOWN)),
    Case("aws-iam-trust-policy-length", NOT_APPLICABLE, role(None)),
    Case("aws-iam-role-trusts-service", PASS, nodes()),
    Case("aws-iam-role-trusts-service", PASS, nodes(), preview=True),
    Case("aws-iam-role-trusts-service", PASS, taken(CLUSTER, "roleArn", trust("eks.amazonaws.com", TAGGED))),
    Case("aws-iam-role-trusts-service", PASS, taken(NODE_GROUP, "nodeRoleArn", trust("ec2.amazonaws.com.cn"))),
    Case("aws-iam-role-trusts-service", PASS, taken(POD_IDENTITY, "roleArn", trust(PODS, TAGGED))),
    Case(
        "aws-iam-role-trusts-service",
        FAIL,
        taken(CLUSTER, "roleArn", trust()),
        path="roleArn",
        says="eks.amazonaws.com",
    ),
    Case(
        "aws-iam-role-trusts-service",
        FAIL,
        taken(POD_IDENTITY, "roleArn", trust(PODS)),
        path="roleArn",
        says="sts:TagSession",
    ),
    Case(
        "aws-iam-role-trusts-service",
        FAIL,
        taken(INSTANCE_PROFILE, "role", trust(PODS), output="name"),
        path="role",
        preview=True,
    ),
    Case(
        "aws-iam-role-trusts-service", FAIL, taken(NODE_GROUP, "nodeRoleArn", trust(Effect="Deny")), path="nodeRoleArn"
    ),
    Case("aws-iam-role-trusts-service", CANNOT_TELL, taken(NODE_GROUP, "nodeRoleArn", UNKNOWN)),
    Case("aws-iam-role-trusts-service", NOT_APPLICABLE, {"it": (NODE_GROUP, {})}),
    Case("aws-eks-role-policies", PASS, nodes(WORKER, PULL)),
    Case("aws-eks-role-policies", PASS, nodes(managedPolicyArns=[WORKER, PULL]), preview=True),
    Case(
        "aws-eks-role-policies",
        PASS,
        {**taken(CLUSTER, "roleArn", trust()), **shared(f"{MANAGED}/AmazonEKSClusterPolicy")},
    ),
    Case("aws-eks-role-policies", PASS, {**nodes(WORKER), **shared(PULL)}, preview=True),
    Case("aws-eks-role-policies", PASS, {**nodes(), "all": (ALL_POLICY_ATTACHMENTS, LISTED)}),
    Case(
        "aws-eks-role-policies",
        PASS,
        taken(CLUSTER, "roleArn", trust(), f"{MANAGED}/AmazonEKSLocalOutpostClusterPolicy"),
    ),
    Case("aws-eks-role-policies", FAIL, nodes(WORKER), path="nodeRoleArn", says="AmazonEC2ContainerRegistryPullOnly"),
    Case(
        "aws-eks-role-policies", FAIL, taken(CLUSTER, "roleArn", trust()), path="roleArn", says="AmazonEKSClusterPolicy"
    ),
    Case("aws-eks-role-policies", CANNOT_TELL, nodes(WORKER, "arn:aws:iam::123456789012:policy/own")),
    Case("aws-eks-role-policies", CANNOT_TELL, {**nodes(), "own": (ROLE_POLICY, {"role": Ref("role")})}),
    Case("aws-eks-role-policies", NOT_APPLICABLE, {"it": (CLUSTER, {})}),
    Case("aws-iam-attach-by-arn", PASS, attached(WORKER)),
    Case("aws-iam-attach-by-arn", PASS, attached("arn:aws-cn:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy")),
    Case("aws-iam-attach-by-arn", PASS, role(trust(), managedPolicyArns=["arn:aws:iam::123456789012:policy/team/own"])),
    Case("aws-iam-attach-by-arn", FAIL, attached("AmazonEKSWorkerNodePolicy"), path="policyArn", says=WORKER),
    Case("aws-iam-attach-by-arn", CANNOT_TELL, attached("policyArn-342f4f49")),
    Case("aws-iam-managed-policy-path", PASS, attached(f"{MANAGED}/service-role/AmazonEBSCSIDriverPolicy")),
    Case(
        "aws-iam-managed-policy-path",
        FAIL,
        attached(f"{MANAGED}/AmazonEBSCSIDriverPolicy"),
        path="policyArn",
        says="service-role/",
    ),
    Case("aws-iam-managed-policy-path", CANNOT_TELL, attached(UNKNOWN)),
    Case(
        "aws-iam-managed-policy-path",
        NOT_APPLICABLE,
        attached("arn:aws:iam::123456789012:policy/AmazonEBSCSIDriverPolicy"),
    ),
    Case("aws-iam-attach-by-arn", FAIL, role(trust(), managedPolicyArns=[WORKER, "x"]), path="managedPolicyArns[1]"),
    Case("aws-iam-attach-by-arn", CANNOT_TELL, attached(UNKNOWN)),
    Case(
        "aws-iam-attach-by-arn",
        NOT_APPLICABLE,
        {"policy": (POLICY, {}), **attached(Ref("policy", "arn"))},
        preview=True,
    ),
    Case("aws-quota-role-policies", PASS, role(trust(), managedPolicyArns=[WORKER] * 10)),
    Case("aws-quota-role-policies", PASS, role(trust(), managedPolicyArns=[WORKER] * 12), quotas={"L-0DA4ABF3": 20}),
    Case(
        "aws-quota-role-policies",
        FAIL,
        role(trust(), managedPolicyArns=[WORKER] * 11),
        path="managedPolicyArns",
        says="11",
    ),
    Case("aws-quota-role-policies", CANNOT_TELL, role(trust(), managedPolicyArns=UNKNOWN)),
    Case("aws-quota-role-policies", NOT_APPLICABLE, role(trust())),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_policy_rule_says_what_aws_would(case: Case) -> None:
    check(case)

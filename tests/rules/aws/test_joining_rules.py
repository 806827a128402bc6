"""Joining: nodes that their cluster lets in, and nodes that it does not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, cluster, from_template, group, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import INGRESS_RULE, SECURITY_GROUP, SECURITY_GROUP_RULE

CLUSTER_GROUP = Ref("cluster", "vpcConfig.clusterSecurityGroupId")
OWN: Parts = {"own": (SECURITY_GROUP, {}), "gate": (SECURITY_GROUP, {})}


def joined(*groups: Any, gate: bool = False, **template_inputs: Any) -> Parts:
    """A node group whose template has these security groups; `gate` gives the cluster one more of its own."""
    place: dict[str, Any] = {"vpcConfig": {"securityGroupIds": [Ref("gate")]}} if gate else {}
    held = template_inputs or {"vpcSecurityGroupIds": list(groups)}
    return cluster(**place) | from_template(clusterName=Ref("cluster", "name")) | template(**held) | OWN


INTERFACES = [{"deviceIndex": 0, "securityGroups": [Ref("own")]}]
RULE: Parts = {"rule": (INGRESS_RULE, {"securityGroupId": CLUSTER_GROUP, "referencedSecurityGroupId": Ref("own")})}
OLD_RULE = {"type": "ingress", "securityGroupId": Ref("gate"), "sourceSecurityGroupId": Ref("own")}

CASES = [
    Case("aws-eks-node-sg-admitted", Outcome.PASS, joined(CLUSTER_GROUP, Ref("own"))),
    Case("aws-eks-node-sg-admitted", Outcome.PASS, joined(CLUSTER_GROUP, Ref("own")), preview=True),
    Case("aws-eks-node-sg-admitted", Outcome.PASS, joined(Ref("gate"), gate=True), preview=True),
    Case("aws-eks-node-sg-admitted", Outcome.PASS, joined(Ref("own")) | RULE, preview=True),
    Case(
        "aws-eks-node-sg-admitted",
        Outcome.PASS,
        joined(Ref("own"), gate=True) | {"rule": (SECURITY_GROUP_RULE, OLD_RULE)},
    ),
    Case(
        "aws-eks-node-sg-admitted",
        Outcome.PASS,
        joined(Ref("own"), gate=True) | {"gate": (SECURITY_GROUP, {"ingress": [{}]})},
    ),
    Case("aws-eks-node-sg-admitted", Outcome.FAIL, joined(Ref("own")), "vpcSecurityGroupIds", "clusterSecurityGroupId"),
    Case("aws-eks-node-sg-admitted", Outcome.FAIL, joined(Ref("own"), gate=True), "vpcSecurityGroupIds", preview=True),
    Case(
        "aws-eks-node-sg-admitted",
        Outcome.FAIL,
        joined(networkInterfaces=INTERFACES),
        "networkInterfaces[0].securityGroups",
    ),
    Case(
        "aws-eks-node-sg-admitted",
        Outcome.FAIL,
        joined(Ref("own"), gate=True) | {"rule": (SECURITY_GROUP_RULE, OLD_RULE | {"type": "egress"})},
        "vpcSecurityGroupIds",
    ),
    Case("aws-eks-node-sg-admitted", Outcome.UNKNOWN, joined("sg-0123")),
    Case("aws-eks-node-sg-admitted", Outcome.UNKNOWN, joined(vpcSecurityGroupIds=UNKNOWN)),
    Case("aws-eks-node-sg-admitted", Outcome.NOT_APPLICABLE, joined()),
    Case("aws-eks-node-sg-admitted", Outcome.NOT_APPLICABLE, group()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nodes_are_let_in_or_not(case: Case) -> None:
    check(case)

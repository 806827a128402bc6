"""Addresses: whether subnets have enough of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, cluster, fabric, from_template, group, network, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import ADDON

P5 = "p5.48xlarge"
SMALL = network(cidrBlock="10.0.0.0/26")
"""59 addresses."""
TWO_SMALL = network("us-east-1a", "us-east-1b", cidrBlock="10.0.0.0/28")
"""11 addresses each."""


def sized(wanted: Any, most: Any, **inputs: Any) -> Parts:
    """A node group with these numbers of nodes."""
    return group(scalingConfig={"minSize": 0, "desiredSize": wanted, "maxSize": most}, **inputs)


def spread(wanted: int) -> Parts:
    """A node group in two zones."""
    return sized(wanted, wanted, subnetIds=[Ref("a"), Ref("b")]) | TWO_SMALL


LEGACY = template(instanceType=P5, networkInterfaces=[each | {"interfaceType": "efa"} for each in fabric(P5)])
TUNED: Parts = {"cni": (ADDON, {"addonName": "vpc-cni", "configurationValues": '{"env":{"WARM_IP_TARGET":"5"}}'})}

CASES = [
    Case("aws-subnet-node-addresses", Outcome.PASS, sized(59, 59) | SMALL),
    Case("aws-subnet-node-addresses", Outcome.PASS, spread(22), preview=True),
    Case("aws-subnet-node-addresses", Outcome.FAIL, sized(60, 60) | SMALL, "subnetIds", "59"),
    Case("aws-subnet-node-addresses", Outcome.FAIL, spread(23), "subnetIds", "22", preview=True),
    Case(
        "aws-subnet-node-addresses",
        Outcome.FAIL,
        sized(30, 30) | {"other": group(scalingConfig={"desiredSize": 30, "maxSize": 30})["it"]} | SMALL,
        "subnetIds",
        "60",
    ),
    Case("aws-subnet-node-addresses", Outcome.FAIL, from_template() | LEGACY | SMALL, "subnetIds", "66"),
    Case("aws-subnet-node-addresses", Outcome.UNKNOWN, sized(60, 60, subnetIds=["subnet-1"])),
    Case("aws-subnet-node-addresses", Outcome.UNKNOWN, sized(60, 60) | network(cidrBlock=UNKNOWN)),
    Case("aws-subnet-node-addresses", Outcome.NOT_APPLICABLE, SMALL),
    Case("aws-subnet-pod-addresses", Outcome.PASS, sized(0, 1, instanceTypes=[P5]) | SMALL),
    Case("aws-subnet-pod-addresses", Outcome.FAIL, sized(0, 2, instanceTypes=[P5]) | SMALL, "subnetIds", "102"),
    Case("aws-subnet-pod-addresses", Outcome.FAIL, sized(0, 2, instanceTypes=[P5]) | SMALL, "subnetIds", preview=True),
    Case("aws-subnet-pod-addresses", Outcome.UNKNOWN, sized(0, 99) | SMALL),
    Case("aws-subnet-pod-addresses", Outcome.NOT_APPLICABLE, sized(0, 2, instanceTypes=[P5]) | SMALL | TUNED),
    Case("aws-eks-subnet-room", Outcome.PASS, cluster("it")),
    Case("aws-eks-subnet-room", Outcome.FAIL, cluster("it") | TWO_SMALL, "vpcConfig.subnetIds", "11"),
    Case("aws-eks-subnet-room", Outcome.FAIL, cluster("it") | TWO_SMALL, "vpcConfig.subnetIds", preview=True),
    Case("aws-eks-subnet-room", Outcome.UNKNOWN, cluster("it", vpcConfig={"subnetIds": ["subnet-1"]})),
    Case("aws-eks-subnet-room", Outcome.NOT_APPLICABLE, {"it": ("aws:eks/cluster:Cluster", {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_address_rule_says_whether_they_suffice(case: Case) -> None:
    check(case)

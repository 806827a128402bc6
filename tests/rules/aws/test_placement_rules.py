"""Placement groups: what EC2 takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, from_template, group, network, scaled, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import INSTANCE, PLACEMENT_GROUP

P5 = "p5.48xlarge"
TWO = network("us-east-1a", "us-east-1b")
BOTH: dict[str, Any] = {"subnetIds": [Ref("a"), Ref("b")]}


def placed(strategy: Any = "cluster", machine_type: Any = P5, **group_inputs: Any) -> Parts:
    """A node group in a placement group."""
    return (
        from_template(**group_inputs)
        | template(instanceType=machine_type, placement={"groupName": Ref("placed", "name")})
        | {"placed": (PLACEMENT_GROUP, {"strategy": strategy})}
    )


def shared(*zones: str) -> Parts:
    """A placement group with a node group in each zone."""
    groups = {f"group-{zone}": from_template("group", subnetIds=[Ref(zone[-1])])["group"] for zone in zones}
    held = template(instanceType=P5, placement={"groupName": Ref("it")})
    return network(*zones) | groups | held | {"it": (PLACEMENT_GROUP, {"strategy": "cluster"})}


def it(**inputs: Any) -> Parts:
    """A placement group."""
    return {"it": (PLACEMENT_GROUP, inputs)}


def interrupted(behaviour: Any, **more: Any) -> Parts:
    """A launch template for spot machines."""
    spot = {"marketType": "spot", "spotOptions": {"instanceInterruptionBehavior": behaviour}}
    return template("it", instanceMarketOptions=spot, **more)


OUTSIDE = from_template() | template(instanceType=P5, placement={"groupName": "another"})

CASES = [
    Case("aws-placement-group-settings", Outcome.PASS, it(strategy="cluster")),
    Case("aws-placement-group-settings", Outcome.PASS, it(strategy="partition", partitionCount=7)),
    Case("aws-placement-group-settings", Outcome.FAIL, it(strategy="cluster", partitionCount=2), "partitionCount"),
    Case(
        "aws-placement-group-settings", Outcome.FAIL, it(strategy="partition", partitionCount=8), "partitionCount", "7"
    ),
    Case("aws-placement-group-settings", Outcome.FAIL, it(strategy="cluster", spreadLevel="rack"), "spreadLevel"),
    Case("aws-placement-group-settings", Outcome.FAIL, it(strategy="cluster", name="g" * 256), "name"),
    Case("aws-placement-group-settings", Outcome.UNKNOWN, it(strategy=UNKNOWN)),
    Case("aws-placement-group-settings", Outcome.NOT_APPLICABLE, group()),
    Case("aws-placement-cluster-types", Outcome.PASS, placed(), preview=True),
    Case("aws-placement-cluster-types", Outcome.FAIL, placed(machine_type="t3.large"), "instanceType", "t3.large"),
    Case(
        "aws-placement-cluster-types", Outcome.FAIL, placed(machine_type="m7i-flex.large"), "instanceType", preview=True
    ),
    Case(
        "aws-placement-cluster-types",
        Outcome.FAIL,
        {"it": (INSTANCE, {"instanceType": "t3.micro", "placementGroup": Ref("placed")})}
        | {"placed": (PLACEMENT_GROUP, {"strategy": "cluster"})},
        "instanceType",
    ),
    Case("aws-placement-cluster-types", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-placement-cluster-types", Outcome.NOT_APPLICABLE, placed("partition", "t3.large")),
    Case("aws-placement-cluster-one-zone", Outcome.PASS, placed()),
    Case("aws-placement-cluster-one-zone", Outcome.FAIL, placed(**BOTH) | TWO, "subnetIds", "us-east-1a"),
    Case("aws-placement-cluster-one-zone", Outcome.FAIL, placed(**BOTH) | TWO, "subnetIds", preview=True),
    Case(
        "aws-placement-cluster-one-zone",
        Outcome.FAIL,
        scaled(placementGroup=Ref("placed"), vpcZoneIdentifiers=[Ref("a"), Ref("b")])
        | template(instanceType=P5)
        | {"placed": (PLACEMENT_GROUP, {"strategy": "cluster"})}
        | TWO,
        "vpcZoneIdentifiers",
    ),
    Case("aws-placement-cluster-one-zone", Outcome.UNKNOWN, placed(subnetIds=["subnet-1"])),
    Case("aws-placement-cluster-one-zone", Outcome.NOT_APPLICABLE, placed("spread", **BOTH) | TWO),
    Case("aws-placement-cluster-same-zone", Outcome.PASS, shared("us-east-1a")),
    Case("aws-placement-cluster-same-zone", Outcome.FAIL, shared("us-east-1a", "us-east-1b"), "strategy", "us-east-1b"),
    Case("aws-placement-cluster-same-zone", Outcome.FAIL, shared("us-east-1a", "us-east-1b"), "strategy", preview=True),
    Case("aws-placement-cluster-same-zone", Outcome.UNKNOWN, shared("us-east-1a") | network(availabilityZone=UNKNOWN)),
    Case("aws-placement-cluster-same-zone", Outcome.NOT_APPLICABLE, it(strategy="cluster")),
    Case("aws-placement-spread-limit", Outcome.PASS, placed("spread")),
    Case(
        "aws-placement-spread-limit",
        Outcome.FAIL,
        placed("spread", scalingConfig={"minSize": 0, "desiredSize": 0, "maxSize": 8}),
        "scalingConfig.maxSize",
        "7",
    ),
    Case("aws-placement-spread-limit", Outcome.UNKNOWN, placed("spread", subnetIds=["subnet-1"])),
    Case("aws-placement-spread-limit", Outcome.NOT_APPLICABLE, placed()),
    Case("aws-placement-spot-terminate", Outcome.PASS, interrupted("hibernate")),
    Case("aws-placement-spot-terminate", Outcome.PASS, interrupted("terminate", placement={"groupName": "a"})),
    Case(
        "aws-placement-spot-terminate",
        Outcome.FAIL,
        interrupted("stop", placement={"groupName": "a"}),
        "instanceMarketOptions.spotOptions.instanceInterruptionBehavior",
        "terminate",
    ),
    Case("aws-placement-spot-terminate", Outcome.UNKNOWN, interrupted(UNKNOWN, placement={"groupName": "a"})),
    Case("aws-placement-spot-terminate", Outcome.NOT_APPLICABLE, template("it", placement={"groupName": "a"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_placement_rule_says_what_aws_would(case: Case) -> None:
    check(case)

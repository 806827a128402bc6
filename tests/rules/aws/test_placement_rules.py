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
    Case("AWS-PLACEMENT-001", Outcome.PASS, it(strategy="cluster")),
    Case("AWS-PLACEMENT-001", Outcome.PASS, it(strategy="partition", partitionCount=7)),
    Case("AWS-PLACEMENT-001", Outcome.FAIL, it(strategy="cluster", partitionCount=2), "partitionCount"),
    Case("AWS-PLACEMENT-001", Outcome.FAIL, it(strategy="partition", partitionCount=8), "partitionCount", "7"),
    Case("AWS-PLACEMENT-001", Outcome.FAIL, it(strategy="cluster", spreadLevel="rack"), "spreadLevel"),
    Case("AWS-PLACEMENT-001", Outcome.FAIL, it(strategy="cluster", name="g" * 256), "name"),
    Case("AWS-PLACEMENT-001", Outcome.UNKNOWN, it(strategy=UNKNOWN)),
    Case("AWS-PLACEMENT-001", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-PLACEMENT-002", Outcome.PASS, placed(), preview=True),
    Case("AWS-PLACEMENT-002", Outcome.FAIL, placed(machine_type="t3.large"), "instanceType", "t3.large"),
    Case("AWS-PLACEMENT-002", Outcome.FAIL, placed(machine_type="m7i-flex.large"), "instanceType", preview=True),
    Case(
        "AWS-PLACEMENT-002",
        Outcome.FAIL,
        {"it": (INSTANCE, {"instanceType": "t3.micro", "placementGroup": Ref("placed")})}
        | {"placed": (PLACEMENT_GROUP, {"strategy": "cluster"})},
        "instanceType",
    ),
    Case("AWS-PLACEMENT-002", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-PLACEMENT-002", Outcome.NOT_APPLICABLE, placed("partition", "t3.large")),
    Case("AWS-PLACEMENT-003", Outcome.PASS, placed()),
    Case("AWS-PLACEMENT-003", Outcome.FAIL, placed(**BOTH) | TWO, "subnetIds", "us-east-1a"),
    Case("AWS-PLACEMENT-003", Outcome.FAIL, placed(**BOTH) | TWO, "subnetIds", preview=True),
    Case(
        "AWS-PLACEMENT-003",
        Outcome.FAIL,
        scaled(placementGroup=Ref("placed"), vpcZoneIdentifiers=[Ref("a"), Ref("b")])
        | template(instanceType=P5)
        | {"placed": (PLACEMENT_GROUP, {"strategy": "cluster"})}
        | TWO,
        "vpcZoneIdentifiers",
    ),
    Case("AWS-PLACEMENT-003", Outcome.UNKNOWN, placed(subnetIds=["subnet-1"])),
    Case("AWS-PLACEMENT-003", Outcome.NOT_APPLICABLE, placed("spread", **BOTH) | TWO),
    Case("AWS-PLACEMENT-004", Outcome.PASS, shared("us-east-1a")),
    Case("AWS-PLACEMENT-004", Outcome.FAIL, shared("us-east-1a", "us-east-1b"), "strategy", "us-east-1b"),
    Case("AWS-PLACEMENT-004", Outcome.FAIL, shared("us-east-1a", "us-east-1b"), "strategy", preview=True),
    Case("AWS-PLACEMENT-004", Outcome.UNKNOWN, shared("us-east-1a") | network(availabilityZone=UNKNOWN)),
    Case("AWS-PLACEMENT-004", Outcome.NOT_APPLICABLE, it(strategy="cluster")),
    Case("AWS-PLACEMENT-005", Outcome.PASS, placed("spread")),
    Case(
        "AWS-PLACEMENT-005",
        Outcome.FAIL,
        placed("spread", scalingConfig={"minSize": 0, "desiredSize": 0, "maxSize": 8}),
        "scalingConfig.maxSize",
        "7",
    ),
    Case("AWS-PLACEMENT-005", Outcome.UNKNOWN, placed("spread", subnetIds=["subnet-1"])),
    Case("AWS-PLACEMENT-005", Outcome.NOT_APPLICABLE, placed()),
    Case("AWS-PLACEMENT-006", Outcome.PASS, interrupted("hibernate")),
    Case("AWS-PLACEMENT-006", Outcome.PASS, interrupted("terminate", placement={"groupName": "a"})),
    Case(
        "AWS-PLACEMENT-006",
        Outcome.FAIL,
        interrupted("stop", placement={"groupName": "a"}),
        "instanceMarketOptions.spotOptions.instanceInterruptionBehavior",
        "terminate",
    ),
    Case("AWS-PLACEMENT-006", Outcome.UNKNOWN, interrupted(UNKNOWN, placement={"groupName": "a"})),
    Case("AWS-PLACEMENT-006", Outcome.NOT_APPLICABLE, template("it", placement={"groupName": "a"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_placement_rule_says_what_aws_would(case: Case) -> None:
    check(case)

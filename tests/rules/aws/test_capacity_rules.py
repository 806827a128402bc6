"""Capacity: blocks, reservations and spot."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, from_template, group, network, scaled, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import CAPACITY_RESERVATION, INSTANCE, PLACEMENT_GROUP

P5 = "p5.48xlarge"
BLOCK_ID = "cr-0123456789abcdef0"
TARGET = {"capacityReservationTarget": {"capacityReservationId": BLOCK_ID}}
RESERVED = {"capacityReservationTarget": {"capacityReservationId": Ref("reservation")}}
MARKET = {"marketType": "capacity-block"}
GROUP: Parts = {"placed": (PLACEMENT_GROUP, {"strategy": "cluster"})}
TWO = network("us-east-1a", "us-east-1b")


def block(group_inputs: dict[str, Any] | None = None, **changes: Any) -> Parts:
    """A node group in a capacity block, its template changed."""
    held = {
        "instanceMarketOptions": MARKET,
        "capacityReservationSpecification": TARGET,
        "instanceType": P5,
        **changes,
    }
    return from_template(capacityType="CAPACITY_BLOCK", **(group_inputs or {})) | template(**held)


def reservation(called: str = "reservation", /, **inputs: Any) -> Parts:
    """A reservation of four P5 machines."""
    given = {
        "instanceType": P5,
        "instancePlatform": "Linux/UNIX",
        "instanceCount": 4,
        "availabilityZone": "us-east-1a",
        "instanceMatchCriteria": "targeted",
        **inputs,
    }
    return {called: (CAPACITY_RESERVATION, {key: value for key, value in given.items() if value is not None})}


def reserved(group_inputs: dict[str, Any] | None = None, **changes: Any) -> Parts:
    """A node group in a reservation of the program, its template changed."""
    held = {"instanceType": P5, "capacityReservationSpecification": RESERVED, **changes}
    return from_template(**(group_inputs or {})) | template(**held) | reservation()


def held_by(**group_inputs: Any) -> Parts:
    """A reservation that a node group names in its template."""
    target = {"capacityReservationTarget": {"capacityReservationId": Ref("it")}}
    return (
        from_template("group", **group_inputs)
        | template(instanceType=P5, capacityReservationSpecification=target)
        | reservation("it")
    )


def it(**inputs: Any) -> Parts:
    """A launch template."""
    return template("it", **inputs)


def numbered(low: Any, wanted: Any, high: Any) -> dict[str, Any]:
    """Numbers of nodes."""
    return {"scalingConfig": {"minSize": low, "desiredSize": wanted, "maxSize": high}}


OUTSIDE = group(launchTemplate={"id": "lt-1"})
IN_GROUP = {"placement": {"groupName": Ref("placed")}}
SPREAD: Parts = {"placed": (PLACEMENT_GROUP, {"strategy": "spread"})}

CASES = [
    Case("aws-eks-capacity-block-template", Outcome.PASS, block()),
    Case("aws-eks-capacity-block-template", Outcome.PASS, block(), preview=True),
    Case("aws-eks-capacity-block-template", Outcome.FAIL, group(capacityType="CAPACITY_BLOCK"), "launchTemplate"),
    Case(
        "aws-eks-capacity-block-template",
        Outcome.FAIL,
        block(instanceMarketOptions=None),
        "instanceMarketOptions",
        "capacity-block",
    ),
    Case(
        "aws-eks-capacity-block-template",
        Outcome.FAIL,
        block(instanceMarketOptions={"marketType": "spot"}),
        "instanceMarketOptions",
    ),
    Case(
        "aws-eks-capacity-block-template",
        Outcome.FAIL,
        block(capacityReservationSpecification=None, instanceMarketOptions=None),
        "capacityReservationSpecification",
    ),
    Case("aws-eks-capacity-block-template", Outcome.FAIL, block(instanceType=None), "instanceType", preview=True),
    Case(
        "aws-eks-capacity-block-template",
        Outcome.UNKNOWN,
        group(capacityType="CAPACITY_BLOCK", launchTemplate={"id": "lt-1"}),
    ),
    Case("aws-eks-capacity-block-template", Outcome.NOT_APPLICABLE, group()),
    Case("aws-eks-capacity-block-one-zone", Outcome.PASS, block()),
    Case(
        "aws-eks-capacity-block-one-zone",
        Outcome.FAIL,
        block({"subnetIds": [Ref("a"), Ref("b")]}) | TWO,
        "subnetIds",
        "one zone",
    ),
    Case(
        "aws-eks-capacity-block-one-zone",
        Outcome.FAIL,
        block({"subnetIds": [Ref("a"), Ref("b")]}) | TWO,
        "subnetIds",
        preview=True,
    ),
    Case("aws-eks-capacity-block-one-zone", Outcome.UNKNOWN, block({"subnetIds": ["subnet-1"]})),
    Case("aws-eks-capacity-block-one-zone", Outcome.NOT_APPLICABLE, group(subnetIds=[Ref("a"), Ref("b")]) | TWO),
    Case("aws-capacity-block-no-placement", Outcome.PASS, block()),
    Case("aws-capacity-block-no-placement", Outcome.FAIL, block(**IN_GROUP) | GROUP, "placement.groupName"),
    Case(
        "aws-capacity-block-no-placement", Outcome.FAIL, block(**IN_GROUP) | GROUP, "placement.groupName", preview=True
    ),
    Case(
        "aws-capacity-block-no-placement",
        Outcome.FAIL,
        {"it": (INSTANCE, {"instanceMarketOptions": MARKET, "placementGroup": "a"})},
        "placementGroup",
    ),
    Case("aws-capacity-block-no-placement", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-capacity-block-no-placement", Outcome.NOT_APPLICABLE, reserved(**IN_GROUP) | GROUP),
    Case("aws-eks-template-no-market", Outcome.PASS, reserved()),
    Case(
        "aws-eks-template-no-market",
        Outcome.FAIL,
        from_template() | template(instanceMarketOptions=MARKET),
        "instanceMarketOptions",
        "CAPACITY_BLOCK",
    ),
    Case(
        "aws-eks-template-no-market",
        Outcome.FAIL,
        from_template(capacityType="SPOT") | template(instanceMarketOptions={"marketType": "spot"}),
        "instanceMarketOptions",
        "Leave it out",
        preview=True,
    ),
    Case("aws-eks-template-no-market", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-eks-template-no-market", Outcome.NOT_APPLICABLE, block()),
    Case("aws-reservation-target-or-preference", Outcome.PASS, it(capacityReservationSpecification=TARGET)),
    Case(
        "aws-reservation-target-or-preference",
        Outcome.PASS,
        it(capacityReservationSpecification={"capacityReservationPreference": "none"}),
    ),
    Case(
        "aws-reservation-target-or-preference",
        Outcome.FAIL,
        it(capacityReservationSpecification={"capacityReservationPreference": "open", **TARGET}),
        "capacityReservationSpecification.capacityReservationPreference",
    ),
    Case(
        "aws-reservation-target-or-preference",
        Outcome.FAIL,
        it(capacityReservationSpecification={"capacityReservationTarget": {}}),
        "capacityReservationSpecification.capacityReservationTarget",
    ),
    Case("aws-reservation-target-or-preference", Outcome.UNKNOWN, it(capacityReservationSpecification=UNKNOWN)),
    Case("aws-reservation-target-or-preference", Outcome.NOT_APPLICABLE, it()),
    Case(
        "aws-market-options-complete",
        Outcome.PASS,
        it(instanceMarketOptions=MARKET, capacityReservationSpecification=TARGET),
    ),
    Case(
        "aws-market-options-complete", Outcome.PASS, it(instanceMarketOptions={"marketType": "spot", "spotOptions": {}})
    ),
    Case(
        "aws-market-options-complete",
        Outcome.FAIL,
        it(instanceMarketOptions=MARKET),
        "capacityReservationSpecification",
    ),
    Case(
        "aws-market-options-complete",
        Outcome.FAIL,
        it(instanceMarketOptions={**MARKET, "spotOptions": {}}, capacityReservationSpecification=TARGET),
        "instanceMarketOptions.spotOptions",
    ),
    Case("aws-market-options-complete", Outcome.UNKNOWN, it(instanceMarketOptions=UNKNOWN)),
    Case("aws-market-options-complete", Outcome.NOT_APPLICABLE, it()),
    Case("aws-reservation-count-and-end", Outcome.PASS, reservation("it")),
    Case(
        "aws-reservation-count-and-end",
        Outcome.PASS,
        reservation("it", endDateType="limited", endDate="2027-01-01T00:00:00Z"),
    ),
    Case("aws-reservation-count-and-end", Outcome.FAIL, reservation("it", instanceCount=0), "instanceCount"),
    Case("aws-reservation-count-and-end", Outcome.FAIL, reservation("it", endDateType="limited"), "endDate"),
    Case(
        "aws-reservation-count-and-end",
        Outcome.FAIL,
        reservation("it", endDate="2027-01-01T00:00:00Z"),
        "endDate",
        "limited",
    ),
    Case("aws-reservation-count-and-end", Outcome.UNKNOWN, reservation("it", instanceCount=UNKNOWN)),
    Case("aws-reservation-zone", Outcome.PASS, reserved()),
    Case("aws-reservation-zone", Outcome.PASS, reserved(), preview=True),
    Case(
        "aws-reservation-zone",
        Outcome.FAIL,
        reserved() | network(availabilityZone="us-east-1b"),
        "subnetIds",
        "us-east-1a",
    ),
    Case(
        "aws-reservation-zone",
        Outcome.FAIL,
        reserved({"subnetIds": [Ref("a"), Ref("b")]}) | TWO,
        "subnetIds",
        preview=True,
    ),
    Case(
        "aws-reservation-zone",
        Outcome.FAIL,
        {
            **network("us-east-1b"),
            "it": (INSTANCE, {"subnetId": Ref("b"), "capacityReservationSpecification": RESERVED}),
        }
        | reservation(),
        "subnetId",
    ),
    Case("aws-reservation-zone", Outcome.UNKNOWN, reserved(capacityReservationSpecification=TARGET)),
    Case("aws-reservation-zone", Outcome.NOT_APPLICABLE, group()),
    Case("aws-reservation-instance-type", Outcome.PASS, reserved(), preview=True),
    Case("aws-reservation-instance-type", Outcome.FAIL, reserved(instanceType="p5e.48xlarge"), "instanceType", P5),
    Case(
        "aws-reservation-instance-type",
        Outcome.FAIL,
        reserved({"instanceTypes": ["p4d.24xlarge"]}, instanceType=None),
        "instanceTypes[0]",
        preview=True,
    ),
    Case("aws-reservation-instance-type", Outcome.UNKNOWN, reserved(capacityReservationSpecification=TARGET)),
    Case("aws-reservation-instance-type", Outcome.NOT_APPLICABLE, group()),
    Case("aws-reservation-holds-start", Outcome.PASS, held_by()),
    Case("aws-reservation-holds-start", Outcome.FAIL, held_by(**numbered(0, 5, 8)), "instanceCount", "Reserve 5"),
    Case("aws-reservation-holds-start", Outcome.FAIL, held_by(**numbered(5, 5, 8)), "instanceCount", preview=True),
    Case("aws-reservation-holds-start", Outcome.UNKNOWN, held_by(**numbered(0, UNKNOWN, 8))),
    Case("aws-reservation-holds-start", Outcome.NOT_APPLICABLE, reservation("it")),
    Case("aws-reservation-holds-growth", Outcome.PASS, held_by()),
    Case("aws-reservation-holds-growth", Outcome.FAIL, held_by(**numbered(0, 2, 8)), "instanceCount", "Reserve 8"),
    Case("aws-reservation-holds-growth", Outcome.UNKNOWN, held_by(**numbered(0, 2, UNKNOWN))),
    Case("aws-reservation-holds-growth", Outcome.NOT_APPLICABLE, reservation("it")),
    Case(
        "aws-reservation-placement-group",
        Outcome.PASS,
        reserved(**IN_GROUP) | reservation(placementGroupArn=Ref("placed", "arn")) | GROUP,
    ),
    Case(
        "aws-reservation-placement-group",
        Outcome.PASS,
        reserved(**IN_GROUP) | reservation(placementGroupArn=Ref("placed", "arn")) | GROUP,
        preview=True,
    ),
    Case(
        "aws-reservation-placement-group",
        Outcome.FAIL,
        reserved(**IN_GROUP) | GROUP,
        "placementGroupArn",
        "find nothing",
    ),
    Case(
        "aws-reservation-placement-group", Outcome.FAIL, reserved(**IN_GROUP) | GROUP, "placementGroupArn", preview=True
    ),
    Case(
        "aws-reservation-placement-group",
        Outcome.FAIL,
        reserved() | reservation(placementGroupArn=Ref("placed", "arn")) | GROUP,
        "subnetIds",
    ),
    Case("aws-reservation-placement-group", Outcome.FAIL, reserved(**IN_GROUP) | SPREAD, "strategy", "spread"),
    Case("aws-reservation-placement-group", Outcome.UNKNOWN, reserved(placement={"groupName": "another"})),
    Case("aws-reservation-placement-group", Outcome.NOT_APPLICABLE, reserved()),
    Case("aws-eks-spot-no-reservation", Outcome.PASS, from_template(capacityType="SPOT") | template()),
    Case("aws-eks-spot-no-reservation", Outcome.FAIL, reserved({"capacityType": "SPOT"}), "capacityType", "ON_DEMAND"),
    Case("aws-eks-spot-no-reservation", Outcome.UNKNOWN, group(capacityType="SPOT", launchTemplate={"id": "lt-1"})),
    Case("aws-eks-spot-no-reservation", Outcome.NOT_APPLICABLE, reserved()),
    Case("aws-eks-reserved-minimal-update", Outcome.PASS, reserved({"updateConfig": {"updateStrategy": "MINIMAL"}})),
    Case("aws-eks-reserved-minimal-update", Outcome.FAIL, reserved(), "updateConfig.updateStrategy", "MINIMAL"),
    Case("aws-eks-reserved-minimal-update", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-eks-reserved-minimal-update", Outcome.NOT_APPLICABLE, from_template() | template()),
    Case("aws-eks-capacity-type-sold", Outcome.PASS, group(capacityType="SPOT", instanceTypes=[P5])),
    Case(
        "aws-eks-capacity-type-sold",
        Outcome.FAIL,
        group(capacityType="SPOT", instanceTypes=["p6e-gb200.36xlarge"]),
        "capacityType",
    ),
    Case("aws-eks-capacity-type-sold", Outcome.FAIL, block(instanceType="m7i.large"), "capacityType", preview=True),
    Case("aws-eks-capacity-type-sold", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-eks-capacity-type-sold", Outcome.NOT_APPLICABLE, group(instanceTypes=["p5e.48xlarge"])),
    Case("aws-eks-capacity-block-size", Outcome.PASS, block()),
    Case("aws-eks-capacity-block-size", Outcome.FAIL, block(numbered(0, 0, 65)), "scalingConfig.maxSize", "64"),
    Case("aws-eks-capacity-block-size", Outcome.UNKNOWN, block(numbered(0, 0, UNKNOWN))),
    Case("aws-eks-capacity-block-size", Outcome.NOT_APPLICABLE, group(**numbered(0, 0, 65))),
    Case("aws-reservation-id", Outcome.PASS, it(capacityReservationSpecification=TARGET)),
    Case("aws-reservation-id", Outcome.PASS, it(capacityReservationSpecification=RESERVED) | reservation()),
    Case(
        "aws-reservation-id",
        Outcome.FAIL,
        it(capacityReservationSpecification={"capacityReservationTarget": {"capacityReservationId": "my-block"}}),
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationId",
    ),
    Case(
        "aws-reservation-id",
        Outcome.UNKNOWN,
        it(capacityReservationSpecification=RESERVED) | reservation(),
        preview=True,
    ),
    Case("aws-reservation-id", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-capacity-block-starts-empty", Outcome.PASS, block(numbered(0, 0, 4))),
    Case("aws-eks-capacity-block-starts-empty", Outcome.FAIL, block(numbered(0, 2, 4)), "scalingConfig.desiredSize"),
    Case("aws-eks-capacity-block-starts-empty", Outcome.UNKNOWN, block(numbered(0, UNKNOWN, 4))),
    Case("aws-eks-capacity-block-starts-empty", Outcome.NOT_APPLICABLE, group()),
    Case("aws-reservation-count-and-end", Outcome.NOT_APPLICABLE, {"it": (PLACEMENT_GROUP, {})}),
    Case(
        "aws-reservation-instance-type",
        Outcome.FAIL,
        scaled() | template(instanceType="p5e.48xlarge", capacityReservationSpecification=RESERVED) | reservation(),
        "instanceType",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_capacity_rule_says_what_aws_would(case: Case) -> None:
    check(case)

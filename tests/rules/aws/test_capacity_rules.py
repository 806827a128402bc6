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
    Case("AWS-CAPACITY-001", Outcome.PASS, block()),
    Case("AWS-CAPACITY-001", Outcome.PASS, block(), preview=True),
    Case("AWS-CAPACITY-001", Outcome.FAIL, group(capacityType="CAPACITY_BLOCK"), "launchTemplate"),
    Case(
        "AWS-CAPACITY-001", Outcome.FAIL, block(instanceMarketOptions=None), "instanceMarketOptions", "capacity-block"
    ),
    Case(
        "AWS-CAPACITY-001", Outcome.FAIL, block(instanceMarketOptions={"marketType": "spot"}), "instanceMarketOptions"
    ),
    Case(
        "AWS-CAPACITY-001",
        Outcome.FAIL,
        block(capacityReservationSpecification=None, instanceMarketOptions=None),
        "capacityReservationSpecification",
    ),
    Case("AWS-CAPACITY-001", Outcome.FAIL, block(instanceType=None), "instanceType", preview=True),
    Case("AWS-CAPACITY-001", Outcome.UNKNOWN, group(capacityType="CAPACITY_BLOCK", launchTemplate={"id": "lt-1"})),
    Case("AWS-CAPACITY-001", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-CAPACITY-002", Outcome.PASS, block()),
    Case("AWS-CAPACITY-002", Outcome.FAIL, block({"subnetIds": [Ref("a"), Ref("b")]}) | TWO, "subnetIds", "one zone"),
    Case("AWS-CAPACITY-002", Outcome.FAIL, block({"subnetIds": [Ref("a"), Ref("b")]}) | TWO, "subnetIds", preview=True),
    Case("AWS-CAPACITY-002", Outcome.UNKNOWN, block({"subnetIds": ["subnet-1"]})),
    Case("AWS-CAPACITY-002", Outcome.NOT_APPLICABLE, group(subnetIds=[Ref("a"), Ref("b")]) | TWO),
    Case("AWS-CAPACITY-003", Outcome.PASS, block()),
    Case("AWS-CAPACITY-003", Outcome.FAIL, block(**IN_GROUP) | GROUP, "placement.groupName"),
    Case("AWS-CAPACITY-003", Outcome.FAIL, block(**IN_GROUP) | GROUP, "placement.groupName", preview=True),
    Case(
        "AWS-CAPACITY-003",
        Outcome.FAIL,
        {"it": (INSTANCE, {"instanceMarketOptions": MARKET, "placementGroup": "a"})},
        "placementGroup",
    ),
    Case("AWS-CAPACITY-003", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-CAPACITY-003", Outcome.NOT_APPLICABLE, reserved(**IN_GROUP) | GROUP),
    Case("AWS-CAPACITY-004", Outcome.PASS, reserved()),
    Case(
        "AWS-CAPACITY-004",
        Outcome.FAIL,
        from_template() | template(instanceMarketOptions=MARKET),
        "instanceMarketOptions",
        "CAPACITY_BLOCK",
    ),
    Case(
        "AWS-CAPACITY-004",
        Outcome.FAIL,
        from_template(capacityType="SPOT") | template(instanceMarketOptions={"marketType": "spot"}),
        "instanceMarketOptions",
        "Leave it out",
        preview=True,
    ),
    Case("AWS-CAPACITY-004", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-CAPACITY-004", Outcome.NOT_APPLICABLE, block()),
    Case("AWS-CAPACITY-005", Outcome.PASS, it(capacityReservationSpecification=TARGET)),
    Case(
        "AWS-CAPACITY-005", Outcome.PASS, it(capacityReservationSpecification={"capacityReservationPreference": "none"})
    ),
    Case(
        "AWS-CAPACITY-005",
        Outcome.FAIL,
        it(capacityReservationSpecification={"capacityReservationPreference": "open", **TARGET}),
        "capacityReservationSpecification.capacityReservationPreference",
    ),
    Case(
        "AWS-CAPACITY-005",
        Outcome.FAIL,
        it(capacityReservationSpecification={"capacityReservationTarget": {}}),
        "capacityReservationSpecification.capacityReservationTarget",
    ),
    Case("AWS-CAPACITY-005", Outcome.UNKNOWN, it(capacityReservationSpecification=UNKNOWN)),
    Case("AWS-CAPACITY-005", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-CAPACITY-006", Outcome.PASS, it(instanceMarketOptions=MARKET, capacityReservationSpecification=TARGET)),
    Case("AWS-CAPACITY-006", Outcome.PASS, it(instanceMarketOptions={"marketType": "spot", "spotOptions": {}})),
    Case("AWS-CAPACITY-006", Outcome.FAIL, it(instanceMarketOptions=MARKET), "capacityReservationSpecification"),
    Case(
        "AWS-CAPACITY-006",
        Outcome.FAIL,
        it(instanceMarketOptions={**MARKET, "spotOptions": {}}, capacityReservationSpecification=TARGET),
        "instanceMarketOptions.spotOptions",
    ),
    Case("AWS-CAPACITY-006", Outcome.UNKNOWN, it(instanceMarketOptions=UNKNOWN)),
    Case("AWS-CAPACITY-006", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-CAPACITY-007", Outcome.PASS, reservation("it")),
    Case("AWS-CAPACITY-007", Outcome.PASS, reservation("it", endDateType="limited", endDate="2027-01-01T00:00:00Z")),
    Case("AWS-CAPACITY-007", Outcome.FAIL, reservation("it", instanceCount=0), "instanceCount"),
    Case("AWS-CAPACITY-007", Outcome.FAIL, reservation("it", endDateType="limited"), "endDate"),
    Case("AWS-CAPACITY-007", Outcome.FAIL, reservation("it", endDate="2027-01-01T00:00:00Z"), "endDate", "limited"),
    Case("AWS-CAPACITY-007", Outcome.UNKNOWN, reservation("it", instanceCount=UNKNOWN)),
    Case("AWS-CAPACITY-008", Outcome.PASS, reserved()),
    Case("AWS-CAPACITY-008", Outcome.PASS, reserved(), preview=True),
    Case(
        "AWS-CAPACITY-008", Outcome.FAIL, reserved() | network(availabilityZone="us-east-1b"), "subnetIds", "us-east-1a"
    ),
    Case(
        "AWS-CAPACITY-008", Outcome.FAIL, reserved({"subnetIds": [Ref("a"), Ref("b")]}) | TWO, "subnetIds", preview=True
    ),
    Case(
        "AWS-CAPACITY-008",
        Outcome.FAIL,
        {
            **network("us-east-1b"),
            "it": (INSTANCE, {"subnetId": Ref("b"), "capacityReservationSpecification": RESERVED}),
        }
        | reservation(),
        "subnetId",
    ),
    Case("AWS-CAPACITY-008", Outcome.UNKNOWN, reserved(capacityReservationSpecification=TARGET)),
    Case("AWS-CAPACITY-008", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-CAPACITY-009", Outcome.PASS, reserved(), preview=True),
    Case("AWS-CAPACITY-009", Outcome.FAIL, reserved(instanceType="p5e.48xlarge"), "instanceType", P5),
    Case(
        "AWS-CAPACITY-009",
        Outcome.FAIL,
        reserved({"instanceTypes": ["p4d.24xlarge"]}, instanceType=None),
        "instanceTypes[0]",
        preview=True,
    ),
    Case("AWS-CAPACITY-009", Outcome.UNKNOWN, reserved(capacityReservationSpecification=TARGET)),
    Case("AWS-CAPACITY-009", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-CAPACITY-010", Outcome.PASS, held_by()),
    Case("AWS-CAPACITY-010", Outcome.FAIL, held_by(**numbered(0, 5, 8)), "instanceCount", "Reserve 5"),
    Case("AWS-CAPACITY-010", Outcome.FAIL, held_by(**numbered(5, 5, 8)), "instanceCount", preview=True),
    Case("AWS-CAPACITY-010", Outcome.UNKNOWN, held_by(**numbered(0, UNKNOWN, 8))),
    Case("AWS-CAPACITY-010", Outcome.NOT_APPLICABLE, reservation("it")),
    Case("AWS-CAPACITY-011", Outcome.PASS, held_by()),
    Case("AWS-CAPACITY-011", Outcome.FAIL, held_by(**numbered(0, 2, 8)), "instanceCount", "Reserve 8"),
    Case("AWS-CAPACITY-011", Outcome.UNKNOWN, held_by(**numbered(0, 2, UNKNOWN))),
    Case("AWS-CAPACITY-011", Outcome.NOT_APPLICABLE, reservation("it")),
    Case(
        "AWS-CAPACITY-012",
        Outcome.PASS,
        reserved(**IN_GROUP) | reservation(placementGroupArn=Ref("placed", "arn")) | GROUP,
    ),
    Case(
        "AWS-CAPACITY-012",
        Outcome.PASS,
        reserved(**IN_GROUP) | reservation(placementGroupArn=Ref("placed", "arn")) | GROUP,
        preview=True,
    ),
    Case("AWS-CAPACITY-012", Outcome.FAIL, reserved(**IN_GROUP) | GROUP, "placementGroupArn", "find nothing"),
    Case("AWS-CAPACITY-012", Outcome.FAIL, reserved(**IN_GROUP) | GROUP, "placementGroupArn", preview=True),
    Case(
        "AWS-CAPACITY-012",
        Outcome.FAIL,
        reserved() | reservation(placementGroupArn=Ref("placed", "arn")) | GROUP,
        "subnetIds",
    ),
    Case("AWS-CAPACITY-012", Outcome.FAIL, reserved(**IN_GROUP) | SPREAD, "strategy", "spread"),
    Case("AWS-CAPACITY-012", Outcome.UNKNOWN, reserved(placement={"groupName": "another"})),
    Case("AWS-CAPACITY-012", Outcome.NOT_APPLICABLE, reserved()),
    Case("AWS-CAPACITY-013", Outcome.PASS, from_template(capacityType="SPOT") | template()),
    Case("AWS-CAPACITY-013", Outcome.FAIL, reserved({"capacityType": "SPOT"}), "capacityType", "ON_DEMAND"),
    Case("AWS-CAPACITY-013", Outcome.UNKNOWN, group(capacityType="SPOT", launchTemplate={"id": "lt-1"})),
    Case("AWS-CAPACITY-013", Outcome.NOT_APPLICABLE, reserved()),
    Case("AWS-CAPACITY-014", Outcome.PASS, reserved({"updateConfig": {"updateStrategy": "MINIMAL"}})),
    Case("AWS-CAPACITY-014", Outcome.FAIL, reserved(), "updateConfig.updateStrategy", "MINIMAL"),
    Case("AWS-CAPACITY-014", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-CAPACITY-014", Outcome.NOT_APPLICABLE, from_template() | template()),
    Case("AWS-CAPACITY-015", Outcome.PASS, group(capacityType="SPOT", instanceTypes=[P5])),
    Case(
        "AWS-CAPACITY-015",
        Outcome.FAIL,
        group(capacityType="SPOT", instanceTypes=["p6e-gb200.36xlarge"]),
        "capacityType",
    ),
    Case("AWS-CAPACITY-015", Outcome.FAIL, block(instanceType="m7i.large"), "capacityType", preview=True),
    Case("AWS-CAPACITY-015", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-CAPACITY-015", Outcome.NOT_APPLICABLE, group(instanceTypes=["p5e.48xlarge"])),
    Case("AWS-CAPACITY-016", Outcome.PASS, block()),
    Case("AWS-CAPACITY-016", Outcome.FAIL, block(numbered(0, 0, 65)), "scalingConfig.maxSize", "64"),
    Case("AWS-CAPACITY-016", Outcome.UNKNOWN, block(numbered(0, 0, UNKNOWN))),
    Case("AWS-CAPACITY-016", Outcome.NOT_APPLICABLE, group(**numbered(0, 0, 65))),
    Case("AWS-CAPACITY-017", Outcome.PASS, it(capacityReservationSpecification=TARGET)),
    Case("AWS-CAPACITY-017", Outcome.PASS, it(capacityReservationSpecification=RESERVED) | reservation()),
    Case(
        "AWS-CAPACITY-017",
        Outcome.FAIL,
        it(capacityReservationSpecification={"capacityReservationTarget": {"capacityReservationId": "my-block"}}),
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationId",
    ),
    Case(
        "AWS-CAPACITY-017", Outcome.UNKNOWN, it(capacityReservationSpecification=RESERVED) | reservation(), preview=True
    ),
    Case("AWS-CAPACITY-017", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-CAPACITY-018", Outcome.PASS, block(numbered(0, 0, 4))),
    Case("AWS-CAPACITY-018", Outcome.FAIL, block(numbered(0, 2, 4)), "scalingConfig.desiredSize"),
    Case("AWS-CAPACITY-018", Outcome.UNKNOWN, block(numbered(0, UNKNOWN, 4))),
    Case("AWS-CAPACITY-018", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-CAPACITY-007", Outcome.NOT_APPLICABLE, {"it": (PLACEMENT_GROUP, {})}),
    Case(
        "AWS-CAPACITY-009",
        Outcome.FAIL,
        scaled() | template(instanceType="p5e.48xlarge", capacityReservationSpecification=RESERVED) | reservation(),
        "instanceType",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_capacity_rule_says_what_aws_would(case: Case) -> None:
    check(case)

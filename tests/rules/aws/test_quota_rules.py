"""Quotas: what the account may run."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, cluster, from_template, group, scaled, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import CAPACITY_RESERVATION, INSTANCE

P5 = "p5.48xlarge"
P_ON_DEMAND = "L-417A185B"
P5_SPOT = "L-C4BD4855"
STANDARD = "L-1216C47A"
MOST = {P_ON_DEMAND: 768}
"""Four P5 machines."""


def of(count: Any, *types: str, called: str = "it", **inputs: Any) -> Parts:
    """A node group of so many machines at most."""
    return group(
        called, instanceTypes=list(types), scalingConfig={"minSize": 0, "desiredSize": 0, "maxSize": count}, **inputs
    )


def reserved(count: int) -> Parts:
    """A node group of four P5 machines in a reservation of so many."""
    target = {"capacityReservationTarget": {"capacityReservationId": Ref("reservation")}}
    return (
        from_template()
        | template(instanceType=P5, capacityReservationSpecification=target)
        | {"reservation": (CAPACITY_RESERVATION, {"instanceType": P5, "instanceCount": count})}
    )


def groups(count: int) -> Parts:
    """A cluster with so many node groups."""
    made = {f"group-{n}": group("group", clusterName=Ref("it", "name"))["group"] for n in range(count)}
    return cluster("it") | made


CASES = [
    Case("aws-quota-vcpu", Outcome.PASS, of(4, P5), quotas=MOST),
    Case("aws-quota-vcpu", Outcome.NOT_APPLICABLE, of(99, P5, capacityType="SPOT"), quotas=MOST),
    Case(
        "aws-quota-vcpu",
        Outcome.PASS,
        of(4, P5) | of(99, P5, called="block", capacityType="CAPACITY_BLOCK"),
        quotas=MOST,
    ),
    Case("aws-quota-vcpu", Outcome.PASS, reserved(4), quotas=MOST),
    Case("aws-quota-vcpu", Outcome.PASS, reserved(4), quotas=MOST, preview=True),
    Case("aws-quota-vcpu", Outcome.FAIL, of(5, P5), "scalingConfig.maxSize", "960", quotas=MOST),
    Case(
        "aws-quota-vcpu",
        Outcome.FAIL,
        of(3, P5) | of(3, "p4d.24xlarge", called="more"),
        "scalingConfig.maxSize",
        "864",
        quotas=MOST,
    ),
    Case(
        "aws-quota-vcpu",
        Outcome.FAIL,
        of(1, P5, capacityType="SPOT"),
        "scalingConfig.maxSize",
        P5_SPOT,
        quotas={P5_SPOT: 0},
    ),
    Case("aws-quota-vcpu", Outcome.FAIL, reserved(5), "instanceCount", "960", quotas=MOST),
    Case(
        "aws-quota-vcpu",
        Outcome.FAIL,
        of(5, "t3.medium", "m5.xlarge"),
        "scalingConfig.maxSize",
        "20",
        quotas={STANDARD: 16},
    ),
    Case(
        "aws-quota-vcpu",
        Outcome.FAIL,
        scaled() | template(instanceType=P5),
        "maxSize",
        quotas={P_ON_DEMAND: 384},
        preview=True,
    ),
    Case(
        "aws-quota-vcpu",
        Outcome.FAIL,
        {"it": (INSTANCE, {"instanceType": "m5.large"})},
        "instanceType",
        quotas={STANDARD: 1},
    ),
    Case("aws-quota-vcpu", Outcome.UNKNOWN, of(UNKNOWN, P5), quotas=MOST),
    Case("aws-quota-vcpu", Outcome.UNKNOWN, of(4, P5) | group("other", launchTemplate={"id": "lt-1"}), quotas=MOST),
    Case("aws-quota-vcpu", Outcome.NOT_APPLICABLE, of(99, P5)),
    Case("aws-quota-vcpu", Outcome.NOT_APPLICABLE, of(99, P5), quotas={STANDARD: 0}),
    Case("aws-quota-node-groups", Outcome.PASS, groups(30)),
    Case("aws-quota-node-groups", Outcome.PASS, groups(31), quotas={"L-6D54EA21": 60}),
    Case("aws-quota-node-groups", Outcome.FAIL, groups(31), says="31"),
    Case("aws-quota-node-groups", Outcome.UNKNOWN, cluster("it") | group("group", clusterName=UNKNOWN)),
    Case("aws-quota-node-groups", Outcome.NOT_APPLICABLE, cluster("it")),
    Case("aws-quota-nodes-per-group", Outcome.PASS, of(450, "m5.large")),
    Case("aws-quota-nodes-per-group", Outcome.FAIL, of(451, "m5.large"), "scalingConfig.maxSize", "450"),
    Case(
        "aws-quota-nodes-per-group",
        Outcome.FAIL,
        of(200, "m5.large"),
        "scalingConfig.maxSize",
        quotas={"L-BD136A63": 100},
    ),
    Case("aws-quota-nodes-per-group", Outcome.UNKNOWN, of(UNKNOWN, "m5.large")),
    Case("aws-quota-nodes-per-group", Outcome.NOT_APPLICABLE, group(scalingConfig=None)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_quota_rule_counts_what_may_run(case: Case) -> None:
    check(case)

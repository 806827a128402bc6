"""Quotas of a project, as its user declares them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, INSTANCE, NETWORK, NODE_POOL, RESERVATION, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

A100 = {"NVIDIA_A100_GPUS": 16}
SPOT = {"PREEMPTIBLE_NVIDIA_A100_GPUS": 16}
SPECIFIC: dict[str, Any] = {"reservationAffinity": {"consumeReservationType": "SPECIFIC_RESERVATION"}}


def pool(
    most: Any, machine: str = "a2-highgpu-8g", zones: tuple[str, ...] = ("us-central1-a",), **config: Any
) -> Program:
    """A pool that may grow to so many nodes in each of its zones."""
    inputs = {
        "cluster": Ref("cluster", "name"),
        "nodeLocations": list(zones),
        "autoscaling": {"maxNodeCount": most},
        "nodeConfig": {"machineType": machine, **config},
    }
    return {"cluster": (CLUSTER, {"location": "us-central1"}), "it": (NODE_POOL, inputs)}


def reserved(count: Any) -> Program:
    """A reservation of machines."""
    specific = {"count": count, "instanceProperties": {"machineType": "a2-highgpu-8g"}}
    return {"it": (RESERVATION, {"zone": "us-central1-a", "specificReservation": specific})}


def networks(count: int, **inputs: Any) -> Program:
    """Networks, and a subnetwork in each."""
    made: Program = {f"net{rank}": (NETWORK, {"autoCreateSubnetworks": False, **inputs}) for rank in range(count)}
    return {**made, **{f"sub{rank}": (SUBNETWORK, {"network": Ref(f"net{rank}")}) for rank in range(count)}}


CASES = [
    Case("gcp-quota-machines", PASS, pool(2), quotas=A100),
    Case("gcp-quota-machines", PASS, pool(4, spot=True), quotas={**A100, "PREEMPTIBLE_NVIDIA_A100_GPUS": 32}),
    Case("gcp-quota-machines", NOT_APPLICABLE, pool(4, **SPECIFIC), quotas=A100),
    Case("gcp-quota-machines", FAIL, pool(3), path="nodeConfig.machineType", says="24 together", quotas=A100),
    Case(
        "gcp-quota-machines",
        FAIL,
        pool(2, zones=("us-central1-a", "us-central1-b")),
        path="nodeConfig.machineType",
        says="each of its zones",
        quotas=A100,
    ),
    Case(
        "gcp-quota-machines", FAIL, pool(3, spot=True), path="nodeConfig.machineType", says="PREEMPTIBLE", quotas=SPOT
    ),
    Case("gcp-quota-machines", FAIL, reserved(3), path="", says="24", quotas=A100),
    Case(
        "gcp-quota-machines",
        FAIL,
        {**pool(2), "vm": (INSTANCE, {"machineType": "a2-highgpu-1g"})},
        path="nodeConfig.machineType",
        says="it, vm",
        quotas=A100,
    ),
    Case("gcp-quota-machines", CANNOT_TELL, pool(UNKNOWN), quotas=A100),
    Case("gcp-quota-machines", NOT_APPLICABLE, pool(3)),
    Case("gcp-quota-networks", PASS, networks(5), quotas={"NETWORKS": 5, "SUBNETWORKS": 5}),
    Case("gcp-quota-networks", FAIL, networks(6), says="quota NETWORKS", quotas={"NETWORKS": 5}),
    Case("gcp-quota-networks", FAIL, networks(6), says="quota SUBNETWORKS", quotas={"SUBNETWORKS": 5}),
    Case("gcp-quota-networks", CANNOT_TELL, networks(1, autoCreateSubnetworks=UNKNOWN), quotas={"SUBNETWORKS": 5}),
    Case("gcp-quota-networks", NOT_APPLICABLE, networks(6)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_quota_rule_says_what_the_user_declared(case: Case) -> None:
    check(case)

"""How machines are bought, and what each way asks of a pool."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import pool, reserved, unreserved
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import INSTANCE

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

QUEUED = {"queuedProvisioning": {"enabled": True}}
FROM_NONE = {"autoscaling": {"minNodeCount": 0, "maxNodeCount": 4}}
KIND = "nodeConfig.reservationAffinity.consumeReservationType"


def bought(machine: str = "a3-megagpu-8g", /, *, config: Any = None, pool_says: Any = None, **way: Any) -> Program:
    """A pool that is bought in some way."""
    return pool(machine, {**way, **(config or {})}, **(pool_says or {}))


def machine(machine_type: str = "a3-megagpu-8g", **scheduling: Any) -> Program:
    """A machine without GKE."""
    return {"it": (INSTANCE, {"machineType": machine_type, "scheduling": scheduling})}


CASES = [
    Case("GCP-BUY-001", PASS, bought(spot=True)),
    Case("GCP-BUY-001", FAIL, bought(spot=True, flexStart=True), path="nodeConfig.spot", says="flexStart"),
    Case("GCP-BUY-001", FAIL, bought(spot=True, preemptible=True), path="nodeConfig.spot"),
    Case("GCP-BUY-001", FAIL, bought(spot=True, pool_says=QUEUED), path="nodeConfig.spot", says="queued"),
    Case("GCP-BUY-001", CANNOT_TELL, bought(spot=UNKNOWN)),
    Case("GCP-BUY-001", NOT_APPLICABLE, bought()),
    Case("GCP-BUY-002", PASS, bought(spot=True)),
    Case("GCP-BUY-002", PASS, bought(spot=True, **unreserved())),
    Case("GCP-BUY-002", PASS, bought(flexStart=True, **unreserved())),
    Case("GCP-BUY-002", FAIL, bought(spot=True, **reserved()), path=KIND, says="NO_RESERVATION"),
    Case("GCP-BUY-002", FAIL, bought(flexStart=True, **reserved()), path=KIND),
    Case("GCP-BUY-002", FAIL, bought(flexStart=True), path=KIND, says="nothing is said"),
    Case("GCP-BUY-002", FAIL, bought(pool_says=QUEUED), path=KIND, says="queued machines"),
    Case("GCP-BUY-002", CANNOT_TELL, bought(flexStart=True, **unreserved(UNKNOWN))),
    Case("GCP-BUY-002", NOT_APPLICABLE, bought(**reserved())),
    Case("GCP-BUY-003", PASS, bought(flexStart=True, pool_says={"management": {"autoRepair": False}})),
    Case("GCP-BUY-003", FAIL, bought(flexStart=True), path="management.autoRepair", says="false"),
    Case("GCP-BUY-003", CANNOT_TELL, bought(flexStart=True, pool_says={"management": UNKNOWN})),
    Case("GCP-BUY-003", NOT_APPLICABLE, bought()),
    Case("GCP-BUY-004", PASS, bought(flexStart=True, pool_says=FROM_NONE)),
    Case("GCP-BUY-004", FAIL, bought(flexStart=True), path="autoscaling", says="minimum of 0"),
    Case("GCP-BUY-004", FAIL, bought(flexStart=True, pool_says={**FROM_NONE, "nodeCount": 4}), path="nodeCount"),
    Case(
        "GCP-BUY-004",
        FAIL,
        bought(pool_says={**QUEUED, "autoscaling": {"totalMinNodeCount": 2}}),
        path="autoscaling.totalMinNodeCount",
        says="to 0",
    ),
    Case("GCP-BUY-004", CANNOT_TELL, bought(flexStart=True, pool_says={**FROM_NONE, "nodeCount": UNKNOWN})),
    Case("GCP-BUY-004", NOT_APPLICABLE, bought()),
    Case("GCP-BUY-005", PASS, bought("a4-highgpu-8g", spot=True)),
    Case("GCP-BUY-005", PASS, bought("g2-standard-8", **unreserved())),
    Case("GCP-BUY-005", FAIL, bought("a4x-highgpu-4g", spot=True), path="nodeConfig.spot", says="It is sold reserved"),
    Case("GCP-BUY-005", FAIL, bought("a3-ultragpu-8g", **unreserved()), path=KIND, says="by flex start"),
    Case("GCP-BUY-005", FAIL, bought("a3-highgpu-1g"), path="nodeConfig.machineType", says="on demand"),
    Case("GCP-BUY-005", FAIL, bought("a3-highgpu-1g", **reserved()), path=KIND, says="spot"),
    Case("GCP-BUY-005", FAIL, bought("a3-edgegpu-8g", flexStart=True), path="nodeConfig.flexStart"),
    Case("GCP-BUY-005", FAIL, bought("a3-edgegpu-8g", pool_says=QUEUED), path="queuedProvisioning"),
    Case("GCP-BUY-005", CANNOT_TELL, bought("a4x-highgpu-4g", spot=UNKNOWN)),
    Case("GCP-BUY-005", NOT_APPLICABLE, bought("a3-ultragpu-8g")),
    Case("GCP-BUY-006", PASS, bought("a3-ultragpu-8g", **reserved())),
    Case("GCP-BUY-006", FAIL, bought("a3-ultragpu-8g"), path="nodeConfig.reservationAffinity", says="or buy as spot"),
    Case("GCP-BUY-006", CANNOT_TELL, bought("a3-ultragpu-8g", **reserved(kind=UNKNOWN))),
    Case("GCP-BUY-006", NOT_APPLICABLE, bought("a3-ultragpu-8g", spot=True)),
    Case("GCP-BUY-006", NOT_APPLICABLE, bought("a3-megagpu-8g")),
    Case("GCP-BUY-007", PASS, bought(flexStart=True, maxRunDuration="604800s")),
    Case("GCP-BUY-007", PASS, bought(maxRunDuration="1209600s")),
    Case("GCP-BUY-007", FAIL, bought(maxRunDuration="7d"), path="nodeConfig.maxRunDuration", says="604800s"),
    Case("GCP-BUY-007", FAIL, bought(flexStart=True, maxRunDuration="604801s"), path="nodeConfig.maxRunDuration"),
    Case("GCP-BUY-007", CANNOT_TELL, bought(maxRunDuration=UNKNOWN)),
    Case("GCP-BUY-007", NOT_APPLICABLE, bought(flexStart=True)),
    Case("GCP-BUY-008", PASS, machine(provisioningModel="SPOT", automaticRestart=False)),
    Case("GCP-BUY-008", FAIL, machine(provisioningModel="SPOT"), path="scheduling.automaticRestart", says="false"),
    Case("GCP-BUY-008", FAIL, machine(preemptible=True), path="scheduling.automaticRestart"),
    Case(
        "GCP-BUY-008",
        FAIL,
        machine(provisioningModel="FLEX_START", automaticRestart=False),
        path="scheduling.maxRunDuration",
    ),
    Case("GCP-BUY-008", CANNOT_TELL, machine(provisioningModel=UNKNOWN)),
    Case("GCP-BUY-008", NOT_APPLICABLE, machine(onHostMaintenance="TERMINATE")),
    Case("GCP-BUY-009", PASS, machine(provisioningModel="SPOT")),
    Case(
        "GCP-BUY-009",
        FAIL,
        machine("a4x-highgpu-4g", provisioningModel="SPOT"),
        path="scheduling.provisioningModel",
        says="It is sold reserved",
    ),
    Case("GCP-BUY-009", FAIL, machine("a3-highgpu-1g"), path="scheduling.provisioningModel", says="on demand"),
    Case("GCP-BUY-009", FAIL, machine("a4x-highgpu-4g", preemptible=True), path="scheduling.provisioningModel"),
    Case("GCP-BUY-009", CANNOT_TELL, machine(provisioningModel=UNKNOWN)),
    Case("GCP-BUY-009", NOT_APPLICABLE, machine("a3-ultragpu-8g")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_consumption_rule_tells(case: Case) -> None:
    check(case)

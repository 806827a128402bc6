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
    Case("gcp-gke-pool-purchase-option", PASS, bought(spot=True)),
    Case(
        "gcp-gke-pool-purchase-option",
        FAIL,
        bought(spot=True, flexStart=True),
        path="nodeConfig.spot",
        says="flexStart",
    ),
    Case("gcp-gke-pool-purchase-option", FAIL, bought(spot=True, preemptible=True), path="nodeConfig.spot"),
    Case(
        "gcp-gke-pool-purchase-option", FAIL, bought(spot=True, pool_says=QUEUED), path="nodeConfig.spot", says="queued"
    ),
    Case("gcp-gke-pool-purchase-option", CANNOT_TELL, bought(spot=UNKNOWN)),
    Case("gcp-gke-pool-purchase-option", NOT_APPLICABLE, bought()),
    Case("gcp-gke-pool-no-reservation", PASS, bought(spot=True)),
    Case("gcp-gke-pool-no-reservation", PASS, bought(spot=True, **unreserved())),
    Case("gcp-gke-pool-no-reservation", PASS, bought(flexStart=True, **unreserved())),
    Case("gcp-gke-pool-no-reservation", FAIL, bought(spot=True, **reserved()), path=KIND, says="NO_RESERVATION"),
    Case("gcp-gke-pool-no-reservation", FAIL, bought(flexStart=True, **reserved()), path=KIND),
    Case("gcp-gke-pool-no-reservation", FAIL, bought(flexStart=True), path=KIND, says="nothing is said"),
    Case("gcp-gke-pool-no-reservation", FAIL, bought(pool_says=QUEUED), path=KIND, says="queued machines"),
    Case("gcp-gke-pool-no-reservation", CANNOT_TELL, bought(flexStart=True, **unreserved(UNKNOWN))),
    Case("gcp-gke-pool-no-reservation", NOT_APPLICABLE, bought(**reserved())),
    Case("gcp-gke-flex-start-no-repair", PASS, bought(flexStart=True, pool_says={"management": {"autoRepair": False}})),
    Case("gcp-gke-flex-start-no-repair", FAIL, bought(flexStart=True), path="management.autoRepair", says="false"),
    Case("gcp-gke-flex-start-no-repair", CANNOT_TELL, bought(flexStart=True, pool_says={"management": UNKNOWN})),
    Case("gcp-gke-flex-start-no-repair", NOT_APPLICABLE, bought()),
    Case("gcp-gke-flex-start-autoscaled", PASS, bought(flexStart=True, pool_says=FROM_NONE)),
    Case("gcp-gke-flex-start-autoscaled", FAIL, bought(flexStart=True), path="autoscaling", says="minimum of 0"),
    Case(
        "gcp-gke-flex-start-autoscaled",
        FAIL,
        bought(flexStart=True, pool_says={**FROM_NONE, "nodeCount": 4}),
        path="nodeCount",
    ),
    Case(
        "gcp-gke-flex-start-autoscaled",
        FAIL,
        bought(pool_says={**QUEUED, "autoscaling": {"totalMinNodeCount": 2}}),
        path="autoscaling.totalMinNodeCount",
        says="to 0",
    ),
    Case(
        "gcp-gke-flex-start-autoscaled",
        CANNOT_TELL,
        bought(flexStart=True, pool_says={**FROM_NONE, "nodeCount": UNKNOWN}),
    ),
    Case("gcp-gke-flex-start-autoscaled", NOT_APPLICABLE, bought()),
    Case("gcp-gke-pool-consumption-option", PASS, bought("a4-highgpu-8g", spot=True)),
    Case("gcp-gke-pool-consumption-option", PASS, bought("g2-standard-8", **unreserved())),
    Case(
        "gcp-gke-pool-consumption-option",
        FAIL,
        bought("a4x-highgpu-4g", spot=True),
        path="nodeConfig.spot",
        says="It is sold reserved",
    ),
    Case(
        "gcp-gke-pool-consumption-option",
        FAIL,
        bought("a3-ultragpu-8g", **unreserved()),
        path=KIND,
        says="by flex start",
    ),
    Case(
        "gcp-gke-pool-consumption-option",
        FAIL,
        bought("a3-highgpu-1g"),
        path="nodeConfig.machineType",
        says="on demand",
    ),
    Case("gcp-gke-pool-consumption-option", FAIL, bought("a3-highgpu-1g", **reserved()), path=KIND, says="spot"),
    Case("gcp-gke-pool-consumption-option", FAIL, bought("a3-edgegpu-8g", flexStart=True), path="nodeConfig.flexStart"),
    Case("gcp-gke-pool-consumption-option", FAIL, bought("a3-edgegpu-8g", pool_says=QUEUED), path="queuedProvisioning"),
    Case("gcp-gke-pool-consumption-option", CANNOT_TELL, bought("a4x-highgpu-4g", spot=UNKNOWN)),
    Case("gcp-gke-pool-consumption-option", NOT_APPLICABLE, bought("a3-ultragpu-8g")),
    Case("gcp-gke-pool-reservation-named", PASS, bought("a3-ultragpu-8g", **reserved())),
    Case(
        "gcp-gke-pool-reservation-named",
        FAIL,
        bought("a3-ultragpu-8g"),
        path="nodeConfig.reservationAffinity",
        says="or buy as spot",
    ),
    Case("gcp-gke-pool-reservation-named", CANNOT_TELL, bought("a3-ultragpu-8g", **reserved(kind=UNKNOWN))),
    Case("gcp-gke-pool-reservation-named", NOT_APPLICABLE, bought("a3-ultragpu-8g", spot=True)),
    Case("gcp-gke-pool-reservation-named", NOT_APPLICABLE, bought("a3-megagpu-8g")),
    Case("gcp-gke-max-run-duration", PASS, bought(flexStart=True, maxRunDuration="604800s")),
    Case("gcp-gke-max-run-duration", PASS, bought(maxRunDuration="1209600s")),
    Case(
        "gcp-gke-max-run-duration", FAIL, bought(maxRunDuration="7d"), path="nodeConfig.maxRunDuration", says="604800s"
    ),
    Case(
        "gcp-gke-max-run-duration",
        FAIL,
        bought(flexStart=True, maxRunDuration="604801s"),
        path="nodeConfig.maxRunDuration",
    ),
    Case("gcp-gke-max-run-duration", CANNOT_TELL, bought(maxRunDuration=UNKNOWN)),
    Case("gcp-gke-max-run-duration", NOT_APPLICABLE, bought(flexStart=True)),
    Case("gcp-machine-spot-no-restart", PASS, machine(provisioningModel="SPOT", automaticRestart=False)),
    Case(
        "gcp-machine-spot-no-restart",
        FAIL,
        machine(provisioningModel="SPOT"),
        path="scheduling.automaticRestart",
        says="false",
    ),
    Case("gcp-machine-spot-no-restart", FAIL, machine(preemptible=True), path="scheduling.automaticRestart"),
    Case(
        "gcp-machine-spot-no-restart",
        FAIL,
        machine(provisioningModel="FLEX_START", automaticRestart=False),
        path="scheduling.maxRunDuration",
    ),
    Case("gcp-machine-spot-no-restart", CANNOT_TELL, machine(provisioningModel=UNKNOWN)),
    Case("gcp-machine-spot-no-restart", NOT_APPLICABLE, machine(onHostMaintenance="TERMINATE")),
    Case("gcp-machine-consumption-option", PASS, machine(provisioningModel="SPOT")),
    Case(
        "gcp-machine-consumption-option",
        FAIL,
        machine("a4x-highgpu-4g", provisioningModel="SPOT"),
        path="scheduling.provisioningModel",
        says="It is sold reserved",
    ),
    Case(
        "gcp-machine-consumption-option",
        FAIL,
        machine("a3-highgpu-1g"),
        path="scheduling.provisioningModel",
        says="on demand",
    ),
    Case(
        "gcp-machine-consumption-option",
        FAIL,
        machine("a4x-highgpu-4g", preemptible=True),
        path="scheduling.provisioningModel",
    ),
    Case("gcp-machine-consumption-option", CANNOT_TELL, machine(provisioningModel=UNKNOWN)),
    Case("gcp-machine-consumption-option", NOT_APPLICABLE, machine("a3-ultragpu-8g")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_consumption_rule_tells(case: Case) -> None:
    check(case)

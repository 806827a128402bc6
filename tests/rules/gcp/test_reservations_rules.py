"""Reservations: how pools and machines name them, and what they must hold."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import KEY, ZONE, pool, reservation, reserved, unreserved
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import INSTANCE, NODE_POOL

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

VALUES = "nodeConfig.reservationAffinity.values"
MEGA = {"guestAccelerators": [{"type": "nvidia-h100-mega-80gb", "count": 8}]}
THEIRS = {"guestAccelerators": [{"acceleratorType": "nvidia-h100-mega-80gb", "acceleratorCount": 8}]}
SSDS = {"localSsds": [{"diskSizeGb": 375}] * 16}


def affine(**affinity: Any) -> Program:
    """A pool that says something of reservations."""
    return pool("a3-megagpu-8g", affinity)


def holding(machine: str = "a3-megagpu-8g", config: Any = None, held: Any = None, **inputs: Any) -> Program:
    """A pool that names a reservation of the program."""
    others = reservation(**(held or {}))
    return pool(machine, {**reserved(Ref("reservation", "name")), **(config or {})}, others=others, **inputs)


def held(*counts: Any, room: Any = 8, value: Any = "train") -> Program:
    """A reservation, and pools of so many nodes that name it."""
    users: Program = {
        f"pool{rank}": (
            NODE_POOL,
            {
                "nodeLocations": [ZONE],
                "nodeCount": count,
                "nodeConfig": {"machineType": "a3-megagpu-8g", **reserved(value)},
            },
        )
        for rank, count in enumerate(counts)
    }
    return {"it": reservation(count=room)["reservation"], **users}


def using(kind: Any, named: Any = None) -> Program:
    """A machine without GKE that uses reservations, or none."""
    affinity = {"type": kind, **({} if named is None else {"specificReservation": named})}
    return {"it": (INSTANCE, {"machineType": "a3-megagpu-8g", "reservationAffinity": affinity})}


CASES = [
    Case("gcp-gke-reservation-affinity", PASS, affine(**reserved())),
    Case("gcp-gke-reservation-affinity", PASS, affine(**unreserved("ANY_RESERVATION"))),
    Case("gcp-gke-reservation-affinity", FAIL, affine(**reserved(["a", "b"])), path=VALUES, says="2 are named"),
    Case("gcp-gke-reservation-affinity", FAIL, affine(**reserved(None)), path=VALUES, says="Name one"),
    Case(
        "gcp-gke-reservation-affinity",
        FAIL,
        affine(**reserved(key="name")),
        path="nodeConfig.reservationAffinity.key",
        says=KEY,
    ),
    Case(
        "gcp-gke-reservation-affinity",
        FAIL,
        affine(**reserved(kind="ANY_RESERVATION")),
        path=VALUES,
        says="SPECIFIC_RESERVATION",
    ),
    Case("gcp-gke-reservation-affinity", CANNOT_TELL, affine(**reserved(kind=UNKNOWN))),
    Case("gcp-gke-reservation-affinity", NOT_APPLICABLE, affine()),
    Case("gcp-gke-reservation-path", PASS, affine(**reserved())),
    Case(
        "gcp-gke-reservation-path", PASS, affine(**reserved("projects/acme/reservations/train/reservationBlocks/b-1"))
    ),
    Case(
        "gcp-gke-reservation-path",
        FAIL,
        affine(**reserved(f"projects/acme/zones/{ZONE}/reservations/train")),
        path=VALUES,
    ),
    Case(
        "gcp-gke-reservation-path",
        FAIL,
        affine(**reserved("Train")),
        path=VALUES,
        says="projects/PROJECT/reservations/NAME",
    ),
    Case("gcp-gke-reservation-path", CANNOT_TELL, affine(**reserved(UNKNOWN))),
    Case("gcp-gke-reservation-path", NOT_APPLICABLE, affine(**unreserved())),
    Case("gcp-gke-reservation-match", PASS, holding()),
    Case("gcp-gke-reservation-match", PASS, holding(), preview=True),
    Case("gcp-gke-reservation-match", PASS, holding(config=MEGA, held={"properties": THEIRS})),
    Case(
        "gcp-gke-reservation-match",
        FAIL,
        holding("a3-highgpu-8g"),
        path="nodeConfig.machineType",
        says="Use a3-megagpu-8g",
    ),
    Case(
        "gcp-gke-reservation-match", FAIL, holding("a3-megagpu-8g-nolssd"), path="nodeConfig.machineType", preview=True
    ),
    Case(
        "gcp-gke-reservation-match",
        FAIL,
        holding(held={"zone": "us-central1-b"}),
        path="nodeLocations",
        says="us-central1-b alone",
    ),
    Case("gcp-gke-reservation-match", FAIL, holding(nodeLocations=[ZONE, "us-central1-b"]), path="nodeLocations"),
    Case(
        "gcp-gke-reservation-match",
        FAIL,
        holding(held={"specificReservationRequired": False}),
        path="specificReservationRequired",
        says="true",
    ),
    Case(
        "gcp-gke-reservation-match",
        FAIL,
        holding(config={"localSsdCount": 8}, held={"properties": SSDS}),
        path="nodeConfig.ephemeralStorageLocalSsdConfig.localSsdCount",
        says="Ask for 16",
    ),
    Case(
        "gcp-gke-reservation-match",
        FAIL,
        holding(config={"guestAccelerators": [{"type": "nvidia-h100-80gb", "count": 8}]}, held={"properties": THEIRS}),
        path="nodeConfig.guestAccelerators",
        says="8 of nvidia-h100-mega-80gb",
    ),
    Case("gcp-gke-reservation-match", CANNOT_TELL, affine(**reserved("elsewhere"))),
    Case("gcp-gke-reservation-match", NOT_APPLICABLE, affine(**unreserved())),
    Case("gcp-reservation-capacity", PASS, held(4, 4)),
    Case("gcp-reservation-capacity", FAIL, held(4, 8), path="specificReservation.count", says="Reserve 12"),
    Case(
        "gcp-reservation-capacity",
        FAIL,
        held(9, value="projects/acme/reservations/train"),
        path="specificReservation.count",
    ),
    Case("gcp-reservation-capacity", CANNOT_TELL, held(4, room=UNKNOWN)),
    Case("gcp-reservation-capacity", CANNOT_TELL, held(UNKNOWN)),
    Case("gcp-reservation-capacity", NOT_APPLICABLE, held(9, value="another")),
    Case("gcp-gke-maintenance-interval", PASS, holding()),
    Case(
        "gcp-gke-maintenance-interval",
        FAIL,
        holding(held={"properties": {"maintenanceInterval": "PERIODIC"}}),
        path="nodeConfig.hostMaintenancePolicy.maintenanceInterval",
        says="Set maintenanceInterval to PERIODIC",
    ),
    Case(
        "gcp-gke-maintenance-interval",
        FAIL,
        holding(config={"hostMaintenancePolicy": {"maintenanceInterval": "AS_NEEDED"}}),
        path="nodeConfig.hostMaintenancePolicy.maintenanceInterval",
        says="Leave",
    ),
    Case("gcp-gke-maintenance-interval", CANNOT_TELL, holding(config={"hostMaintenancePolicy": UNKNOWN})),
    Case("gcp-gke-maintenance-interval", NOT_APPLICABLE, affine()),
    Case("gcp-machine-reservation-affinity", PASS, using("SPECIFIC_RESERVATION", {"key": KEY, "values": ["train"]})),
    Case("gcp-machine-reservation-affinity", PASS, using("NO_RESERVATION")),
    Case(
        "gcp-machine-reservation-affinity",
        FAIL,
        using("SPECIFIC_RESERVATION"),
        path="reservationAffinity.specificReservation",
        says=KEY,
    ),
    Case(
        "gcp-machine-reservation-affinity",
        FAIL,
        using("SPECIFIC_RESERVATION", {"key": "name", "values": ["train"]}),
        path="reservationAffinity.specificReservation.key",
    ),
    Case(
        "gcp-machine-reservation-affinity",
        FAIL,
        using("ANY_RESERVATION", {"key": KEY, "values": ["train"]}),
        path="reservationAffinity.specificReservation",
        says="SPECIFIC_RESERVATION",
    ),
    Case("gcp-machine-reservation-affinity", CANNOT_TELL, using(UNKNOWN)),
    Case("gcp-machine-reservation-affinity", NOT_APPLICABLE, {"it": (INSTANCE, {"machineType": "a3-megagpu-8g"})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_reservation_rule_tells(case: Case) -> None:
    check(case)

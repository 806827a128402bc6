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
    Case("GCP-BUY-010", PASS, affine(**reserved())),
    Case("GCP-BUY-010", PASS, affine(**unreserved("ANY_RESERVATION"))),
    Case("GCP-BUY-010", FAIL, affine(**reserved(["a", "b"])), path=VALUES, says="2 are named"),
    Case("GCP-BUY-010", FAIL, affine(**reserved(None)), path=VALUES, says="Name one"),
    Case("GCP-BUY-010", FAIL, affine(**reserved(key="name")), path="nodeConfig.reservationAffinity.key", says=KEY),
    Case("GCP-BUY-010", FAIL, affine(**reserved(kind="ANY_RESERVATION")), path=VALUES, says="SPECIFIC_RESERVATION"),
    Case("GCP-BUY-010", CANNOT_TELL, affine(**reserved(kind=UNKNOWN))),
    Case("GCP-BUY-010", NOT_APPLICABLE, affine()),
    Case("GCP-BUY-011", PASS, affine(**reserved())),
    Case("GCP-BUY-011", PASS, affine(**reserved("projects/acme/reservations/train/reservationBlocks/b-1"))),
    Case("GCP-BUY-011", FAIL, affine(**reserved(f"projects/acme/zones/{ZONE}/reservations/train")), path=VALUES),
    Case("GCP-BUY-011", FAIL, affine(**reserved("Train")), path=VALUES, says="projects/PROJECT/reservations/NAME"),
    Case("GCP-BUY-011", CANNOT_TELL, affine(**reserved(UNKNOWN))),
    Case("GCP-BUY-011", NOT_APPLICABLE, affine(**unreserved())),
    Case("GCP-BUY-012", PASS, holding()),
    Case("GCP-BUY-012", PASS, holding(), preview=True),
    Case("GCP-BUY-012", PASS, holding(config=MEGA, held={"properties": THEIRS})),
    Case("GCP-BUY-012", FAIL, holding("a3-highgpu-8g"), path="nodeConfig.machineType", says="Use a3-megagpu-8g"),
    Case("GCP-BUY-012", FAIL, holding("a3-megagpu-8g-nolssd"), path="nodeConfig.machineType", preview=True),
    Case(
        "GCP-BUY-012", FAIL, holding(held={"zone": "us-central1-b"}), path="nodeLocations", says="us-central1-b alone"
    ),
    Case("GCP-BUY-012", FAIL, holding(nodeLocations=[ZONE, "us-central1-b"]), path="nodeLocations"),
    Case(
        "GCP-BUY-012",
        FAIL,
        holding(held={"specificReservationRequired": False}),
        path="specificReservationRequired",
        says="true",
    ),
    Case(
        "GCP-BUY-012",
        FAIL,
        holding(config={"localSsdCount": 8}, held={"properties": SSDS}),
        path="nodeConfig.ephemeralStorageLocalSsdConfig.localSsdCount",
        says="Ask for 16",
    ),
    Case(
        "GCP-BUY-012",
        FAIL,
        holding(config={"guestAccelerators": [{"type": "nvidia-h100-80gb", "count": 8}]}, held={"properties": THEIRS}),
        path="nodeConfig.guestAccelerators",
        says="8 of nvidia-h100-mega-80gb",
    ),
    Case("GCP-BUY-012", CANNOT_TELL, affine(**reserved("elsewhere"))),
    Case("GCP-BUY-012", NOT_APPLICABLE, affine(**unreserved())),
    Case("GCP-BUY-013", PASS, held(4, 4)),
    Case("GCP-BUY-013", FAIL, held(4, 8), path="specificReservation.count", says="Reserve 12"),
    Case("GCP-BUY-013", FAIL, held(9, value="projects/acme/reservations/train"), path="specificReservation.count"),
    Case("GCP-BUY-013", CANNOT_TELL, held(4, room=UNKNOWN)),
    Case("GCP-BUY-013", CANNOT_TELL, held(UNKNOWN)),
    Case("GCP-BUY-013", NOT_APPLICABLE, held(9, value="another")),
    Case("GCP-BUY-014", PASS, holding()),
    Case(
        "GCP-BUY-014",
        FAIL,
        holding(held={"properties": {"maintenanceInterval": "PERIODIC"}}),
        path="nodeConfig.hostMaintenancePolicy.maintenanceInterval",
        says="Set maintenanceInterval to PERIODIC",
    ),
    Case(
        "GCP-BUY-014",
        FAIL,
        holding(config={"hostMaintenancePolicy": {"maintenanceInterval": "AS_NEEDED"}}),
        path="nodeConfig.hostMaintenancePolicy.maintenanceInterval",
        says="Leave",
    ),
    Case("GCP-BUY-014", CANNOT_TELL, holding(config={"hostMaintenancePolicy": UNKNOWN})),
    Case("GCP-BUY-014", NOT_APPLICABLE, affine()),
    Case("GCP-BUY-015", PASS, using("SPECIFIC_RESERVATION", {"key": KEY, "values": ["train"]})),
    Case("GCP-BUY-015", PASS, using("NO_RESERVATION")),
    Case("GCP-BUY-015", FAIL, using("SPECIFIC_RESERVATION"), path="reservationAffinity.specificReservation", says=KEY),
    Case(
        "GCP-BUY-015",
        FAIL,
        using("SPECIFIC_RESERVATION", {"key": "name", "values": ["train"]}),
        path="reservationAffinity.specificReservation.key",
    ),
    Case(
        "GCP-BUY-015",
        FAIL,
        using("ANY_RESERVATION", {"key": KEY, "values": ["train"]}),
        path="reservationAffinity.specificReservation",
        says="SPECIFIC_RESERVATION",
    ),
    Case("GCP-BUY-015", CANNOT_TELL, using(UNKNOWN)),
    Case("GCP-BUY-015", NOT_APPLICABLE, {"it": (INSTANCE, {"machineType": "a3-megagpu-8g"})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_reservation_rule_tells(case: Case) -> None:
    check(case)

"""Slips in how machines are bought: reservations, spot and flex start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.a3ultra_platform import NO_RESERVATION, ZONE, Slip, reserved
from tests.rehearsal.gcp_slips.slips import OTHER_ZONE, Slips, node

ULTRA = "a3-ultragpu-8g"
NAMED = {"reservation_affinity": lambda made: reserved(made["reservation"])}


def reservation(properties: Mapping[str, Any], count: int = 4) -> Slip:
    """A slip in the reservation."""
    return {"reservation": {"specific_reservation": {"count": count, "instance_properties": properties}}}


SLIPS: Slips = {
    "spot and flex start": ("GCP-BUY-001", "mega", node("mega", spot=True)),
    "spot with a reservation": ("GCP-BUY-002", "slice", node("slice", **NAMED)),
    "flex start with a reservation": ("GCP-BUY-002", "mega", node("mega", **NAMED)),
    "queued machines that may be reserved": ("GCP-BUY-002", "mega", node("mega", reservation_affinity=None)),
    "flex start with repair": ("GCP-BUY-003", "mega", {"mega": {"management": {"auto_repair": True}}}),
    "queued machines that must be there": (
        "GCP-BUY-004",
        "mega",
        {"mega": {"autoscaling": {"total_min_node_count": 2, "total_max_node_count": 8}}},
    ),
    "A3 Ultra on demand": ("GCP-BUY-005", "train", node("train", reservation_affinity=NO_RESERVATION)),
    "A3 Ultra without its reservation": ("GCP-BUY-006", "train", node("train", reservation_affinity=None)),
    "a reservation without its key": (
        "GCP-BUY-010",
        "train",
        node("train", reservation_affinity=lambda made: {**reserved(made["reservation"]), "key": "name"}),
    ),
    "a reservation by its zone": (
        "GCP-BUY-011",
        "train",
        node(
            "train",
            reservation_affinity=lambda made: {
                **reserved(made["reservation"]),
                "values": [f"projects/acme-training/zones/{ZONE}/reservations/ultra"],
            },
        ),
    ),
    "a reservation of other machines": ("GCP-BUY-012", "train", reservation({"machine_type": "a3-megagpu-8g"})),
    "a reservation of machines without SSDs": (
        "GCP-BUY-012",
        "train",
        reservation({"machine_type": f"{ULTRA}-nolssd"}),
    ),
    "a reservation in another zone": ("GCP-BUY-012", "train", {"reservation": {"zone": OTHER_ZONE}}),
    "a reservation that is open to all": (
        "GCP-BUY-012",
        "reservation",
        {"reservation": {"specific_reservation_required": False}},
    ),
    "a reservation that is too small": ("GCP-BUY-013", "reservation", reservation({"machine_type": ULTRA}, count=2)),
    "hosts that are maintained otherwise": (
        "GCP-BUY-014",
        "train",
        node("train", host_maintenance_policy={"maintenance_interval": "PERIODIC"}),
    ),
    "flex start for eight days": ("GCP-BUY-007", "mega", node("mega", max_run_duration="691200s")),
    "flex start for seven d": ("GCP-BUY-007", "mega", node("mega", max_run_duration="7d")),
    "two reservations": (
        "GCP-BUY-010",
        "train",
        node(
            "train",
            reservation_affinity={
                "consume_reservation_type": "SPECIFIC_RESERVATION",
                "key": "compute.googleapis.com/reservation-name",
                "values": ["ultra", "other"],
            },
        ),
    ),
}

"""Misconfigurations in how machines are bought: reservations, spot and flex start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.a3ultra_platform import NO_RESERVATION, ZONE, Misconfiguration, reserved
from tests.simulate.gcp_misconfigurations.misconfigurations import OTHER_ZONE, Misconfigurations, node

ULTRA = "a3-ultragpu-8g"
NAMED = {"reservation_affinity": lambda made: reserved(made["reservation"])}


def reservation(properties: Mapping[str, Any], count: int = 4) -> Misconfiguration:
    """A misconfiguration in the reservation."""
    return {"reservation": {"specific_reservation": {"count": count, "instance_properties": properties}}}


MISCONFIGURATIONS: Misconfigurations = {
    "spot and flex start": ("gcp-gke-pool-purchase-option", "mega", node("mega", spot=True)),
    "spot with a reservation": ("gcp-gke-pool-no-reservation", "slice", node("slice", **NAMED)),
    "flex start with a reservation": ("gcp-gke-pool-no-reservation", "mega", node("mega", **NAMED)),
    "queued machines that may be reserved": (
        "gcp-gke-pool-no-reservation",
        "mega",
        node("mega", reservation_affinity=None),
    ),
    "flex start with repair": ("gcp-gke-flex-start-no-repair", "mega", {"mega": {"management": {"auto_repair": True}}}),
    "queued machines that must be there": (
        "gcp-gke-flex-start-autoscaled",
        "mega",
        {"mega": {"autoscaling": {"total_min_node_count": 2, "total_max_node_count": 8}}},
    ),
    "A3 Ultra on demand": (
        "gcp-gke-pool-consumption-option",
        "train",
        node("train", reservation_affinity=NO_RESERVATION),
    ),
    "A3 Ultra without its reservation": (
        "gcp-gke-pool-reservation-named",
        "train",
        node("train", reservation_affinity=None),
    ),
    "a reservation without its key": (
        "gcp-gke-reservation-affinity",
        "train",
        node("train", reservation_affinity=lambda made: {**reserved(made["reservation"]), "key": "name"}),
    ),
    "a reservation by its zone": (
        "gcp-gke-reservation-path",
        "train",
        node(
            "train",
            reservation_affinity=lambda made: {
                **reserved(made["reservation"]),
                "values": [f"projects/acme-training/zones/{ZONE}/reservations/ultra"],
            },
        ),
    ),
    "a reservation of other machines": (
        "gcp-gke-reservation-match",
        "train",
        reservation({"machine_type": "a3-megagpu-8g"}),
    ),
    "a reservation of machines without SSDs": (
        "gcp-gke-reservation-match",
        "train",
        reservation({"machine_type": f"{ULTRA}-nolssd"}),
    ),
    "a reservation in another zone": ("gcp-gke-reservation-match", "train", {"reservation": {"zone": OTHER_ZONE}}),
    "a reservation that is open to all": (
        "gcp-gke-reservation-match",
        "reservation",
        {"reservation": {"specific_reservation_required": False}},
    ),
    "a reservation that is too small": (
        "gcp-reservation-capacity",
        "reservation",
        reservation({"machine_type": ULTRA}, count=2),
    ),
    "hosts that are maintained otherwise": (
        "gcp-gke-maintenance-interval",
        "train",
        node("train", host_maintenance_policy={"maintenance_interval": "PERIODIC"}),
    ),
    "flex start for eight days": ("gcp-gke-max-run-duration", "mega", node("mega", max_run_duration="691200s")),
    "flex start for seven d": ("gcp-gke-max-run-duration", "mega", node("mega", max_run_duration="7d")),
    "two reservations": (
        "gcp-gke-reservation-affinity",
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

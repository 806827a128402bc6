"""Open capacity reservations of EC2: machines of their type and zone use them without naming them."""

from __future__ import annotations

from collections import Counter

from penstock.aws.types import EC2_CAPACITY_RESERVATION
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View

_PLATFORM = "Linux/UNIX"
"""The platform of the machines that the model reads; an image could say another one, and none is read."""

Place = tuple[str, str]
"""A machine type and the zone of the machines."""


def open_places(site: Site) -> Counter[Place]:
    """Return how many machines the open reservations of a program hold in each place, as far as is known."""
    found: Counter[Place] = Counter()
    for reservation in site.of_type(EC2_CAPACITY_RESERVATION):
        try:
            place = None if reservation.resource.external else _place(reservation)
            if place is not None:
                found[place] += reservation.integer("instanceCount") or 0
        except (NotKnown, TypeMismatch):
            continue
    return found


def uses_open_ones(holder: View) -> bool:
    """Return whether the machines of a template or an instance use open reservations: they do unless it says no."""
    wanted = holder.block("capacityReservationSpecification")
    preference = wanted.text("capacityReservationPreference") if wanted is not None else None
    tenancy = holder.text("tenancy") if "tenancy" in holder else None
    return preference in (None, "open") and tenancy in (None, "default")


def _place(reservation: View) -> Place | None:
    machine_type, zone = reservation.text("instanceType"), reservation.text("availabilityZone")
    is_open = (reservation.text("instanceMatchCriteria") or "open") == "open"
    is_plain = (reservation.text("tenancy") or "default") == "default"
    if not machine_type or not zone or not is_open or not is_plain:
        return None
    return (machine_type, zone) if reservation.text("instancePlatform") == _PLATFORM else None

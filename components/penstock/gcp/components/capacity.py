"""How a pool's machines are bought, and how many of them there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from pulumi_gcp import container

from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.description.node_pool_block import own_settings

_BY_NAME = "compute.googleapis.com/reservation-name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How many machines: a number in each zone that Pulumi holds to, or bounds that the autoscaler keeps."""

    node_count: int | None = None
    initial_node_count: int | None = None
    autoscaling: container.NodePoolAutoscalingArgsDict | None = None


def zones_for(zones: Sequence[str], *, smallest: int, largest: int) -> list[str]:
    """As many of the zones, the first ones first, as a pool of `smallest` to `largest` machines can be in.

    GKE starts equally many machines in each zone, and what they come to must lie within the bounds: four machines in
    three zones are none that it takes, and two each in two zones are.
    """
    counts = range(len(zones), 0, -1)
    return list(zones[: next(count for count in counts if ceil(smallest / count) * count <= largest)])


def size(spec: NodePoolSpec, *, smallest: int, largest: int, zones: int, scarce: bool) -> Size:
    """The size of a pool with `smallest` to `largest` machines in all its zones together (`zones_for`).

    Bounds are for all zones together where there are several; for one they are given by zone, because pools of TPUs
    refuse the others.

    Args:
        spec: The pool.
        smallest: What it never shrinks below.
        largest: What it may grow to.
        zones: How many zones it is in.
        scarce: Whether new machines go to where there are some, instead of evenly to all zones.
    """
    share = ceil(smallest / zones)
    # Machines by flex start come when there are some: Google refuses a number that must be there at once.
    if smallest == largest and spec.capacity != "flex_start":
        return Size(node_count=share)
    policy = "ANY" if scarce else "BALANCED"
    bounds: container.NodePoolAutoscalingArgsDict = (
        {"min_node_count": smallest, "max_node_count": largest, "location_policy": policy}
        if zones == 1
        else {"total_min_node_count": smallest, "total_max_node_count": largest, "location_policy": policy}
    )
    return Size(initial_node_count=share, autoscaling=bounds)


def reservation(spec: NodePoolSpec) -> container.NodePoolNodeConfigReservationAffinityArgsDict | None:
    """The reserved capacity for the machines: that of one reservation, that of any open one and no other, or none.

    Spot machines and those of flex start are refused with any other word than none; on-demand machines use up what is
    open, as everywhere on Google Cloud.
    """
    if spec.reservation is not None:
        return {"consume_reservation_type": "SPECIFIC_RESERVATION", "key": _BY_NAME, "values": [spec.reservation]}
    if spec.capacity == "reserved":
        return {"consume_reservation_type": "ANY_RESERVATION_THEN_FAIL"}
    if spec.capacity in ("spot", "flex_start"):
        return {"consume_reservation_type": "NO_RESERVATION"}
    return None


def longest_run(spec: NodePoolSpec) -> str | None:
    """How long a machine may run, as Google writes it; None for Google's own limit."""
    hours = own_settings(spec).max_run_hours
    return f"{hours * 3600}s" if hours is not None else None

"""Rules on how the machines of a pool are bought: on demand, spot, reserved or as a capacity block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, GCP, pool_rule, rule
from penstock.wording import listed, quoted

_ELSEWHERE = {
    "aws": (
        "flex_start",
        "Google Cloud",
        "On AWS a capacity block gives machines for days; spot, until AWS needs them.",
    ),
    "gcp": (
        "capacity_block",
        "AWS",
        "On Google Cloud flex_start gives machines for days; a reservation holds them for longer.",
    ),
}
"""By cloud: the capacity that it does not sell, who does, and what comes nearest to it."""

_RESERVATION = r"cr-[0-9a-f]{17}"

_NAME = r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"
_RESERVATION_OF_GOOGLE = (
    rf"(projects/[a-z][-a-z0-9.:]*/reservations/)?{_NAME}(/reservationBlocks/{_NAME}(/reservationSubBlocks/{_NAME})?)?"
)
"""GKE documentation, consume reservations: a name, in a project, down to a block or sub-block."""


@pool_rule("SPEC-066")
def pool_grows_upwards(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The smallest number of nodes is not above the largest."""
    if pool.nodes.min > pool.nodes.max:
        message = f"min {pool.nodes.min} is above max {pool.nodes.max}."
        yield Problem(("nodes", "min"), message, "Swap them, or give one number for both.")


@pool_rule("SPEC-067", provider=CLOUDS)
def machine_is_sold_that_way(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machine type is sold in the way that the pool buys it."""
    machine = known.machine(pool, spec)
    if machine is None or pool.capacity == _ELSEWHERE[spec.cloud.provider][0]:
        return
    if pool.capacity not in machine.sold:
        message = f"{machine.machine_type} is not sold as {pool.capacity}."
        yield Problem(("capacity",), message, f"Sold as: {listed(machine.sold)}.")


@pool_rule("SPEC-068", provider=CLOUDS)
def capacity_is_sold_by_the_cloud(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """flex_start is a way in which only Google sells machines, capacity_block one in which only AWS does."""
    elsewhere, seller, hint = _ELSEWHERE[spec.cloud.provider]
    if pool.capacity == elsewhere:
        yield Problem(("capacity",), f"{elsewhere} is sold by {seller} only.", hint)


@pool_rule("SPEC-069", provider=CLOUDS)
def reservation_goes_with_reserved_capacity(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A reservation is named only where the capacity comes from one."""
    unreserved = {"on_demand", "spot", "flex_start"} - {_ELSEWHERE[spec.cloud.provider][0]}
    if pool.reservation is not None and pool.capacity in unreserved:
        message = f"A reservation is named, but capacity is {pool.capacity}: it would be paid for and stand idle."
        machine = known.machine(pool, spec)
        block = ", or to capacity_block if it is one" if spec.cloud.provider == AWS else ""
        hint = f"Set capacity to reserved{block}."
        if machine is not None and "reserved" not in machine.sold:
            hint = f"Leave it out: {machine.machine_type} is not reserved."
        yield Problem(("reservation",), message, hint)


@pool_rule("SPEC-070", provider=AWS)
def capacity_block_is_named_with_its_zone(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A capacity block is bought before, so the pool names it and the zone that it lies in."""
    if pool.capacity != "capacity_block":
        return
    if pool.reservation is None:
        yield Problem(("reservation",), "The id of the capacity block is missing.", "Such as cr-0123456789abcdef0.")
    if pool.zone is None:
        yield Problem(("zone",), "The zone of the capacity block is missing.", "AWS shows it beside the reservation.")


@pool_rule("SPEC-071", provider=AWS)
def reservation_is_an_id(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A reservation has the id of a capacity reservation."""
    if pool.reservation is not None and not re.fullmatch(_RESERVATION, pool.reservation):
        message = f"{quoted(pool.reservation)} is no id of a capacity reservation."
        yield Problem(("reservation",), message, "cr- and 17 of 0-9 and a-f, such as cr-0123456789abcdef0.")


@pool_rule("SPEC-071", provider=GCP)
def reservation_is_a_name(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A reservation has the name of one, with its project where that is another, and may go on to a block of it."""
    if pool.reservation is not None and not re.fullmatch(_RESERVATION_OF_GOOGLE, pool.reservation):
        hint = (
            "Such as my-reservation, or projects/P/reservations/R of another project; "
            "a part of it goes on with /reservationBlocks/B and /reservationSubBlocks/S."
        )
        yield Problem(("reservation",), f"{quoted(pool.reservation)} is no name of a reservation.", hint)


@pool_rule("SPEC-072", provider=AWS)
def capacity_block_holds_the_nodes(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A pool grows no larger than the largest capacity block that AWS sells."""
    most = limits.find_limit("machines_of_a_capacity_block", "aws").most
    if pool.capacity == "capacity_block" and pool.nodes.max > most:
        path = ("nodes",) if pool.nodes.min == pool.nodes.max else ("nodes", "max")
        message = f"{pool.nodes.max} nodes do not fit into a capacity block, which has {most} at most."
        yield Problem(path, message, "Spread them over several pools, each with a block of its own.")


@rule("SPEC-074", reads=("node_pools", "network"), provider=CLOUDS)
def reservation_lies_in_one_zone(spec: Spec) -> Iterator[Problem]:
    """Pools that name one reservation stand in one zone, since a reservation lies in one."""
    first: dict[str, tuple[str, str]] = {}
    for index, pool in enumerate(spec.node_pools):
        zone, reservation = known.zone(pool, spec), _whole_reservation(pool, spec)
        if reservation is None or zone is None:
            continue
        name, other = first.setdefault(reservation, (pool.name, zone))
        if zone != other:
            field = "zone" if pool.zone is not None else "reservation"
            message = f"{reservation} lies in one zone: {name} is in {other}, {pool.name} in {zone}."
            yield Problem(("node_pools", index, field), message, "Set both to the zone of the reservation.")


@rule("SPEC-074", reads=("node_pools",), provider=CLOUDS)
def reservation_holds_machines_of_one_type(spec: Spec) -> Iterator[Problem]:
    """Pools that name one reservation have one machine type, since a reservation holds machines of one."""
    first: dict[str, tuple[str, str]] = {}
    for index, pool in enumerate(spec.node_pools):
        machine, reservation = known.machine(pool, spec), _whole_reservation(pool, spec)
        if reservation is None or machine is None:
            continue
        name, other = first.setdefault(reservation, (pool.name, machine.machine_type))
        if machine.machine_type != other:
            message = (
                f"{reservation} holds machines of one type: {name} has {other}, {pool.name} {machine.machine_type}."
            )
            yield Problem(
                ("node_pools", index, "reservation"), message, "Name the reservation of each pool's machines."
            )


def _whole_reservation(pool: NodePoolSpec, spec: Spec) -> str | None:
    """The reservation of a pool, whichever part of it is named, without the project where that is the platform's."""
    if pool.reservation is None or pool.capacity not in ("reserved", "capacity_block"):
        return None
    whole = pool.reservation.partition("/reservationBlocks/")[0]
    return whole.removeprefix(f"projects/{spec.cloud.account}/reservations/")

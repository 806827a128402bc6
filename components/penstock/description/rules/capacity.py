"""Rules on how the machines of a pool are bought: on demand, spot, reserved or as a capacity block."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import listed
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, pool_rule, rule

_UNRESERVED = ("on_demand", "spot", "flex_start")


@pool_rule("SPEC-066")
def pool_grows_upwards(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The smallest number of nodes is not above the largest."""
    if pool.nodes.min > pool.nodes.max:
        message = f"min {pool.nodes.min} is above max {pool.nodes.max}."
        yield Problem(("nodes", "min"), message, "Swap them, or give one number for both.")


@pool_rule("SPEC-067", provider=CLOUDS)
def machine_is_sold_that_way(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machine type is offered in the capacity of the pool."""
    machine = known.machine(pool, spec)
    if machine is None or known.offer(spec).elsewhere(pool.capacity) is not None:
        return
    if pool.capacity not in machine.sold:
        message = f"{machine.machine_type} is not offered as {pool.capacity}."
        yield Problem(("capacity",), message, f"Offered as: {listed(machine.sold)}.")


@pool_rule("SPEC-068", provider=CLOUDS)
def capacity_is_sold_by_the_cloud(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Only Google Cloud offers the capacity flex_start, and only AWS offers capacity_block."""
    elsewhere = known.offer(spec).elsewhere(pool.capacity)
    if elsewhere is not None:
        yield Problem(("capacity",), f"Only {elsewhere.seller} offers {elsewhere.capacity}.", elsewhere.hint)


@pool_rule("SPEC-069", provider=CLOUDS)
def reservation_goes_with_reserved_capacity(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A reservation is named only where the capacity comes from one."""
    offer = known.offer(spec)
    if pool.reservation is not None and pool.capacity in _UNRESERVED and offer.elsewhere(pool.capacity) is None:
        message = f"A reservation is set, but capacity is {pool.capacity}: the reservation would be paid for and idle."
        machine = known.machine(pool, spec)
        block = ", or to capacity_block for a capacity block" if offer.elsewhere("capacity_block") is None else ""
        hint = f"Set capacity to reserved{block}."
        if machine is not None and "reserved" not in machine.sold:
            hint = f"Leave it out: {machine.machine_type} is not reserved."
        yield Problem(("reservation",), message, hint)


@rule("SPEC-074", reads=("node_pools", "network"), provider=CLOUDS)
def reservation_lies_in_one_zone(spec: Spec) -> Iterator[Problem]:
    """Pools that name one reservation are in one zone, since a reservation is."""
    first: dict[str, tuple[str, str]] = {}
    for index, pool in enumerate(spec.node_pools):
        zone, reservation = known.zone(pool, spec), _whole_reservation(pool, spec)
        if reservation is None or zone is None:
            continue
        name, other = first.setdefault(reservation, (pool.name, zone))
        if zone != other:
            field = "zone" if pool.zone is not None else "reservation"
            message = f"{reservation} is in one zone: {name} is in {other}, {pool.name} in {zone}."
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
            message = f"{reservation} is for one machine type: {name} has {other}, {pool.name} {machine.machine_type}."
            yield Problem(
                ("node_pools", index, "reservation"), message, "Set the reservation of each pool's machine type."
            )


def _whole_reservation(pool: NodePoolSpec, spec: Spec) -> str | None:
    """The reservation of a pool, whichever part of it is named, without the project where that is the platform's."""
    if pool.reservation is None or pool.capacity not in ("reserved", "capacity_block"):
        return None
    whole = pool.reservation.partition("/reservationBlocks/")[0]
    return whole.removeprefix(f"projects/{spec.cloud.account}/reservations/")

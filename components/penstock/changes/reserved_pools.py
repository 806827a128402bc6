"""The pools of a program by the reservation that their machines come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from penstock.changes.pool_updates import size_of
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, program_pools
from penstock.providers import all_providers

Read = TypeVar("Read")


def pools_in(reservation: View) -> list[MachinePool]:
    """Return the pools of the program that name a reservation, as far as is known."""
    return reservation.site.once(_by_reservation).get(reservation.urn, [])


def machines_in(reservation: View) -> int:
    """Return the machines of all pools of the program that run from a reservation."""
    sizes = (known(partial(size_of, pool)) for pool in pools_in(reservation))
    return sum(size.running for size in sizes if size is not None)


def known(read: Callable[[], Read]) -> Read | None:
    """Return what a reader of resources finds; None where it cannot be known."""
    try:
        return read()
    except (NotKnown, TypeMismatch):
        return None


def _by_reservation(site: Site) -> Mapping[str, list[MachinePool]]:
    found: dict[str, list[MachinePool]] = {}
    for pool in program_pools(site, *(provider.name for provider in all_providers())):
        reservation = known(pool.reservation)
        if reservation is not None:
            found.setdefault(reservation.urn, []).append(pool)
    return found

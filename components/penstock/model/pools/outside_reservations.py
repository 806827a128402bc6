"""Machines that come from reservations outside the program: these are billed as long as they exist, used or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import machine_pools
from penstock.model.pools.pool import MachinePool


@dataclass(frozen=True, slots=True)
class LeftReservation:
    """Machines of one type that a change takes out of a reservation, and the first pool that had some of them."""

    reservation: str
    machine_type: str
    machines: float
    pool: MachinePool

    @property
    def name(self) -> str:
        """The last part of the name, which is all that a path or an ARN adds to."""
        return self.reservation.rpartition("/")[2]


def left_reservations(before: Site, after: Site, count: Callable[[MachinePool], float]) -> list[LeftReservation]:
    """Return what a change no longer uses of the reservations outside the program.

    Args:
        before: The program as it was.
        after: The program as it will be.
        count: The machines of a pool.
    """
    used: dict[tuple[str, str], float] = {}
    for pool, place in _held(after):
        used[place] = used.get(place, 0) + _counted(pool, count)
    had: dict[tuple[str, str], list[MachinePool]] = {}
    for pool, place in _held(before):
        had.setdefault(place, []).append(pool)
    found = []
    for (reservation, machine_type), pools in had.items():
        left = sum(_counted(pool, count) for pool in pools) - used.get((reservation, machine_type), 0)
        if left > 0:
            found.append(LeftReservation(reservation, machine_type, left, pools[0]))
    return found


def _held(site: Site) -> Iterator[tuple[MachinePool, tuple[str, str]]]:
    """The pools of a program in reservations outside of it, each with the reservation and its machine type."""
    for view in (View(resource, site) for resource in site.graph if resource.custom and not resource.external):
        for pool in machine_pools(view):
            try:
                reservation, types = pool.outside_reservation(), pool.machine_types()
            except (NotKnown, TypeMismatch):
                continue
            if reservation and types:
                yield pool, (reservation, types[0].name)


def _counted(pool: MachinePool, count: Callable[[MachinePool], float]) -> float:
    try:
        return count(pool)
    except (NotKnown, TypeMismatch):
        return 0

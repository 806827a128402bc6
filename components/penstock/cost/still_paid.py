"""The cost that goes on outside the program after a change: of reservations that its machines leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.cost.bill import HOURS_A_MONTH
from penstock.cost.declared import BilledSite
from penstock.cost.machine_pools import paid_machines, price_of
from penstock.graph.graph import Graph
from penstock.graph.verdict import NotKnown
from penstock.model.pools.outside_reservations import LeftReservation, left_reservations

if TYPE_CHECKING:
    from penstock.description.usage import Usage


@dataclass(frozen=True, slots=True)
class StillPaid:
    """Machines that a reservation outside the program bills and the program no longer uses.

    `monthly_usd` is None where they have no known price.
    """

    reservation: str
    machine_type: str
    machines: float
    monthly_usd: float | None


def still_paid(before: Graph, after: Graph, usage: Usage | None = None) -> tuple[StillPaid, ...]:
    """Return what reservations outside the program bill on after a change, with the usage of both sides."""
    sites = (BilledSite(before, usage), BilledSite(after, usage))
    return tuple(map(_priced, left_reservations(*sites, paid_machines)))


def _priced(left: LeftReservation) -> StillPaid:
    try:
        price = price_of(left.pool, left.machine_type, left.pool.purchase())
    except NotKnown:
        price = None
    monthly = None if price is None else round(left.machines * HOURS_A_MONTH * price.usd, 2)
    return StillPaid(left.name, left.machine_type, left.machines, monthly)

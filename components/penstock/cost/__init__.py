"""The monthly cost of a Graph as it is started, at list prices.

Machines count as many as are started, reservations as many as they hold. What is billed by use counts as declared
(`penstock:usage`); what nobody declared, and what the catalogue has no price for, is named, never counted as nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Final

from penstock.catalog import prices
from penstock.catalog.prices import Price
from penstock.cost.bill import Line, Missing, Unpriced
from penstock.cost.declared import BilledSite
from penstock.cost.groups import CostGroup, by_component, by_pool, by_tag, by_type, grouped
from penstock.cost.machine_pools import pool_items
from penstock.cost.misdeclared import misdeclared
from penstock.cost.part_items import part_items
from penstock.cost.total import Cost
from penstock.graph.graph import Graph
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.providers import provider_of, room_of

if TYPE_CHECKING:
    from penstock.description.usage import Usage

__all__ = [
    "Cost",
    "CostGroup",
    "Line",
    "Unpriced",
    "by_component",
    "by_pool",
    "by_tag",
    "by_type",
    "cost_of",
    "grouped",
]

_NO_PRICE: Final = "no price known"
"""Marks a resource that is billed for its existence, in billed_otherwise.csv; others there are billed by use."""


def cost_of(graph: Graph, usage: Usage | None = None, today: date | None = None) -> Cost:
    """Return the cost of everything that a Graph builds; what it only looks up is paid elsewhere.

    Args:
        graph: What is built.
        usage: What the stack declares of a month.
        today: The day for which it is, by which support of Kubernetes versions ends and prices grow stale; else today.
    """
    site = BilledSite(graph, usage, today)
    found = [
        item for resource in graph if resource.custom and not resource.external for item in _items(View(resource, site))
    ]
    lines = sorted((item for item in found if isinstance(item, Line)), key=lambda line: -line.monthly_usd)
    unpriced = tuple(item for item in found if isinstance(item, Unpriced))
    return Cost(tuple(lines), unpriced, tuple(site.unmatched()), tuple(misdeclared(site)))


def _items(view: View) -> Iterator[Line | Unpriced]:
    """The cost of one resource: the machines that it starts, and the rest by its cloud's module or billed parts."""
    why = prices.billed_otherwise(view.type)
    provider = provider_of(view.type)
    reader = provider.module("prices") if provider is not None else None
    if why is not None:
        way, _, amounts = why.partition(": ")
        missing: Missing = "price" if _NO_PRICE in why else "use"
        yield Unpriced(view.urn, way if amounts else why, amounts, missing=missing)
        return
    yield from _readable(view, _billed_parts if reader is None else reader.priced_items)
    yield from _readable(view, pool_items)


def _billed_parts(view: View) -> Iterator[Line | Unpriced]:
    """The billed parts of a resource whose cloud has no module for prices, at the prices of its list."""

    def listed(resource: View, service: str, item: str) -> Price | None:
        return prices.service(room_of(resource.type.partition(":")[0]), service, item)

    yield from part_items(view, listed, only=True)


def _readable(view: View, read: Callable[[View], Iterator[Line | Unpriced]]) -> Iterator[Line | Unpriced]:
    try:
        yield from read(view)
    except NotKnown as missing:
        path = missing.path or "an amount"
        yield Unpriced(view.urn, f"{path}, which the bill needs, is not known yet", missing="amount")
    except TypeMismatch:
        return  # the SDK's types report it

"""The monthly cost of a Graph as it is started, at list prices.

Machines count as many as are started, reservations as many as they hold. What is billed by use counts as declared
(`penstock:usage`); what nobody declared, and what the catalogue has no price for, is named and never counted as nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from penstock.catalog import prices
from penstock.economics.cost.bill import Line, Unpriced
from penstock.economics.cost.groups import CostGroup, by_component, by_pool, by_tag, by_type, grouped
from penstock.economics.cost.machine_pools import pool_items
from penstock.economics.cost.total import Cost
from penstock.providers import provider_of
from penstock.resources.graph import Graph
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Site, View

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


def cost_of(graph: Graph) -> Cost:
    """The cost of everything that a Graph builds; what it only looks up is paid elsewhere."""
    site = Site(graph)
    found = [
        item for resource in graph if resource.custom and not resource.external for item in _items(View(resource, site))
    ]
    lines = sorted((item for item in found if isinstance(item, Line)), key=lambda line: -line.monthly_usd)
    return Cost(tuple(lines), tuple(item for item in found if isinstance(item, Unpriced)))


def _items(view: View) -> Iterator[Line | Unpriced]:
    """The cost of one resource: the machines that it starts, and the rest by the module of its cloud."""
    why = prices.billed_otherwise(view.type)
    provider = provider_of(view.type)
    reader = provider.module("prices") if provider is not None else None
    if why is not None:
        yield Unpriced(view.urn, why)
        return
    if reader is not None:
        yield from _readable(view, reader.priced_items)
    yield from _readable(view, pool_items)


def _readable(view: View, read: Callable[[View], Iterator[Line | Unpriced]]) -> Iterator[Line | Unpriced]:
    try:
        yield from read(view)
    except NotKnown:
        yield Unpriced(view.urn, "an amount that the bill needs is not known yet")
    except TypeMismatch:
        return  # the SDK's types report it

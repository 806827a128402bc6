"""Budgets that a platform passes from the start, or may pass once its pools grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from penstock.economics.cost import Cost
from penstock.findings import Finding, Severity, Source
from penstock.providers import all_providers
from penstock.resources.graph import Graph, Resource

_OURS: Final = "penstock:"


def over_budget(cost: Cost, graph: Graph) -> Iterator[Finding]:
    """Yield a finding for each monthly budget of the Graph that its own cost exceeds from the start, or may exceed.

    `budget.monthly_usd` of a description is the budget of what it describes: to exceed it from the start is an error.
    Other budgets may be about something else, such as one service, or alert only: for them it is a warning. That the
    pools could grow beyond a budget is no more than a note.
    """
    readers = _readers()
    for budget in graph.of_type(*readers):
        reader = readers[budget.type]
        limit: float | None = reader.limit(budget)
        if limit is not None and cost.monthly_usd > limit:
            ours = _is_ours(budget, graph)
            yield Finding(
                code="BUDGET-001",
                severity=Severity.ERROR if ours else Severity.WARNING,
                source=Source.BUDGET,
                message=f"This costs about {cost.monthly_usd:,.0f} USD a month; the budget is {limit:,.0f}.",
                hint=f"{_dearest(cost)}Start fewer or smaller machines, or raise budget.monthly_usd.",
                urn=budget.urn,
                path=reader.PATH,
            )
        elif limit is not None and cost.high_usd > limit:
            yield Finding(
                code="BUDGET-002",
                severity=Severity.INFO,
                source=Source.BUDGET,
                message=f"This may cost up to {cost.high_usd:,.0f} USD a month, all pools and prices at their most; "
                f"the budget is {limit:,.0f}.",
                hint="`penstock cost` shows what may grow.",
                urn=budget.urn,
                path=reader.PATH,
            )


def limits(graph: Graph) -> dict[str, tuple[str, float]]:
    """Return the monthly limit of each budget of the Graph whose limit is known, by its URN, with the path of it."""
    readers = _readers()
    found = ((each, readers[each.type]) for each in graph.of_type(*readers))
    known = ((each.urn, reader.PATH, reader.limit(each)) for each, reader in found)
    return {urn: (path, limit) for urn, path, limit in known if limit is not None}


def _readers() -> dict[str, Any]:
    return {reader.TYPE: reader for each in all_providers() if (reader := each.module("budgets")) is not None}


def _is_ours(budget: Resource, graph: Graph) -> bool:
    """Whether a component of Penstock made a budget, from the description of the platform."""
    parent = graph.resources.get(budget.parent)
    return parent is not None and parent.type.startswith(_OURS)


def _dearest(cost: Cost) -> str:
    """The line that costs most, in a sentence."""
    if not cost.lines:
        return ""
    line = cost.lines[0]
    return f"Most of it is {line.what}: {line.monthly_usd:,.0f} USD. "

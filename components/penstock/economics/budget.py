"""Budgets that a platform passes from the start."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.economics.cost import Cost
from penstock.findings import Finding, Severity, Source
from penstock.providers import all_providers
from penstock.resources.graph import Graph


def over_budget(cost: Cost, graph: Graph) -> Iterator[Finding]:
    """A warning for each monthly budget of the Graph that its own cost exceeds from the start."""
    readers = {reader.TYPE: reader for each in all_providers() if (reader := each.module("budgets")) is not None}
    for budget in graph.of_type(*readers):
        reader = readers[budget.type]
        limit: float | None = reader.limit(budget)
        if limit is not None and cost.monthly_usd > limit:
            yield Finding(
                code="BUDGET-001",
                severity=Severity.WARNING,
                source=Source.BUDGET,
                message=f"This costs about {cost.monthly_usd:,.0f} USD a month; the budget is {limit:,.0f}.",
                hint="Start fewer or smaller machines, or raise budget.monthly_usd.",
                urn=budget.urn,
                path=reader.PATH,
            )

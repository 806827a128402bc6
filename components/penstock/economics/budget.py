"""Budgets that a platform passes from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from penstock.economics.cost import Cost
from penstock.findings import Finding, Severity, Source
from penstock.resources.graph import Graph, Resource

_NANOS: Final = 1e-9


def over_budget(cost: Cost, graph: Graph) -> Iterator[Finding]:
    """A warning for each monthly budget of the Graph that its own cost exceeds from the start."""
    for budget in graph.of_type(*_LIMITS):
        path, limit_of = _LIMITS[budget.type]
        limit = limit_of(budget)
        if limit is not None and cost.monthly_usd > limit:
            yield Finding(
                code="BUDGET-001",
                severity=Severity.WARNING,
                source=Source.BUDGET,
                message=f"This costs about {cost.monthly_usd:,.0f} USD a month; the budget is {limit:,.0f}.",
                hint="Start fewer or smaller machines, or raise budget.monthly_usd.",
                urn=budget.urn,
                path=path,
            )


def _aws(budget: Resource) -> float | None:
    return _number(budget.inputs.get("limitAmount"))


def _gcp(budget: Resource) -> float | None:
    """The limit in dollars; None where another currency may be meant, or another period than a month."""
    amount = _within(budget.inputs, "amount", "specifiedAmount")
    period = _within(budget.inputs, "budgetFilter").get("calendarPeriod", "MONTH")
    whole = _number(amount.get("units"))
    if whole is None or amount.get("currencyCode") != "USD" or period != "MONTH":
        return None
    return whole + (_number(amount.get("nanos")) or 0.0) * _NANOS


_LIMITS: Final[Mapping[str, tuple[str, Callable[[Resource], float | None]]]] = {
    "aws:budgets/budget:Budget": ("limitAmount", _aws),
    "gcp:billing/budget:Budget": ("amount.specifiedAmount.units", _gcp),
}
"""Where a cloud's budget says its limit, by type, and how to read it."""


def _number(value: Any) -> float | None:
    try:
        return float(value or "")
    except (TypeError, ValueError):
        return None  # not known yet, or no number, which the SDK's types tell


def _within(values: Any, *path: str) -> Mapping[str, Any]:
    for key in path:
        values = values.get(key) if isinstance(values, Mapping) else None
    return values if isinstance(values, Mapping) else {}

"""Budgets of Google Cloud."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from penstock.cost.budget_numbers import number
from penstock.gcp.types import BILLING_BUDGET
from penstock.graph.graph import Resource

TYPE: Final = BILLING_BUDGET

PATH: Final = "amount.specifiedAmount.units"
"""Where a budget says its limit."""

_NANOS: Final = 1e-9


def limit(budget: Resource) -> float | None:
    """Return the limit in dollars; None where another currency may be meant, or another period than a month."""
    amount = _within(budget.inputs, "amount", "specifiedAmount")
    period = _within(budget.inputs, "budgetFilter").get("calendarPeriod", "MONTH")
    whole = number(amount.get("units"))
    if whole is None or amount.get("currencyCode") != "USD" or period != "MONTH":
        return None
    return whole + (number(amount.get("nanos")) or 0.0) * _NANOS


def currency(budget: Resource) -> str:
    """Return another currency than US dollars; empty for these, and where the budget names none."""
    code = _within(budget.inputs, "amount", "specifiedAmount").get("currencyCode")
    return code if isinstance(code, str) and code != "USD" else ""


def _within(values: Any, *path: str) -> Mapping[str, Any]:
    for key in path:
        values = values.get(key) if isinstance(values, Mapping) else None
    return values if isinstance(values, Mapping) else {}

"""Budgets of AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import BUDGETS_BUDGET
from penstock.cost.budget_numbers import number
from penstock.graph.graph import Resource

TYPE: Final = BUDGETS_BUDGET

PATH: Final = "limitAmount"
"""Where a budget says its limit."""


def limit(budget: Resource) -> float | None:
    """Return the limit in dollars; None where it is not known, or of something else, such as GB."""
    return number(budget.inputs.get(PATH)) if budget.inputs.get("limitUnit", "USD") == "USD" else None


def currency(budget: Resource) -> str:
    """Return another currency than US dollars; empty for these, and for budgets that are not about money."""
    unit = budget.inputs.get("limitUnit")
    if not isinstance(unit, str) or budget.inputs.get("budgetType") != "COST":
        return ""
    return unit if unit != "USD" else ""

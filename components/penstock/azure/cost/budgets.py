"""Budgets of Azure."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import CONSUMPTION_BUDGET
from penstock.cost.budget_numbers import number
from penstock.graph.graph import Resource

TYPE: Final = CONSUMPTION_BUDGET

PATH: Final = "amount"
"""Where a budget says its limit."""


def limit(budget: Resource) -> float | None:
    """Return the limit in the currency of the bill; None for another period than a month."""
    return number(budget.inputs.get("amount")) if budget.inputs.get("timeGrain") == "Monthly" else None


def currency(budget: Resource) -> str:  # noqa: ARG001 - other clouds name it in the budget
    """Return nothing: a budget has the currency of its billing account."""
    return ""

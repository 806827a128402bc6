"""Budgets of AWS."""

from __future__ import annotations

from typing import Final

from penstock.economics.budgets.numbers import number
from penstock.resources.graph import Resource

TYPE: Final = "aws:budgets/budget:Budget"

PATH: Final = "limitAmount"
"""Where a budget says its limit."""


def limit(budget: Resource) -> float | None:
    """Return the limit in dollars; None where it is not known."""
    return number(budget.inputs.get(PATH))

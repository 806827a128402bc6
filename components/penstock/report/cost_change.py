"""The change of the monthly cost that comes with a change of a program, in words."""

from __future__ import annotations

from penstock.economics.cost.change import CostChange
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview

_LEAST_USD = 0.5
"""A smaller difference is none: figures are shown in whole dollars."""


def cost_change_of(assessment: Assessment) -> CostChange | None:
    """Return the change of cost where an assessment is of a change; None for any other."""
    return assessment.cost_change if isinstance(assessment, Overview) else None


def in_words(change: CostChange) -> str:
    """The difference, and both figures."""
    before, after = change.old.monthly_usd, change.new.monthly_usd
    if abs(after - before) < _LEAST_USD:
        return f"the monthly cost stays at about {after:,.0f} USD"
    more = "more" if after > before else "less"
    return f"about {abs(after - before):,.0f} USD a month {more} ({before:,.0f} → {after:,.0f} USD)"

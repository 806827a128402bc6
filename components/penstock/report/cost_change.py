"""The change of the monthly cost that comes with a change of a program."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.economics.cost import cost_of
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview

_LEAST_USD = 0.5
"""A smaller difference is none: figures are shown in whole dollars."""


@dataclass(frozen=True, slots=True)
class CostChange:
    """The monthly cost before and after a change, in USD."""

    before_usd: float
    after_usd: float

    @property
    def difference_usd(self) -> float:
        """How much more is paid after it; negative where it is less."""
        return self.after_usd - self.before_usd

    @property
    def in_words(self) -> str:
        """The difference, and both figures."""
        difference = self.difference_usd
        if abs(difference) < _LEAST_USD:
            return f"the monthly cost stays at about {self.after_usd:,.0f} USD"
        more = "more" if difference > 0 else "less"
        return f"about {abs(difference):,.0f} USD a month {more} ({self.before_usd:,.0f} → {self.after_usd:,.0f} USD)"


def cost_change_of(assessment: Assessment) -> CostChange | None:
    """Return the change of cost where an assessment is of a change; None for any other."""
    if assessment.changes is None or not isinstance(assessment, Overview):
        return None
    return CostChange(cost_of(assessment.changes.before).monthly_usd, assessment.cost.monthly_usd)

"""The change of the monthly cost that comes with a change of a program, in words."""

from __future__ import annotations

from penstock.economics.cost.change import CostChange
from penstock.economics.cost.total_words import NOT_KNOWN, amount_words, omission_name, signed, usd
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview

_LEAST_USD = 0.5
"""A smaller difference is none: figures are shown in whole dollars."""


def cost_change_of(assessment: Assessment) -> CostChange | None:
    """Return the change of cost where an assessment is of a change; None for any other."""
    return assessment.cost_change if isinstance(assessment, Overview) else None


def in_words(change: CostChange) -> str:
    """The difference and both figures; without a difference where something without a figure changes."""
    difference, new = change.difference_usd, change.new
    if difference is None:
        first, *others = change.unknown
        more = f" and {len(others)} more" if others else ""
        return (
            f"the change of the monthly cost is {NOT_KNOWN}, no figure for {omission_name(first)}{more} "
            f"({both_sides(change)})"
        )
    if abs(difference) < _LEAST_USD:
        return f"the monthly cost stays at {amount_words(new.monthly_usd, is_complete=new.is_complete)}"
    share = f", {change.share:+.0%}" if change.share is not None else ""
    return (
        f"about {usd(abs(difference))} USD a month {'more' if difference > 0 else 'less'} ({both_sides(change)}{share})"
    )


def both_sides(change: CostChange) -> str:
    """The figure before and the one after, each with the words for one that leaves something out."""
    old, new = change.old, change.new
    if old.is_complete and new.is_complete:
        return f"{usd(old.monthly_usd)} → {usd(new.monthly_usd)} USD"
    before, after = (amount_words(each.monthly_usd, is_complete=each.is_complete) for each in (old, new))
    return f"{before} → {after}"


def difference_words(difference: float | None) -> str:
    """A difference with its sign, or that it is not known."""
    return NOT_KNOWN if difference is None else signed(difference)

"""The change of the monthly cost that comes with a change of a program, in words."""

from __future__ import annotations

from penstock.core.wording import listed
from penstock.cost.change import CostChange
from penstock.cost.total_words import NOT_KNOWN, amount_words, omission_name, signed, usd
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview

_LEAST_SHARE = 0.005
_LEAST_USD = 0.5
"""A smaller difference is none: figures are shown in whole dollars."""


def cost_change_of(assessment: Assessment) -> CostChange | None:
    """Return the change of cost where an assessment is of a change; None for any other."""
    return assessment.cost_change if isinstance(assessment, Overview) else None


def in_words(change: CostChange) -> str:
    """The difference and both figures; without a difference where something without a figure changes."""
    difference, new = change.difference_usd, change.new
    if difference is None:
        names = [omission_name(each) for each in change.unknown]
        names += [each.reservation for each in change.still_paid if each.monthly_usd is None]
        return f"the change of the monthly cost is {NOT_KNOWN}, no figure for {listed(names, 1)} ({both_sides(change)})"
    paid = f", with {still_paid_words(change)}" if change.still_paid else ""
    after = new.monthly_usd + change.still_paid_usd
    if abs(difference) < _LEAST_USD:
        return f"the monthly cost stays at {amount_words(after, is_complete=new.is_complete)}{paid}"
    share = f", {change.share:+.0%}" if change.share is not None and abs(change.share) >= _LEAST_SHARE else ""
    more = "more" if difference > 0 else "less"
    return f"about {usd(abs(difference))} USD a month {more} ({both_sides(change)}{share}){paid}"


def still_paid_words(change: CostChange) -> str:
    """Reservations outside the program that are still billed, each with its machines."""
    return ", ".join(
        f"{NOT_KNOWN if each.monthly_usd is None else usd(each.monthly_usd)} USD still paid for {each.machines:g} × "
        f"{each.machine_type} of the reservation {each.reservation}"
        for each in change.still_paid
    )


def both_sides(change: CostChange) -> str:
    """The figure before and the one after with what is still paid, as `about`, or `at least` where one is not whole."""
    old, new = change.old, change.new
    after = new.monthly_usd + change.still_paid_usd
    if old.is_complete and new.is_complete:
        return f"{usd(old.monthly_usd)} → {usd(after)} USD"
    sides = ((old.monthly_usd, old.is_complete), (after, new.is_complete))
    return " → ".join(amount_words(amount, is_complete=is_complete) for amount, is_complete in sides)


def difference_words(difference: float | None) -> str:
    """A difference with its sign, or that it is not known."""
    return NOT_KNOWN if difference is None else signed(difference)

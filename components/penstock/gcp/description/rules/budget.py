"""Rules on the budget, for Google Cloud alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule


@rule("SPEC-111", reads=("budget",), provider="gcp")
def google_tells_so_many(spec: Spec) -> Iterator[Problem]:
    """A budget on Google Cloud alerts at most five addresses; a group's address serves many people."""
    most = limits.find_limit("budget_emails", "gcp").most
    if spec.budget is not None and len(spec.budget.alert_emails) > most:
        message = (
            f"budget.alert_emails lists {len(spec.budget.alert_emails)} addresses; Google notifies at most {most}."
        )
        yield Problem(("budget", "alert_emails"), message, "List a group's address instead of its members'.")

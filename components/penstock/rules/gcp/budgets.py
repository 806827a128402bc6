"""Budgets: the amount, and who hears of it."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.findings import Severity
from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.resources.view import Block, View
from penstock.rules.gcp.types import BUDGET
from penstock.rules.rule import rule

_API = "Cloud Billing Budget API v1, discovery document"
_LARGEST_SHARE = 10
"""A share of the budget above which somebody has written a percentage."""


@rule("GCP-BUDGET-001", on=BUDGET, source=f"{_API}, monitoringNotificationChannels")
def a_budget_tells_so_many_channels(budget: View) -> Verdict:
    """A budget tells five channels at most."""
    told = budget.block("allUpdatesRule")
    if told is None or not told.count("monitoringNotificationChannels"):
        return NOT_APPLICABLE
    count, most = told.count("monitoringNotificationChannels"), limits.find_limit("budget_emails", "gcp").most
    message, path = f"{count} channels are named, where {most} are allowed", told.at("monitoringNotificationChannels")
    return allow(count <= most, message, hint="Name a group's address instead of its members'.", path=path)


@rule(
    "GCP-BUDGET-002", on=BUDGET, severity=Severity.WARNING, source=f"{_API}, ThresholdRule.thresholdPercent: 0.5 = 50%"
)
def a_threshold_is_a_share_of_the_budget(budget: View) -> Verdict:
    """A threshold is a share of the budget: 0.8 stands for 80 percent."""

    def check(threshold: Block) -> Verdict:
        share = threshold.number("thresholdPercent")
        if share is None:
            return NOT_APPLICABLE
        good = 0 <= share <= _LARGEST_SHARE
        hint = f"Write {share / 100:g} for {share:g} percent." if share > 0 else "Write 0.8 for 80 percent."
        message = f"{share:g} means {share * 100:g} percent of the budget"
        return allow(good, message, hint=hint, path=threshold.at("thresholdPercent"))

    return each(budget.blocks("thresholdRules"), check)


@rule("GCP-BUDGET-003", on=BUDGET, source=f"{_API}, BudgetAmount: one of specifiedAmount and lastPeriodAmount")
def a_budget_has_one_amount(budget: View) -> Verdict:
    """A budget is an amount of money, or what the last period cost, and not both."""
    amount = budget.block("amount")
    if amount is None:
        return NOT_APPLICABLE
    given = [key for key in ("specifiedAmount", "lastPeriodAmount") if amount.value(key)]
    hint = "Keep one of specifiedAmount and lastPeriodAmount."
    message = "the budget has two amounts" if given else "the budget has no amount"
    return allow(len(given) == 1, message, hint=hint, path="amount")

"""Budgets: the amount, and who hears of it."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.gcp.types import BILLING_BUDGET
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LARGEST_SHARE = 10
"""A share of the budget above which somebody has written a percentage."""


@RULES.rule(
    on=BILLING_BUDGET,
    severity=HIGH,
    rationale="The API rejects further notification channels.",
    fix="Keep at most five monitoringNotificationChannels, with a group's address instead of its members'.",
    sources=("Cloud Billing Budget API v1, discovery document, monitoringNotificationChannels",),
)
def gcp_budget_channels(budget: View) -> Verdict:
    """A budget notifies at most five channels."""
    notifications = budget.block("allUpdatesRule")
    if notifications is None or not notifications.count("monitoringNotificationChannels"):
        return NOT_APPLICABLE
    count, most = notifications.count("monitoringNotificationChannels"), limits.find_limit("budget_emails", "gcp").most
    message, path = (
        f"{count} channels are set; a budget allows {most}",
        notifications.at("monitoringNotificationChannels"),
    )
    return allow(count <= most, message, hint="Name a group's address instead of its members'.", path=path)


@RULES.rule(
    on=BILLING_BUDGET,
    each_of="thresholdRules",
    severity=MEDIUM,
    rationale="The API accepts 80 as 8000 percent of the budget, and the alert then never comes.",
    fix="Set thresholdPercent to a share such as 0.8.",
    sources=("Cloud Billing Budget API v1, discovery document, ThresholdRule.thresholdPercent: 0.5 = 50%",),
)
def gcp_budget_threshold(threshold: Block) -> Verdict:
    """A threshold is a share of the budget, such as 0.8 for 80 percent."""
    share = threshold.number("thresholdPercent")
    if share is None:
        return NOT_APPLICABLE
    good = 0 <= share <= _LARGEST_SHARE
    hint = f"Write {share / 100:g} for {share:g} percent." if share > 0 else "Write 0.8 for 80 percent."
    message = f"{share:g} means {share * 100:g} percent of the budget"
    return allow(good, message, hint=hint, path=threshold.at("thresholdPercent"))


@RULES.rule(
    on=BILLING_BUDGET,
    severity=HIGH,
    rationale="The API requires exactly one of the two.",
    fix="Keep one of specifiedAmount and lastPeriodAmount.",
    sources=(
        "Cloud Billing Budget API v1, discovery document, BudgetAmount: one of specifiedAmount and lastPeriodAmount",
    ),
)
def gcp_budget_amount(budget: View) -> Verdict:
    """A budget is a specified amount or the amount of the last period, and not both."""
    amount = budget.block("amount")
    if amount is None:
        return NOT_APPLICABLE
    given = [key for key in ("specifiedAmount", "lastPeriodAmount") if amount.value(key)]
    hint = "Keep one of specifiedAmount and lastPeriodAmount."
    message = "the budget has two amounts" if given else "the budget has no amount"
    return allow(len(given) == 1, message, hint=hint, path="amount")

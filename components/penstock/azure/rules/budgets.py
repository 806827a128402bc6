"""Rules on budgets: their time, their thresholds and who learns of them."""

from __future__ import annotations

from penstock.azure.types import CONSUMPTION_BUDGET
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, Outcome, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import Given, Matches, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MOST_NOTICES = 5
_MOST_PERCENT = 1000
_OPERATORS = ("EqualTo", "GreaterThan", "GreaterThanOrEqualTo")

RULES.row(
    "az-budget-start",
    "A budget starts on the first day of a month.",
    on=CONSUMPTION_BUDGET,
    check=Where(Given("timePeriod.startDate"), Matches("timePeriod.startDate", r"\d{4}-\d{2}-01(T.*)?")),
    severity=HIGH,
    rationale="The API rejects other days.",
    fix="Set timePeriod.startDate to the first day of a month.",
    sources=("Pulumi Azure Native, consumption.Budget: time period",),
)


@RULES.rule(
    on=CONSUMPTION_BUDGET,
    severity=HIGH,
    rationale="The API rejects a budget of no time, and one from before June 2017.",
    fix="Set timePeriod.startDate to a month from June 2017 on, and endDate to a later one.",
    sources=("Pulumi Azure Native, consumption.Budget: time period",),
)
def az_budget_period(budget: View) -> Verdict:
    """A budget starts in June 2017 or later, and ends after that."""
    period = budget.block("timePeriod")
    start = period.text("startDate") if period is not None else None
    if period is None or start is None:
        return NOT_APPLICABLE
    if start[:7] < "2017-06":
        return allow(False, f"{start[:10]} is too early", hint="Use this month.", path=period.at("startDate"))
    end = period.text("endDate")
    message = f"the budget ends on {(end or '')[:10]}, and starts on {start[:10]}"
    return allow(end is None or start[:10] < end[:10], message, hint="Use a later day.", path=period.at("endDate"))


@RULES.rule(
    on=CONSUMPTION_BUDGET,
    severity=HIGH,
    rationale="The API rejects a sixth notification, a threshold above 1000 percent, other operators, and silence.",
    fix="Set notifications to five at most, each with a threshold in percent and contactEmails.",
    sources=("Pulumi Azure Native, consumption.Budget: notifications",),
)
def az_budget_notices(budget: View) -> Verdict:
    """A budget has five notifications at most, each with a threshold in percent and somebody whom it reaches."""
    notices = budget.block("notifications")
    if notices is None:
        return NOT_APPLICABLE
    failures = []
    if len(list(notices)) > _MOST_NOTICES:
        hint = f"Use {_MOST_NOTICES} at most."
        failures.append(Failure(f"the budget has {len(list(notices))} notifications", hint, "notifications"))
    for name in notices:
        notice = notices.block(name)
        if notice is None:
            continue
        threshold = notice.number("threshold")
        if threshold is not None and not 0 <= threshold <= _MOST_PERCENT:
            hint = "Use percent of the amount, such as 80."
            failures.append(Failure(f"the threshold is {threshold:g} percent", hint, notice.at("threshold")))
        operator = notice.text("operator")
        if operator is not None and operator not in _OPERATORS:
            hint = "Use GreaterThanOrEqualTo."
            failures.append(Failure(f"{operator!r} is not an operator of a budget", hint, notice.at("operator")))
        if not any(notice.count(key) for key in ("contactEmails", "contactGroups", "contactRoles")):
            failures.append(Failure("the notification reaches nobody", "Add an address.", notice.at("contactEmails")))
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS

"""When GKE may work on a cluster: windows that are times, and long enough."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime

from penstock.catalog import limits
from penstock.gcp.types import CONTAINER_CLUSTER
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_RECURRENCE = re.compile(r"(RRULE:)?FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY|HOURLY)(;[A-Z]+=[^;=]+)*")
_HOUR_S = 3600


@RULES.rule(
    on=CONTAINER_CLUSTER,
    severity=HIGH,
    rationale="GKE rejects times and recurrences of another form, and counts only windows of four hours and more.",
    fix=(
        "Set startTime and endTime at least four hours apart as in 2026-01-03T02:00:00Z, and recurrence as in "
        "FREQ=WEEKLY;BYDAY=SA,SU."
    ),
    sources=("GKE documentation, configure maintenance windows: at least four hours each",),
)
def gcp_gke_maint_window_length(cluster: View) -> Verdict:
    """A maintenance window has valid times, an RFC 5545 recurrence and a length of at least four hours."""
    policy = cluster.block("maintenancePolicy")
    if policy is None:
        return NOT_APPLICABLE
    daily, recurring = policy.block("dailyMaintenanceWindow"), policy.block("recurringWindow")
    return together(
        [
            NOT_APPLICABLE if daily is None else _daily(daily),
            NOT_APPLICABLE if recurring is None else _recurring(recurring),
        ]
    )


def _daily(window: Block) -> Verdict:
    start = window.text("startTime")
    message = f"{start!r} is not a time of day"
    return allow(_CLOCK.fullmatch(start or ""), message, hint="Write it as 03:00, in UTC.", path=window.at("startTime"))


def _recurring(window: Block) -> Verdict:
    times: dict[str, datetime] = {}
    for key in ("startTime", "endTime"):
        written = window.text(key) or ""
        with suppress(ValueError):
            times[key] = datetime.fromisoformat(written)
        if key not in times or times[key].tzinfo is None:
            hint = "Write it as 2026-01-03T02:00:00Z."
            return fail(f"{written!r} is not a time with a date and a zone", hint=hint, path=window.at(key))
    least = limits.find_limit("maintenance_window_hours_least", "gcp").most
    hours = (times["endTime"] - times["startTime"]).total_seconds() / _HOUR_S
    if hours < least:
        message = f"the window lasts {hours:g} hours; GKE needs {least}"
        return fail(message, hint=f"Let it end {least} hours after it starts.", path=window.at("endTime"))
    rule_ = window.text("recurrence") or ""
    if _RECURRENCE.fullmatch(rule_) is None:
        hint = "Write one such as FREQ=WEEKLY;BYDAY=SA,SU."
        return fail(f"{rule_!r} has no frequency (RFC 5545)", hint=hint, path=window.at("recurrence"))
    return PASS

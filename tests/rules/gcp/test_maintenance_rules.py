"""Windows for maintenance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

WINDOW = {"startTime": "2026-01-03T02:00:00Z", "endTime": "2026-01-03T08:00:00Z", "recurrence": "FREQ=WEEKLY;BYDAY=SA"}
RECURRING = "maintenancePolicy.recurringWindow"


def recurring(**window: Any) -> Program:
    """A cluster that is maintained in a window that recurs."""
    return {"it": (CLUSTER, {"maintenancePolicy": {"recurringWindow": {**WINDOW, **window}}})}


def daily(start: Any) -> Program:
    """A cluster that is maintained every day."""
    return {"it": (CLUSTER, {"maintenancePolicy": {"dailyMaintenanceWindow": {"startTime": start}}})}


CASES = [
    Case("gcp-gke-maint-window-length", PASS, recurring()),
    Case(
        "gcp-gke-maint-window-length",
        PASS,
        recurring(startTime="2026-01-03T04:00:00-04:00", endTime="2026-01-03T12:00:00Z"),
    ),
    Case("gcp-gke-maint-window-length", PASS, daily("03:00")),
    Case(
        "gcp-gke-maint-window-length",
        FAIL,
        recurring(endTime="2026-01-03T05:00:00Z"),
        path=f"{RECURRING}.endTime",
        says="3 hours, where GKE needs 4",
    ),
    Case("gcp-gke-maint-window-length", FAIL, recurring(endTime="2026-01-03T01:00:00Z"), path=f"{RECURRING}.endTime"),
    Case(
        "gcp-gke-maint-window-length",
        FAIL,
        recurring(startTime="02:00"),
        path=f"{RECURRING}.startTime",
        says="2026-01-03T02",
    ),
    Case(
        "gcp-gke-maint-window-length",
        FAIL,
        recurring(recurrence="WEEKLY"),
        path=f"{RECURRING}.recurrence",
        says="FREQ=WEEKLY",
    ),
    Case(
        "gcp-gke-maint-window-length",
        FAIL,
        daily("3am"),
        path="maintenancePolicy.dailyMaintenanceWindow.startTime",
        says="03:00",
    ),
    Case("gcp-gke-maint-window-length", CANNOT_TELL, recurring(startTime=UNKNOWN)),
    Case("gcp-gke-maint-window-length", NOT_APPLICABLE, {"it": (CLUSTER, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_window_is_told_that_gke_would_refuse(case: Case) -> None:
    check(case)

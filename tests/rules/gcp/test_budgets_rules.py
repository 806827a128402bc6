"""Budgets of a billing account."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import BUDGET

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def budget(**inputs: Any) -> Program:
    """A budget."""
    return {"it": (BUDGET, inputs)}


def telling(*channels: Any) -> Program:
    """A budget that tells channels."""
    return budget(allUpdatesRule={"monitoringNotificationChannels": list(channels)})


def at(share: Any) -> Program:
    """A budget with a threshold."""
    return budget(thresholdRules=[{"thresholdPercent": share}])


AMOUNT = {"specifiedAmount": {"units": "1000"}}

CASES = [
    Case("GCP-BUDGET-001", PASS, telling(*"abcde")),
    Case("GCP-BUDGET-001", PASS, telling(UNKNOWN)),
    Case(
        "GCP-BUDGET-001", FAIL, telling(*"abcdef"), path="allUpdatesRule.monitoringNotificationChannels", says="5 are"
    ),
    Case("GCP-BUDGET-001", CANNOT_TELL, budget(allUpdatesRule=UNKNOWN)),
    Case("GCP-BUDGET-001", NOT_APPLICABLE, budget()),
    Case("GCP-BUDGET-002", PASS, at(0.8)),
    Case("GCP-BUDGET-002", PASS, at(1.5)),
    Case("GCP-BUDGET-002", FAIL, at(80), path="thresholdRules[0].thresholdPercent", says="0.8"),
    Case("GCP-BUDGET-002", FAIL, at(-1), path="thresholdRules[0].thresholdPercent", says="0.8"),
    Case("GCP-BUDGET-002", CANNOT_TELL, at(UNKNOWN)),
    Case("GCP-BUDGET-002", NOT_APPLICABLE, budget()),
    Case("GCP-BUDGET-003", PASS, budget(amount=AMOUNT)),
    Case(
        "GCP-BUDGET-003", FAIL, budget(amount={**AMOUNT, "lastPeriodAmount": True}), path="amount", says="two amounts"
    ),
    Case("GCP-BUDGET-003", FAIL, budget(amount={}), path="amount", says="specifiedAmount"),
    Case("GCP-BUDGET-003", CANNOT_TELL, budget(amount=UNKNOWN)),
    Case("GCP-BUDGET-003", NOT_APPLICABLE, budget()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_budget_rule_says_what_google_would(case: Case) -> None:
    check(case)

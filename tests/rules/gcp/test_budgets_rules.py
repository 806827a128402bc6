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
    Case("gcp-budget-channels", PASS, telling(*"abcde")),
    Case("gcp-budget-channels", PASS, telling(UNKNOWN)),
    Case(
        "gcp-budget-channels",
        FAIL,
        telling(*"abcdef"),
        path="allUpdatesRule.monitoringNotificationChannels",
        says="5 are",
    ),
    Case("gcp-budget-channels", CANNOT_TELL, budget(allUpdatesRule=UNKNOWN)),
    Case("gcp-budget-channels", NOT_APPLICABLE, budget()),
    Case("gcp-budget-threshold", PASS, at(0.8)),
    Case("gcp-budget-threshold", PASS, at(1.5)),
    Case("gcp-budget-threshold", FAIL, at(80), path="thresholdRules[0].thresholdPercent", says="0.8"),
    Case("gcp-budget-threshold", FAIL, at(-1), path="thresholdRules[0].thresholdPercent", says="0.8"),
    Case("gcp-budget-threshold", CANNOT_TELL, at(UNKNOWN)),
    Case("gcp-budget-threshold", NOT_APPLICABLE, budget()),
    Case("gcp-budget-amount", PASS, budget(amount=AMOUNT)),
    Case(
        "gcp-budget-amount",
        FAIL,
        budget(amount={**AMOUNT, "lastPeriodAmount": True}),
        path="amount",
        says="two amounts",
    ),
    Case("gcp-budget-amount", FAIL, budget(amount={}), path="amount", says="specifiedAmount"),
    Case("gcp-budget-amount", CANNOT_TELL, budget(amount=UNKNOWN)),
    Case("gcp-budget-amount", NOT_APPLICABLE, budget()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_budget_rule_says_what_google_would(case: Case) -> None:
    check(case)

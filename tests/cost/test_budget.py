"""A platform that costs more than its own budget is reported so before it exists."""

from __future__ import annotations

from typing import Any

import pytest
from tests.descriptions import TRAINING, changed
from tests.graphs import graph_of, resource

from penstock import cost
from penstock.catalog.prices import Price
from penstock.cost import Cost
from penstock.cost.bill import line
from penstock.cost.budget import over_budget
from penstock.testing import rehearse

pytestmark = pytest.mark.slow

GCP_BUDGET = "gcp:billing/budget:Budget"
A_DOLLAR = Price(usd=1.0, unit="hour", source="", as_of="2026-11", unverified=())
DEAR = Cost((line(resource("t", "machines"), "machines", 1000, A_DOLLAR),), ())  # type: ignore[arg-type] # a line


def test_a_platform_within_its_budget_is_not() -> None:
    graph = rehearse(TRAINING).graph

    assert not [each for each in over_budget(cost.cost_of(graph), graph) if each.code == "BUDGET-001"]


def of_google(units: Any, currency: str | None = "USD", period: str | None = None, nanos: int = 0) -> int:
    """How many warnings a budget of Cloud Billing brings on a bill of 1,000 dollars."""
    amount = {"units": units, "nanos": nanos, **({"currencyCode": currency} if currency else {})}
    inputs = {"amount": {"specifiedAmount": amount}, "budgetFilter": {"calendarPeriod": period} if period else {}}
    return len(list(over_budget(DEAR, graph_of(resource(GCP_BUDGET, "monthly", inputs=inputs)))))


def test_a_budget_of_google_is_read_in_units_and_fractions() -> None:
    assert of_google("999")
    assert not of_google("1000")
    assert of_google("999", nanos=990_000_000)
    assert of_google("999", period="MONTH")


@pytest.mark.parametrize("currency", ["EUR", "XYZ", "usd"])
def test_a_budget_in_another_currency_is_a_note(currency: str) -> None:
    google = resource(GCP_BUDGET, "g", inputs={"amount": {"specifiedAmount": {"units": "1", "currencyCode": currency}}})
    limit = {"budgetType": "COST", "limitAmount": "1", "limitUnit": currency, "timeUnit": "MONTHLY"}
    amazon = resource("aws:budgets/budget:Budget", "a", inputs=limit)

    for budget in (google, amazon):
        (note,) = over_budget(DEAR, graph_of(budget))
        assert (note.code, note.severity.value) == ("BUDGET-003", "info")
        assert currency in note.message


def test_a_budget_of_usage_is_not_compared() -> None:
    limit = {"budgetType": "USAGE", "limitAmount": "1", "limitUnit": "GB", "timeUnit": "MONTHLY"}

    assert not list(over_budget(DEAR, graph_of(resource("aws:budgets/budget:Budget", "a", inputs=limit))))


@pytest.mark.parametrize(("currency", "period"), [(None, None), ("USD", "YEAR"), ("USD", "QUARTER")])
def test_another_currency_or_period_is_not_compared(currency: str | None, period: str | None) -> None:
    assert not of_google("1", currency, period)


def test_the_amount_of_the_last_month_is_not_compared() -> None:
    budget = resource(GCP_BUDGET, "monthly", inputs={"amount": {"lastPeriodAmount": True}})

    assert not list(over_budget(DEAR, graph_of(budget)))


def test_a_budget_of_a_description_blocks_and_names_what_costs_most() -> None:
    graph = rehearse(changed("budget.monthly_usd", 100)).graph
    (error,) = over_budget(cost.cost_of(graph), graph)

    assert error.code == "BUDGET-001"
    assert error.blocks
    assert "Most of it is" in error.hint


def test_a_budget_of_another_program_warns() -> None:
    amount = {"specifiedAmount": {"units": "10", "currencyCode": "USD"}}
    graph = graph_of(resource(GCP_BUDGET, "monthly", inputs={"amount": amount, "budgetFilter": {}}))
    (warning,) = over_budget(DEAR, graph)

    assert (warning.code, warning.blocks) == ("BUDGET-001", False)


def test_what_pools_may_grow_to_is_a_note() -> None:
    pools = {"name": "train", "accelerator": "h100", "nodes": {"min": 0, "max": 16}}
    graph = rehearse({**changed("node_pools.1", pools), "budget": {"monthly_usd": 20_000}}).graph
    (note,) = over_budget(cost.cost_of(graph), graph)

    assert (note.code, note.severity.value) == ("BUDGET-002", "info")

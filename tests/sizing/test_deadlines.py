"""More time never costs more money: of all counts of machines that hold a deadline, the cheapest wins."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizing.requests import asked, hardware

from penstock.sizing.parallelism import placement
from penstock.sizing.ranking import Choice, choice_of, ranking_of
from penstock.sizing.training import TrainingPlan

DAYS = st.integers(min_value=1, max_value=400)
MACHINES = ("p5.48xlarge", "p4de.24xlarge", "p6-b200.48xlarge", "a3-highgpu-8g", "ct5p-hightpu-4t", "g6e.48xlarge")
MODELS = (
    {"parameters": "2B", "tokens": "1T"},
    {"parameters": "7B", "tokens": "1T"},
    {"parameters": "70B", "tokens": "1T", "reserved": "0.5"},
    {"parameters": "13B", "tokens": "2B", "task": "finetune"},
    {"parameters": "47B", "active": "13B", "experts": "8", "experts_per_token": "2", "tokens": "500B"},
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(MACHINES), st.sampled_from(MODELS), DAYS, DAYS)
def test_a_later_deadline_never_costs_more_on_a_machine_type(
    machine_type: str, model: dict[str, str], days: int, more: int
) -> None:
    soon, late = (
        choice_of(asked(**model, deadline=f"{each}d"), hardware(machine_type)) for each in (days, days + more)
    )

    if isinstance(soon, Choice):
        assert isinstance(late, Choice)
        assert soon.usd is not None
        assert late.usd is not None
        assert late.usd <= soon.usd


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(MODELS), st.sampled_from(("aws", "gcp", "azure")), DAYS, DAYS)
def test_a_later_deadline_never_has_a_dearer_answer(model: dict[str, str], cloud: str, days: int, more: int) -> None:
    soon, late = (
        ranking_of(asked(**model, cloud=cloud, deadline=f"{each}d")).recommended for each in (days, days + more)
    )

    if soon is not None and soon.compared_usd is not None:
        assert late is not None
        assert late.compared_usd is not None
        assert late.compared_usd <= soon.compared_usd


def test_a_year_is_no_dearer_than_a_month() -> None:
    month, year = (
        ranking_of(asked(parameters="70B", tokens="1T", cloud="aws", deadline=each)).recommended
        for each in ("30d", "365d")
    )

    assert month is not None
    assert month.usd is not None
    assert year is not None
    assert year.usd is not None
    assert year.usd <= month.usd


@pytest.mark.parametrize("machine_type", MACHINES)
def test_what_is_found_meets_the_deadline(machine_type: str) -> None:
    request = asked(parameters="7B", tokens="300B", deadline="20d")
    found = choice_of(request, hardware(machine_type))

    assert isinstance(found, Choice)
    assert isinstance(found.plan, TrainingPlan)
    assert found.plan.wall_seconds <= request.deadline_s
    assert placement(request, found.hardware, found.plan.nodes) == found.plan.placement


def test_hundreds_of_machines_for_minutes_are_not_cheap() -> None:
    request = asked(parameters="70.6B", task="finetune", tokens="100M", deadline="7d")
    found = choice_of(request, hardware("p5.48xlarge"))

    assert isinstance(found, Choice)
    assert found.plan.nodes < 10

"""Lost time by Young and Daly: the interval that loses least, and the price of work on machines that are taken away."""

from __future__ import annotations

from math import inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.cost.interruptions import (
    SECONDS_A_WEEK,
    daly_interval_s,
    effective_price,
    lost_fraction,
    mean_time_s,
    young_interval_s,
)

checkpoints = st.floats(1, 600)
means = st.floats(3_600, 1e7)


def test_the_worked_example_of_a_two_billion_parameter_model() -> None:
    """Checkpoints of 5.6 s on 64 nodes that fail once in 6,300 h: every 33 minutes, 0.7 % lost with restarts."""
    mean = 6_300 * 3_600 / 64
    interval = young_interval_s(5.6, mean)

    assert interval / 60 == pytest.approx(33, rel=0.02)
    assert lost_fraction(5.6, mean) == pytest.approx(0.0056, rel=0.02)
    assert lost_fraction(5.6, mean, 600) == pytest.approx(0.0073, rel=0.02)


@given(checkpoints, means, st.floats(0.2, 5))
def test_no_other_interval_loses_less(checkpoint: float, mean: float, factor: float) -> None:
    best = lost_fraction(checkpoint, mean)

    assert best <= lost_fraction(checkpoint, mean, interval_s=factor * young_interval_s(checkpoint, mean)) + 1e-9


@given(checkpoints, means)
def test_daly_agrees_with_young_where_interruptions_are_rare(checkpoint: float, mean: float) -> None:
    young, daly = young_interval_s(checkpoint, mean * 1_000), daly_interval_s(checkpoint, mean * 1_000)

    assert isclose(young, daly, rel_tol=0.05)


@given(checkpoints, means, means, st.floats(0, 3_600))
def test_more_interruptions_never_lose_less(checkpoint: float, one: float, other: float, restart: float) -> None:
    rare, often = max(one, other), min(one, other)

    assert lost_fraction(checkpoint, rare, restart) <= lost_fraction(checkpoint, often, restart) + 1e-12


@given(st.floats(0.01, 50), st.integers(1, 1_000))
def test_a_job_is_interrupted_by_each_of_its_nodes(weekly: float, nodes: int) -> None:
    assert mean_time_s(weekly, nodes) == pytest.approx(SECONDS_A_WEEK / (weekly * nodes))


def test_without_interruptions_nothing_is_lost() -> None:
    assert mean_time_s(0) == inf
    assert lost_fraction(60, inf, 600) == 0
    assert daly_interval_s(60, inf) == inf
    assert effective_price(10, 0) == 10


def test_where_all_time_is_lost_no_work_is_done_at_any_price() -> None:
    assert lost_fraction(600, 300, 600) == 1
    assert effective_price(10, 1) == inf
    assert daly_interval_s(1_000, 100) == 100

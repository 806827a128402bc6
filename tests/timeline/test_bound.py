"""What each wait costs, held against the plain way to find out: take it out and look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.timeline.bound import heads, savings

Waits = dict[str, frozenset[str]]


@st.composite
def waits(draw: st.DrawFn) -> tuple[Waits, dict[str, float]]:
    names = [f"r{index}" for index in range(draw(st.integers(1, 12)))]
    before = {
        name: frozenset(draw(st.lists(st.sampled_from(names[:index]), max_size=4)) if index else ())
        for index, name in enumerate(names)
    }
    return before, {name: float(draw(st.integers(0, 9))) for name in names}


def end(before: Waits, seconds: dict[str, float], target: str | None) -> float:
    ends = heads(list(before), before, seconds)
    return max(ends.values()) if target is None else ends[target]


@given(waits(), st.data())
def test_a_wait_costs_what_its_removal_saves(case: tuple[Waits, dict[str, float]], data: st.DataObject) -> None:
    before, seconds = case
    target = data.draw(st.none() | st.sampled_from(sorted(before)))
    whole = end(before, seconds, target)

    found = savings(list(before), before, seconds, target)

    for name, needs in before.items():
        for need in needs:
            without = {**before, name: needs - {need}}
            assert found.get((name, need), 0.0) == pytest.approx(whole - end(without, seconds, target))

"""Changes of descriptions, each with the effect that an operator would expect (`change_cases`)."""

from __future__ import annotations

import pytest
from tests.changes.change_cases import MANY, OPERATIONS, ChangeCase, cases, outcome_of

CASES = tuple(cases())
ENOUGH = 120
SAMPLE = 4
"""CI tries one case in so many."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=str(case), marks=pytest.mark.nightly if number % SAMPLE else ())
        for number, case in enumerate(CASES)
    ],
)
def test_a_change_does_what_an_operator_expects(case: ChangeCase) -> None:
    outcome = outcome_of(case)

    assert outcome.refused == case.refused
    if case.refused:
        return
    for operation in OPERATIONS:
        if case.counts[operation] == MANY:
            assert outcome.counts[operation]
        else:
            assert outcome.counts[operation] == case.counts[operation], operation
    assert set(outcome.machines) == set(case.machines)
    for pool, expected in case.machines.items():
        assert {key: outcome.machines[pool][key] for key in expected} == expected, pool
    assert outcome.findings == case.findings


def test_there_are_changes_of_every_kind() -> None:
    assert len(CASES) >= ENOUGH
    assert len({case.name for case in CASES}) == len(CASES)

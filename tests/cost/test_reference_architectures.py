"""Public architectures cost what their sources publish, within ten per cent, or each difference has its reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.cost.reference_architectures import ARCHITECTURES, Architecture, bill_of, report

WITHIN = 0.10
EXPLAINED_WITHIN = 0.03


@pytest.mark.parametrize("each", ARCHITECTURES, ids=lambda each: each.name)
def test_the_published_estimate_is_met(each: Architecture, record_property: Callable[[str, object], None]) -> None:
    ours = bill_of(each).monthly_usd
    explained = sum(each.differences.values())

    record_property(each.name, f"published {each.published_usd:.2f}, ours {ours:.2f}, explained {explained:.2f}")
    assert ours + explained == pytest.approx(each.published_usd, rel=EXPLAINED_WITHIN if explained else WITHIN)


@pytest.mark.parametrize("each", ARCHITECTURES, ids=lambda each: each.name)
def test_all_declared_usage_counts(each: Architecture) -> None:
    assert not bill_of(each).unmatched


def test_there_are_eight_and_most_need_no_explanation() -> None:
    assert len(ARCHITECTURES) >= 8
    assert sum(not each.differences for each in ARCHITECTURES) >= len(ARCHITECTURES) / 2


def test_the_printed_list_has_each_with_its_source() -> None:
    printed = report()

    assert all(each.name in printed and each.source in printed for each in ARCHITECTURES)

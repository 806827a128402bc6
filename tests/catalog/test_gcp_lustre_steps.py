"""The capacities of Managed Lustre that Google sells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.core.errors import UnknownFact
from penstock.gcp.facts import lustre as gcp_lustre


def test_there_are_four_tiers_and_the_dynamic_one() -> None:
    assert gcp_lustre.tiers() == (25, 125, 250, 500, 1000)
    assert [tier for tier in gcp_lustre.tiers() if gcp_lustre.steps(tier).dynamic] == [25]


@pytest.mark.parametrize(
    ("tier", "smallest", "largest"),
    [
        (25, 472_000, 84_016_000),
        (125, 72_000, 12_240_000),
        (250, 36_000, 40_032_000),
        (500, 18_000, 20_016_000),
        (1000, 9_000, 10_008_000),
    ],
)
def test_a_tier_is_sold_from_its_smallest_to_its_largest(tier: int, smallest: int, largest: int) -> None:
    steps = gcp_lustre.steps(tier)

    assert steps.allow(smallest)
    assert steps.allow(largest)
    assert steps.allow(2 * smallest)
    assert not steps.allow(smallest + smallest // 2)
    assert not steps.allow(0)
    assert not steps.allow(largest + smallest)
    assert steps.nearest(0) == smallest
    assert steps.nearest(2 * largest) == largest


@pytest.mark.parametrize(("tier", "threshold"), [(250, 6_120_000), (500, 3_060_000), (1000, 1_530_000)])
def test_beyond_the_threshold_the_steps_are_eight_times_as_large(tier: int, threshold: int) -> None:
    steps = gcp_lustre.steps(tier)

    assert steps.threshold == threshold
    assert steps.large_step == 8 * steps.step
    assert steps.allow(threshold)
    assert not steps.allow(threshold + steps.step)
    assert steps.allow((threshold // steps.large_step + 1) * steps.large_step)


@given(tier=st.sampled_from(gcp_lustre.tiers()), wanted=st.integers(min_value=0, max_value=10**8))
def test_the_nearest_capacity_is_on_sale_and_none_on_sale_is_nearer(tier: int, wanted: int) -> None:
    steps = gcp_lustre.steps(tier)

    nearest = steps.nearest(wanted)

    assert steps.allow(nearest)
    away = abs(nearest - wanted)
    first = (wanted - away) // steps.step * steps.step + steps.step
    assert not any(steps.allow(capacity) for capacity in range(first, wanted + away, steps.step))


def test_a_throughput_that_google_does_not_sell_names_those_on_sale() -> None:
    with pytest.raises(UnknownFact, match="1000, 125, 25, 250, 500"):
        gcp_lustre.steps(300)

"""What sizing asks of each cloud by its record: capacities on sale, prices that exist, and the form of descriptions."""

from __future__ import annotations

from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.catalog import prices
from penstock.providers import sized_clouds
from penstock.sizing.cloud_sizing import LustreSale, sizing_of

TIERS = [
    (cloud, lustre, tier)
    for cloud in sized_clouds()
    if (lustre := sizing_of(cloud).lustre) is not None
    for tier in lustre.tiers()
]
every_tier = pytest.mark.parametrize(("cloud", "lustre", "tier"), TIERS, ids=lambda value: str(value)[:9])


def test_all_clouds_that_sell_machines_are_sized() -> None:
    assert sized_clouds() == ("aws", "gcp", "azure")


@every_tier
@given(wanted=st.floats(1, 300_000))
def test_the_smallest_capacity_on_sale_that_is_large_enough_is_taken(
    cloud: str, lustre: LustreSale, tier: int, wanted: float
) -> None:
    steps: Any = lustre.steps(tier)
    found = lustre.steps(tier).at_least(wanted)

    assert found >= wanted
    assert steps.allow(found) or found > steps.maximum, cloud
    assert not any(steps.allow(capacity) for capacity in range(ceil(wanted / 100) * 100, found, 100))


@pytest.mark.parametrize("cloud", sized_clouds())
def test_what_sizing_names_has_a_price(cloud: str) -> None:
    assert prices.service(cloud, *sizing_of(cloud).bucket) is not None


@every_tier
def test_every_tier_that_sizing_compares_has_a_price(cloud: str, lustre: LustreSale, tier: int) -> None:
    assert prices.service(cloud, lustre.price.service, lustre.price.item.format(tier=tier)) is not None


def test_a_cloud_without_a_record_is_not_sized() -> None:
    with pytest.raises(KeyError, match="kubernetes"):
        sizing_of("kubernetes")

"""The tiers of Filestore and their capacities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.core.errors import UnknownFact
from penstock.gcp.facts import filestore


@pytest.mark.parametrize(
    ("tier", "sold", "not_sold"),
    [
        ("BASIC_HDD", (1024, 1025, 65433), (1023, 65434)),
        ("BASIC_SSD", (2560, 2561, 65433), (1024, 2559)),
        ("ZONAL", (1024, 1280, 9984, 10240, 12800, 102400), (1000, 1100, 10000, 11264, 102401)),
        ("REGIONAL", (100, 1024, 10239, 10240, 102400), (99, 11264)),
        ("ENTERPRISE", (1024, 1280, 10240), (512, 1100, 10496)),
    ],
)
def test_a_tier_is_sold_in_its_steps_only(tier: str, sold: tuple[int, ...], not_sold: tuple[int, ...]) -> None:
    its = filestore.find_tier(tier)

    assert all(its.allow(gib) for gib in sold)
    assert not any(its.allow(gib) for gib in not_sold)
    assert its.minimum_gib == sold[0]
    assert its.maximum_gib == sold[-1]


@given(tier=st.sampled_from(filestore.tier_names()), wanted=st.integers(min_value=0, max_value=200_000))
def test_the_nearest_capacity_is_on_sale_and_none_on_sale_is_nearer(tier: str, wanted: int) -> None:
    its = filestore.find_tier(tier)

    nearest = its.nearest(wanted)

    assert its.allow(nearest)
    away = abs(nearest - wanted)
    assert not any(its.allow(gib) for gib in range(wanted - away + 1, wanted + away))


def test_a_region_s_file_system_takes_keys_and_protection_and_a_basic_one_no_protection() -> None:
    regional, basic = filestore.find_tier("REGIONAL"), filestore.find_tier("BASIC_SSD")

    assert regional.regional
    assert regional.cmek
    assert regional.protection
    assert not basic.regional
    assert not basic.cmek
    assert not basic.protection
    assert basic.protocols == ("NFS_V3",)


def test_a_mistyped_tier_names_its_neighbour() -> None:
    with pytest.raises(UnknownFact, match="Did you mean ZONAL"):
        filestore.find_tier("ZONALL")

"""Google's regions and their zones."""

from __future__ import annotations

import pytest

from penstock.catalog import regions
from penstock.core.errors import UnknownFact


@pytest.mark.parametrize("region", regions.all_regions("gcp"), ids=lambda region: region.name)
def test_a_region_has_three_zones_of_its_own_name(region: regions.Region) -> None:
    assert all(zone.rpartition("-")[0] == region.name for zone in region.zones)
    assert len(region.zones) >= 3 or "zones" in region.unverified


def test_zones_for_accelerators_alone_are_left_out() -> None:
    assert not [zone for region in regions.all_regions("gcp") for zone in region.zones if "-ai" in zone]


@pytest.mark.parametrize(
    ("region", "letters"), [("us-central1", "abcf"), ("us-east1", "bcd"), ("europe-west1", "bcd"), ("us-east5", "abc")]
)
def test_letters_of_zones_are_google_s(region: str, letters: str) -> None:
    assert regions.find_region(region, "gcp").zones == tuple(f"{region}-{letter}" for letter in letters)


@pytest.mark.parametrize(
    ("region", "residency"),
    [("europe-west4", "eu"), ("europe-west2", "gb"), ("europe-west6", "ch"), ("me-central2", "sa"), ("us-west4", "us")],
)
def test_data_stay_under_the_law_of_their_place(region: str, residency: str) -> None:
    assert regions.find_region(region, "gcp").residency == residency


def test_a_region_of_another_cloud_names_the_neighbours() -> None:
    with pytest.raises(UnknownFact, match="us-east1"):
        regions.find_region("us-east-1", "gcp")

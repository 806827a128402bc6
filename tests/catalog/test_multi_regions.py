"""Locations that span regions."""

from __future__ import annotations

import pytest

from penstock.catalog import regions
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import multi_regions


@pytest.mark.parametrize("service", ["storage", "artifactregistry"])
def test_no_multi_region_is_called_as_a_region(service: str) -> None:
    assert not set(multi_regions.multi_region_names(service)) & {region.name for region in regions.all_regions("gcp")}


def test_a_location_is_found_in_any_case() -> None:
    assert multi_regions.find_multi_region("storage", "NAM4").kind == "dual"


def test_india_is_no_multi_region_but_a_pair_of_regions_to_choose() -> None:
    assert multi_regions.find_multi_region("storage", "IN").kind == "dual"


def test_data_in_the_eu_are_encrypted_with_keys_in_europe() -> None:
    assert multi_regions.find_multi_region("storage", "eu").key_location == "europe"


def test_what_one_service_has_another_may_lack() -> None:
    with pytest.raises(UnknownFact, match="multi-region of artifactregistry"):
        multi_regions.find_multi_region("artifactregistry", "nam4")

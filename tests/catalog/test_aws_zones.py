"""Zones of AWS by name and id: what no account sees, and what only some do."""

from __future__ import annotations

import pytest

from penstock.aws.facts.zones import region_of_zone_id, zone_id_exists, zone_name_exists
from penstock.catalog.regions import find_region


@pytest.mark.parametrize(
    ("region", "name", "exists"),
    [
        ("us-east-1", "us-east-1f", True),
        ("us-east-1", "us-east-1g", False),
        ("us-west-2", "us-west-2e", False),
        ("us-west-1", "us-west-1c", None),  # its ids go up to az3
        ("ap-northeast-1", "ap-northeast-1b", None),
        ("us-east-1", "us-east-1-dfw-2a", True),
        ("us-east-1", "us-east-1-bos-1a", None),
        ("us-east-1", "us-west-2a", False),
        ("mx-central-1", "mx-central-1d", None),  # the zones are not confirmed
    ],
)
def test_a_letter_beyond_the_last_is_no_zone(region: str, name: str, *, exists: bool | None) -> None:
    assert zone_name_exists(name, find_region(region, "aws")) is exists


@pytest.mark.parametrize(
    ("region", "zone_id", "exists"),
    [
        ("us-east-1", "use1-az6", True),
        ("us-east-1", "use1-az7", False),
        ("us-east-1", "usw2-az1", False),
        ("us-west-1", "usw1-az2", None),
        ("us-east-1", "use1-dfw2-az1", True),
        ("us-east-1", "use1-wl1-bos-wlz1", None),
        ("us-east-1", "nonsense", False),
    ],
)
def test_a_number_beyond_the_last_is_no_zone(region: str, zone_id: str, *, exists: bool | None) -> None:
    assert zone_id_exists(zone_id, find_region(region, "aws")) is exists


def test_an_id_shows_its_region() -> None:
    assert region_of_zone_id("usw2-az9") == "us-west-2"
    assert region_of_zone_id("xxx9-az1") is None

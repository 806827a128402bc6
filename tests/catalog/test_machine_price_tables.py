"""Prices of every machine type, region by region."""

from __future__ import annotations

import gzip
import random
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from statistics import median

import pytest
from tests.benchmarks import machine_prices as machine_prices_bench
from tools import machine_prices

from penstock.catalog import prices, regions
from penstock.catalog.machine_price_tables import (
    HEADER,
    TABLES,
    find_price,
    price_lists,
    priced_regions,
    prices_in,
)
from penstock.catalog.region_tables import folder_of
from penstock.catalog.tables import rows

CLOUDS = ("aws", "azure", "gcp")
Way = tuple[str, str]


@cache
def by_way(cloud: str) -> Mapping[Way, Mapping[str, float]]:
    """The prices of a cloud by machine type and how it is bought, and by region."""
    found: dict[Way, dict[str, float]] = defaultdict(dict)
    for region in priced_regions(cloud):
        for price in prices_in(region, cloud):
            found[price.machine_type, price.price_list.capacity][region] = price.usd_h
    return dict(found)


@pytest.mark.parametrize("cloud", CLOUDS)
def test_machine_types_drawn_at_random_have_a_price_in_three_regions(cloud: str) -> None:
    places = [region.name for region in regions.all_regions(cloud)]
    few = []
    for machine_type in random.Random(38).sample(sorted(machine_prices_bench.named(cloud)), 40):
        found = [price for place in places if (price := prices.on_demand(machine_type, place, cloud)) is not None]
        assert all(price.source and price.as_of for price in found), machine_type
        few += [machine_type] if len(found) < 3 else []

    assert len(few) <= 3, few


@pytest.mark.parametrize("cloud", CLOUDS)
def test_machine_types_have_a_price_in_nearly_every_region_that_offers_them(cloud: str) -> None:
    sold = machine_prices_bench.offered(cloud)
    drawn = random.Random(38).sample(sold, 1000)
    priced = [pair for pair in drawn if prices.on_demand(*pair, cloud) is not None]

    assert len(priced) > 0.88 * len(drawn)


@pytest.mark.parametrize("cloud", CLOUDS)
def test_nearly_every_machine_type_that_an_api_names_has_a_price(cloud: str) -> None:
    names = machine_prices_bench.named(cloud)
    unpriced = sorted(name for name in names if (name, "on_demand") not in by_way(cloud))

    assert len(unpriced) < len(names) * 0.06, unpriced


@pytest.mark.parametrize(
    ("machine_type", "region", "cloud", "usd"),
    [
        ("c5.24xlarge", "us-east-1", "aws", 4.08),
        ("t3.small", "us-east-2", "aws", 0.0208),
        ("i7i.2xlarge", "us-east-1", "aws", 0.755),
        ("m4.xlarge", "eu-west-1", "aws", 0.222),
        ("m7i.metal-24xl", "us-east-1", "aws", 4.8384),  # as m7i.24xlarge, not as on dedicated hardware
        ("Standard_D4s_v3", "eastus", "azure", 0.192),
        ("Standard_B1s", "westeurope", "azure", 0.012),
        ("n1-standard-8", "us-central1", "gcp", 0.379998),
        ("e2-micro", "us-central1", "gcp", 0.008376),
    ],
)
def test_a_plain_machine_has_the_published_price(machine_type: str, region: str, cloud: str, usd: float) -> None:
    price = prices.on_demand(machine_type, region, cloud)

    assert price is not None
    assert price.usd == pytest.approx(usd, rel=1e-3)
    assert price.unverified == ()


@pytest.mark.parametrize("cloud", CLOUDS)
def test_tables_are_of_regions_that_exist_and_are_written_the_same_every_time(cloud: str) -> None:
    assert priced_regions(cloud) <= {region.name for region in regions.all_regions(cloud)}
    texts = machine_prices.region_texts(cloud, {})

    for region in priced_regions(cloud):
        packed = (folder_of(cloud, TABLES) / f"{region}.csv.gz").read_bytes()
        text = gzip.decompress(packed).decode("ascii")
        assert packed[4:8] == bytes(4), "a time in the file would change it at each run"
        assert text == texts[region], region
        assert text.startswith(f"{HEADER}\n")


@pytest.mark.parametrize("cloud", CLOUDS)
def test_commitments_and_spot_cost_less_than_on_demand(cloud: str) -> None:
    found = by_way(cloud)
    for (machine_type, capacity), by_region in found.items():
        on_demand = found[machine_type, "on_demand"]
        dearer = {region for region, usd in by_region.items() if not 0 < usd <= on_demand.get(region, usd)}
        assert not dearer or capacity == "spot", (machine_type, capacity, dearer)
        if capacity == "reserved_3y":
            one_year = found[machine_type, "reserved_1y"]
            assert all(usd < one_year.get(region, usd + 1) for region, usd in by_region.items()), machine_type


@pytest.mark.parametrize("cloud", CLOUDS)
def test_no_region_is_far_dearer_or_cheaper_than_the_others(cloud: str) -> None:
    far = []
    for (machine_type, capacity), by_region in by_way(cloud).items():
        middle = median(by_region.values())
        far += [
            (machine_type, capacity, region, usd, middle)
            for region, usd in by_region.items()
            if max(usd / middle, middle / usd) > machine_prices.FACTOR.get(capacity, 4.0)
        ]

    assert not far


@pytest.mark.parametrize("cloud", CLOUDS)
def test_rows_that_people_keep_are_newer_or_better_than_the_lists(cloud: str) -> None:
    for row in rows(f"{cloud}/prices"):
        listed = find_price(row["machine_type"], row["region"], row["capacity"], cloud)
        if listed is not None and not listed.price_list.estimated:
            assert row["as_of"] > listed.price_list.as_of, row


@pytest.mark.parametrize("cloud", CLOUDS)
def test_a_list_is_about_machines_of_all_regions_or_of_none(cloud: str) -> None:
    used = {price.price_list.name for region in priced_regions(cloud) for price in prices_in(region, cloud)}

    assert {each.name for each in price_lists(cloud)} == used


def test_a_price_that_people_keep_comes_before_the_lists() -> None:
    kept = prices.on_demand("p5.48xlarge", "us-west-2", "aws")
    listed = find_price("p5.48xlarge", "us-west-2", "on_demand", "aws")

    assert kept is not None
    assert listed is not None
    assert (kept.usd, listed.usd_h) == (55.04, 98.32), "AWS lowered it in June 2025"
    assert prices.committed_hour("p5.48xlarge", "us-west-2", "1y", "aws") is None, "it was published for the old price"


def test_a_commitment_has_the_published_price() -> None:
    one, three = (prices.committed_hour("m5.large", "us-east-1", term, "aws") for term in ("1y", "3y"))

    assert one is not None
    assert three is not None
    assert (one.usd, three.usd) == (0.06, 0.041)


def test_an_estimate_of_a_newer_family_is_marked() -> None:
    price = prices.on_demand("m8i.xlarge", "eu-west-1", "aws")

    assert price is not None
    assert price.unverified == ("usd",)


def test_a_region_without_a_table_has_no_prices() -> None:
    assert find_price("m5.large", "xx-nowhere-1", "on_demand", "aws") is None
    assert find_price("m5.large", "../../../aws/data/machine_prices/us-east-1", "on_demand", "aws") is None

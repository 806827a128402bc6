"""Prices of one machine in several regions, and of accelerators among each other, are near what one expects.

A wrong digit in one row of thousands is seen by no test that looks at single prices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import pytest

from penstock.catalog import machines, regions
from penstock.catalog.prices import on_demand
from penstock.catalog.tables import rows

TABLES = [
    ("aws/prices", "machine_type"),
    ("gcp/prices", "machine_type"),
    ("gcp/chip_prices", "accelerator"),
    ("azure/prices", "machine_type"),
]
FACTOR = {"on_demand": 2.5, "spot": 6.0}
"""How far a region's price may be from the median over all regions; São Paulo and Doha are 1.4 times as dear."""

BY_PRICE = {
    "aws": ("t4", "l4", "a100", "a100-80gb", "h100", "h200", "b200", "b300"),
    "gcp": ("l4", "a100", "a100-80gb", "h100"),
    "azure": ("t4", "a100", "a100-80gb", "h100", "gb200"),
}
"""Accelerators from the cheapest to the dearest hour of one."""

Way = tuple[str, str]


def by_way(name: str, column: str) -> dict[Way, dict[str, float]]:
    """The prices of a table by what is bought and how, and by region."""
    found: dict[Way, dict[str, float]] = {}
    for row in rows(name):
        found.setdefault((row[column], row["capacity"]), {})[row["region"]] = float(row["usd_h"])
    return found


def implausible(prices: Mapping[Way, Mapping[str, float]]) -> Iterator[tuple[Way, str]]:
    """Where a price is too far from that of other regions."""
    for (kind, capacity), by_region in prices.items():
        middle = median(by_region.values())
        for region, usd in by_region.items():
            if max(usd / middle, middle / usd) > FACTOR[capacity]:
                yield (kind, capacity), region


@pytest.mark.parametrize(("name", "column"), TABLES)
def test_no_region_is_far_dearer_or_cheaper_than_the_others(name: str, column: str) -> None:
    assert list(implausible(by_way(name, column))) == []


@pytest.mark.parametrize(("name", "column"), TABLES)
def test_a_price_times_ten_in_one_region_is_found(name: str, column: str) -> None:
    found = {way: by_region for way, by_region in by_way(name, column).items() if len(by_region) > 1}

    for way, by_region in found.items():
        for region, usd in by_region.items():
            if way[1] == "on_demand":
                assert list(implausible({way: {**by_region, region: 10 * usd}})), (way, region)


@pytest.mark.parametrize("cloud", BY_PRICE)
def test_a_newer_accelerator_costs_more(cloud: str) -> None:
    hours = [of_one(cloud, accelerator) for accelerator in BY_PRICE[cloud]]

    assert hours == sorted(hours)


def of_one(cloud: str, accelerator: str) -> float:
    """The median price of one accelerator for an hour, in the largest machine of those that are sold on demand."""
    sold = [
        each for each in machines.machine_types(cloud) if each.accelerator == accelerator and "on_demand" in each.sold
    ]
    largest = max(sold, key=lambda each: (each.accelerators, -each.vcpu))
    return median(over_regions(largest.machine_type, cloud)) / largest.accelerators


def over_regions(machine_type: str, cloud: str) -> list[float]:
    found = (on_demand(machine_type, region.name, cloud) for region in regions.all_regions(cloud))
    return [price.usd for price in found if price is not None]

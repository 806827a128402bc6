"""Prices of every machine type that a cloud sells, one compressed table for each region.

`machine_price_lists` of a cloud names the published lists that the prices come from. The table of a region is
data/machine_prices/REGION.csv.gz beside it: a list, a machine type and its USD an hour in each line, and one line at
most for a machine type bought in one way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from penstock.catalog.records import Column, records
from penstock.catalog.region_tables import region_prices, regions_with
from penstock.catalog.tables import clouds_with

Capacity = Literal["on_demand", "spot", "reserved_1y", "reserved_3y"]

HEADER: Final = "list,machine_type,usd_h"
LISTS: Final = "machine_price_lists"
TABLES: Final = "machine_prices"


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """A published list of prices, and the one way of buying machines that it is about.

    `estimated` is true if its prices are derived from others, which no primary source confirms.
    """

    name: Annotated[str, Column("list")]
    capacity: Capacity
    estimated: bool
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class ListedPrice:
    """The price of one machine for an hour, with the list that has it."""

    machine_type: str
    usd_h: float
    price_list: PriceList


def find_price(machine_type: str, region: str, capacity: str, cloud: str) -> ListedPrice | None:
    """Return the price of a machine type in a region, bought in one way; None if no list has it."""
    prices = region_prices(cloud, TABLES, region)
    for each in price_lists(cloud) if prices else ():
        usd = prices.get(f"{each.name},{machine_type}") if each.capacity == capacity else None
        if usd is not None:
            return ListedPrice(machine_type, float(usd), each)
    return None


def prices_in(region: str, cloud: str) -> Iterator[ListedPrice]:
    """Yield all prices of a region, in the order of its table."""
    lists = {each.name: each for each in price_lists(cloud)}
    for key, usd in region_prices(cloud, TABLES, region).items():
        name, _, machine_type = key.partition(",")
        yield ListedPrice(machine_type, float(usd), lists[name])


def price_lists(cloud: str) -> tuple[PriceList, ...]:
    """Return the price lists of a cloud, the preferred one first."""
    return records(PriceList, f"{cloud}/{LISTS}") if cloud in clouds_with(LISTS) else ()


def priced_regions(cloud: str) -> frozenset[str]:
    """Return the regions of a cloud that have a table."""
    return regions_with(cloud, TABLES)

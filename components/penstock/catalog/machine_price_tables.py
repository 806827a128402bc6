"""Prices of every machine type that a cloud sells, one compressed table for each region.

`machine_price_lists` of a cloud names the published lists that the prices come from. The table of a region is
data/machine_prices/REGION.csv.gz beside it: a list, a machine type and its USD an hour in each line, and one line at
most for a machine type bought in one way. Only the regions that are asked for are read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

from penstock.catalog.records import Column, records
from penstock.catalog.tables import clouds_with, path_of

Capacity = Literal["on_demand", "spot", "reserved_1y", "reserved_3y"]

HEADER: Final = "list,machine_type,usd_h"
LISTS: Final = "machine_price_lists"
_ENDING: Final = ".csv.gz"
_GZIP: Final = 31
"""The format of the files for zlib, which spares the import of gzip."""


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
    prices = _table(cloud, region)
    for each in price_lists(cloud) if prices else ():
        usd = prices.get(f"{each.name},{machine_type}") if each.capacity == capacity else None
        if usd is not None:
            return ListedPrice(machine_type, float(usd), each)
    return None


def prices_in(region: str, cloud: str) -> Iterator[ListedPrice]:
    """Yield all prices of a region, in the order of its table."""
    lists = {each.name: each for each in price_lists(cloud)}
    for key, usd in _table(cloud, region).items():
        name, _, machine_type = key.partition(",")
        yield ListedPrice(machine_type, float(usd), lists[name])


def price_lists(cloud: str) -> tuple[PriceList, ...]:
    """Return the price lists of a cloud, the preferred one first."""
    return records(PriceList, f"{cloud}/{LISTS}") if cloud in clouds_with(LISTS) else ()


@cache
def priced_regions(cloud: str) -> frozenset[str]:
    """Return the regions of a cloud that have a table."""
    folder = folder_of(cloud)
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return frozenset(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))


def folder_of(cloud: str) -> Path:
    """Return the folder with the tables of a cloud."""
    return path_of(f"{cloud}/machine_prices").with_suffix("")


@cache
def _table(cloud: str, region: str) -> Mapping[str, str]:
    """The prices of a region as text, by list and machine type."""
    if region not in priced_regions(cloud):
        return {}
    packed = (folder_of(cloud) / f"{region}{_ENDING}").read_bytes()
    text = zlib.decompress(packed, _GZIP).decode("ascii")
    return dict(line.rsplit(",", 1) for line in text.splitlines()[1:])

"""The tables of machine prices: what the price tools share when they read checkouts of published lists.

A tool names the lists that it can read. Each list whose files are in one of the folders replaces the shipped one; the
others stay. A machine type bought in one way keeps the price of the first list that has it.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Final

from penstock.catalog import regions
from penstock.catalog.machine_price_tables import (
    HEADER,
    LISTS,
    TABLES,
    price_lists,
    priced_regions,
    prices_in,
)
from penstock.catalog.region_tables import folder_of
from penstock.catalog.tables import path_of, rows
from tools.generated import table

FACTOR: Final = {"on_demand": 4.0, "spot": 8.0}
"""The most that a region's price may be from the median of all regions; AMD sizes of Azure cost a third in India."""

Prices = dict[tuple[str, str], float]
"""USD an hour by region and machine type."""


@dataclass(frozen=True, slots=True)
class Published:
    """A list as a checkout has it: its prices, and its date if the files say it."""

    prices: Prices
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Before:
    """Facts for reading a list: today's prices on demand, and the lists before it by name."""

    on_demand: Prices
    lists: Mapping[str, Prices]


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of one list.

    Attributes:
        files: A pattern of the files in a checkout.
        read: Reads these files, some of them with the lists before it.
    """

    files: str
    read: Callable[[Sequence[Path], Before], Published]


def shipped(cloud: str) -> dict[str, Prices]:
    """Return the prices of the shipped tables, by list."""
    found: dict[str, Prices] = {each.name: {} for each in price_lists(cloud)}
    for region in sorted(priced_regions(cloud)):
        for price in prices_in(region, cloud):
            found[price.price_list.name][region, price.machine_type] = price.usd_h
    return found


def gathered(cloud: str, readers: Mapping[str, Reader], folders: Sequence[Path]) -> dict[str, Published]:
    """Return the lists that the folders have.

    Raises:
        ValueError: a folder has the files of no list.
    """
    unread = set(folders)
    found: dict[str, Published] = {}
    on_demand = curated(cloud)
    lists = shipped(cloud)
    for each in price_lists(cloud):
        reader = readers[each.name]
        files = [(folder, file) for folder in folders for file in sorted(folder.glob(reader.files))]
        if files:
            unread -= {folder for folder, _ in files}
            listed = reader.read([file for _, file in files], Before(on_demand, lists))
            found[each.name] = replace(listed, prices=_plausible(listed.prices, each.capacity))
            lists[each.name] = found[each.name].prices
        if each.capacity == "on_demand":
            on_demand = {**lists[each.name], **on_demand}
    if unread:
        wanted = ", ".join(sorted({each.files for each in readers.values()}))
        raise ValueError(f"{', '.join(map(str, sorted(unread)))}: not a checkout with {wanted}")
    return found


def _plausible(prices: Prices, capacity: str) -> Prices:
    """The prices without those far from the same machine's in other regions, which are slips of the list."""
    by_type: dict[str, list[float]] = {}
    for (_, machine_type), usd in prices.items():
        by_type.setdefault(machine_type, []).append(usd)
    middles = {machine_type: median(each) for machine_type, each in by_type.items()}
    most = FACTOR.get(capacity, FACTOR["on_demand"])
    return {key: usd for key, usd in prices.items() if 1 / most <= usd / middles[key[1]] <= most}


def curated(cloud: str) -> Prices:
    """Return the prices on demand of the table that people keep, which come before all lists."""
    listed = (row for row in rows(f"{cloud}/prices") if row["capacity"] == "on_demand")
    return {(row["region"], row["machine_type"]): float(row["usd_h"]) for row in listed}


def region_texts(cloud: str, published: Mapping[str, Published]) -> dict[str, str]:
    """Return the text of each region's table, with the lists that are given in place of the shipped ones."""
    lists = {**shipped(cloud), **{name: each.prices for name, each in published.items()}}
    known = {region.name for region in regions.all_regions(cloud)}
    taken: set[tuple[str, str, str]] = set()
    lines: dict[str, list[str]] = {}
    for each in price_lists(cloud):
        for (region, machine_type), usd in sorted(lists[each.name].items()):
            key = (region, machine_type, each.capacity)
            if region in known and key not in taken:
                taken.add(key)
                lines.setdefault(region, []).append(f"{each.name},{machine_type},{number(usd)}")
    return {region: "\n".join([HEADER, *found, ""]) for region, found in lines.items()}


def number(usd: float) -> str:
    """Return a price with the digits that it has, six after the point at most."""
    return f"{usd:.6f}".rstrip("0").rstrip(".")


def write(cloud: str, published: Mapping[str, Published]) -> Iterator[str]:
    """Write the tables of a cloud anew, and yield what became of each; an unchanged table stays."""
    texts = region_texts(cloud, published)
    folder = folder_of(cloud, TABLES)
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.csv.gz"):
        if path.name.removesuffix(".csv.gz") not in texts:
            path.unlink()
    for region, text in sorted(texts.items()):
        path = folder / f"{region}.csv.gz"
        before = gzip.decompress(path.read_bytes()).decode("ascii") if path.exists() else ""
        if text != before:
            path.write_bytes(gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0))
            changed = len(set(text.splitlines()) - set(before.splitlines()))
            yield f"{cloud} {region}: {changed} prices new or changed, {text.count(chr(10)) - 1} in all"
    _write_dates(cloud, published)


def _write_dates(cloud: str, published: Mapping[str, Published]) -> None:
    """Write the dates of the lists whose files say them."""
    dated = [
        {**row, "as_of": published[row["list"]].as_of or row["as_of"]} if row["list"] in published else row
        for row in rows(f"{cloud}/{LISTS}")
    ]
    path_of(f"{cloud}/{LISTS}").write_text(table(list(dated[0]), (row.values() for row in dated)), encoding="utf-8")


def run(cloud: str, readers: Mapping[str, Reader], folders: Sequence[Path]) -> None:
    """Read the lists in folders and write the tables of a cloud."""
    for line in write(cloud, gathered(cloud, readers, folders)):
        print(line)

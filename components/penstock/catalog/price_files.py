"""The price files of a user: their rows with a price, and what is wrong with the others."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Final

from penstock.catalog import machine_price_tables
from penstock.catalog.tables import clouds_with, rows
from penstock.core.wording import did_you_mean, inflect, listed, quoted

SERVICES: Final = "services"
_MACHINES: Final = ("prices", "chip_prices")
_WAYS: Final = ("on_demand", "spot", "capacity_block", "flex_start")
_DATE: Final = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_COLUMNS: Final = {
    "prices": ("machine_type", "region", "capacity", "usd_h", "unverified", "source", "as_of"),
    "chip_prices": ("accelerator", "region", "capacity", "usd_h", "unverified", "source", "as_of"),
    SERVICES: ("cloud", "region", "service", "item", "unit", "usd", "unverified", "source", "as_of"),
}
_OPTIONAL: Final = "unverified"
_SERVICES_ASKED: Final = ("AWS price list", "Azure retail prices API", "Cloud Billing Catalog")
"""The beginnings of the sources that `penstock catalog refresh` writes."""


@dataclass(frozen=True, slots=True)
class PriceFileProblem:
    """A mistake in a price file, at a line and in a column; one that is not `grave` leaves the row in use."""

    file: Path
    line: int
    column: str
    message: str
    hint: str
    grave: bool = True


@dataclass(frozen=True, slots=True)
class PriceFile:
    """A price file of the user: its rows that hold a price, and its problems."""

    rows: tuple[dict[str, str], ...] = ()
    problems: tuple[PriceFileProblem, ...] = ()


@cache
def known_tables() -> tuple[str, ...]:
    """Return the names of all price files, such as `aws/prices`."""
    return (SERVICES, *(f"{cloud}/{table}" for table in _MACHINES for cloud in clouds_with(table)))


def misnamed(folder: Path) -> Iterator[PriceFileProblem]:
    """Yield the files of a folder that no price is read from."""
    for path in sorted((*folder.glob("*.csv"), *folder.glob("*/*.csv"))):
        name = path.relative_to(folder).with_suffix("").as_posix()
        if name not in known_tables():
            files = [f"{table}.csv" for table in known_tables()]
            hint = did_you_mean(f"{name}.csv", files) or f"Price files: {listed(files)}."
            yield PriceFileProblem(path, 1, "", f"No price is read from {name}.csv.", hint, grave=False)


@cache
def read_price_file(table: str, folder: Path) -> PriceFile:
    """Return the rows and the problems of a price file; nothing of both if there is no such file."""
    path = folder / f"{table}.csv"
    if not path.exists():
        return PriceFile()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            lines = [(reader.line_num, cells) for cells in reader if cells]
    except (OSError, UnicodeDecodeError, csv.Error):
        hint = f"Save it as text in UTF-8 with the columns {listed(_columns(table))}."
        return PriceFile(problems=(PriceFileProblem(path, 1, "", f"{table}.csv cannot be read as CSV.", hint),))
    if not lines:
        return PriceFile(problems=(_without_heading(path, table),))
    (_, heading), *rest = lines
    missing = [column for column in _columns(table) if column not in heading and column != _OPTIONAL]
    if missing:
        return PriceFile(problems=(_without_column(path, heading, missing),))
    if not rest:
        hint = "Write a price below the heading, or delete the file."
        return PriceFile(problems=(PriceFileProblem(path, 1, "", f"{table}.csv has no prices.", hint, grave=False),))
    return _checked(path, table, heading, rest)


def _checked(path: Path, table: str, heading: Sequence[str], lines: Sequence[tuple[int, list[str]]]) -> PriceFile:
    kept: dict[tuple[str, ...], dict[str, str]] = {}
    found: list[PriceFileProblem] = []
    for line, cells in lines:
        row = {_OPTIONAL: "", **dict(zip(heading, cells, strict=False))}
        problems = list(_of_row(path, table, line, row, len(cells) - len(heading)))
        key = tuple(row.get(column, "") for column in _columns(table) if column not in _VALUES)
        if not any(each.grave for each in problems):
            if key in kept:
                problems.append(_twice(path, line, key))
            kept[key] = row
        found += problems
    return PriceFile(tuple(kept.values()), tuple(found))


_VALUES: Final = ("usd_h", "usd", "unit", _OPTIONAL, "source", "as_of")


def _of_row(path: Path, table: str, line: int, row: Mapping[str, str], too_many: int) -> Iterator[PriceFileProblem]:
    """Yield the mistakes of one row."""
    if too_many:
        message = f"The row has {'too many' if too_many > 0 else 'too few'} cells."
        yield PriceFileProblem(path, line, "", message, f"Write the columns {listed(_columns(table))}.")
        return
    for column, holds, wanted in _CELLS:
        if column in row and not holds(row[column]):
            message = f"{column} cannot be {quoted(row[column])}."
            yield PriceFileProblem(path, line, column, message, f"Write {wanted}.")
    cloud = row["cloud"] if table == SERVICES else table.partition("/")[0]
    if cloud not in clouds_with("regions"):
        message = f"{quoted(cloud)} is not a cloud with prices."
        yield PriceFileProblem(path, line, "cloud", message, did_you_mean(cloud, clouds_with("regions")))
        return
    yield from _of_place(path, line, cloud, row)
    if table == SERVICES:
        yield from _of_item(path, line, cloud, row)


def _of_place(path: Path, line: int, cloud: str, row: Mapping[str, str]) -> Iterator[PriceFileProblem]:
    """Yield names of a row that the cloud does not have: the row is never used, or for what only the user knows."""
    region, machine_type = row["region"], row.get("machine_type")
    regions = _regions(cloud)
    if region not in ("", "global") and region not in regions:
        elsewhere = next((each for each in clouds_with("regions") if region in _regions(each)), "")
        hint = f"It is a region of {elsewhere}." if elsewhere else did_you_mean(region, sorted(regions))
        message = f"{quoted(region)} is not a known region of {cloud}."
        yield PriceFileProblem(path, line, "region", message, hint, grave=bool(elsewhere))
    elif machine_type is not None and not _is_refreshed(row) and machine_type not in _sold(region, cloud):
        sold = sorted(_sold(region, cloud))
        message = f"{quoted(machine_type)} is not a known machine type of {cloud} in {region}."
        yield PriceFileProblem(path, line, "machine_type", message, did_you_mean(machine_type, sold), grave=False)


def _of_item(path: Path, line: int, cloud: str, row: Mapping[str, str]) -> Iterator[PriceFileProblem]:
    """Yield an item that no bill asks for, or a unit in which it is not sold."""
    units, item = _units(cloud), (row["service"], row["item"])
    if item not in units:
        column, known = ("item", [each for service, each in units if service == row["service"]])
        if not known:
            column, known = "service", list(dict.fromkeys(service for service, _ in units))
        message = f"{quoted(row[column])} is not a known {column} of {cloud}, so that no bill reads this price."
        yield PriceFileProblem(path, line, column, message, did_you_mean(row[column], known), grave=False)
    elif row["unit"] != units[item]:
        message = f"unit cannot be {quoted(row['unit'])}: {row['item']} of {row['service']} is sold by {units[item]}."
        yield PriceFileProblem(path, line, "unit", message, f"Write the price of one {units[item]}.")


@cache
def _units(cloud: str) -> Mapping[tuple[str, str], str]:
    tables = [f"{cloud}/{table}" for table in ("services", "node_prices") if cloud in clouds_with(table)]
    return {(row["service"], row["item"]): row["unit"] for table in tables for row in rows(table)}


@cache
def _regions(cloud: str) -> frozenset[str]:
    return frozenset(row["region"] for row in rows(f"{cloud}/regions"))


def _is_refreshed(row: Mapping[str, str]) -> bool:
    """Return whether a row comes from a price service, which may sell what the catalogue does not know yet."""
    return row["source"].startswith(_SERVICES_ASKED)


@cache
def _sold(region: str, cloud: str) -> frozenset[str]:
    """The machine types of a region that a list has a price of, and all of the catalogue."""
    listed_there = (each.machine_type for each in machine_price_tables.prices_in(region, cloud))
    return frozenset((*listed_there, *(row["machine_type"] for row in rows(f"{cloud}/machines"))))


def _twice(path: Path, line: int, key: Sequence[str]) -> PriceFileProblem:
    message = f"The price of {listed(filter(None, key))} is given twice; the last row counts."
    return PriceFileProblem(path, line, "", message, "Keep one of both rows.", grave=False)


def _without_heading(path: Path, table: str) -> PriceFileProblem:
    hint = f"Begin with the heading {','.join(_columns(table))}."
    return PriceFileProblem(path, 1, "", f"{table}.csv is empty.", hint, grave=False)


def _without_column(path: Path, heading: Sequence[str], missing: Sequence[str]) -> PriceFileProblem:
    unknown = [column for column in heading if not any(column in columns for columns in _COLUMNS.values())]
    given = f" It has {listed(unknown)}." if unknown else ""
    hint = f"Add the {inflect(len(missing), 'column', 'columns')} {listed(missing)}."
    money = " Prices are in US dollars." if missing[0].startswith("usd") else ""
    return PriceFileProblem(path, 1, missing[0], f"The heading lacks {listed(missing)}.{given}", f"{hint}{money}")


def _columns(table: str) -> tuple[str, ...]:
    return _COLUMNS[table.rpartition("/")[2]]


def _is_price(cell: str) -> bool:
    try:
        return float(cell) >= 0 and isfinite(float(cell))
    except ValueError:
        return False


_A_PRICE: Final = "a number of US dollars, such as 38.53"
_CELLS: Final[Sequence[tuple[str, Callable[[str], object], str]]] = (
    ("usd_h", _is_price, _A_PRICE),
    ("usd", _is_price, _A_PRICE),
    ("capacity", _WAYS.__contains__, f"one of {listed(_WAYS)}"),
    (_OPTIONAL, lambda cell: set(cell.split()) <= {"usd", "usd_h", "as_of"}, "usd_h, usd or nothing"),
    ("source", bool, "where the price comes from, such as a contract"),
    ("as_of", _DATE.fullmatch, "a date such as 2026-11 or 2026-11-26"),
)
"""The checks of the cells of a price file, each with the words for what it wants."""

"""Prices that a user refreshed from the clouds' price services; they win over those that Penstock ships.

They are tables of the same form in a folder: `PENSTOCK_PRICES`, or `penstock/prices` below the user's configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from pathlib import Path

from penstock.catalog.tables import rows
from penstock.errors import MalformedTable

VARIABLE = "PENSTOCK_PRICES"

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


def folder() -> Path:
    """Return the folder of refreshed prices, be it there or not."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "penstock" / "prices"


def overriding(table: str) -> list[dict[str, str]]:
    """Return the refreshed rows of a table such as `aws/prices`; none where nobody refreshed it.

    Raises:
        MalformedTable: as `rows`; the file is one of the user's.
    """
    return list(_rows(table, folder()))


@cache
def _rows(table: str, place: Path) -> tuple[dict[str, str], ...]:
    path = place / f"{table}.csv"
    if not path.is_file():
        return ()
    found = rows(path.stem, path.parent)
    column = "usd" if table == "services" else "usd_h"
    for number, row in enumerate(found, start=2):
        _hold(path, number, row, column)
    return tuple(found)


def _hold(path: Path, number: int, row: Mapping[str, str | None], column: str) -> None:
    """Refuse a row of the user's without a price, or without a date such as 2026-11 or 2026-11-26."""
    for name, holds in ((column, _is_price), ("as_of", _DATE.fullmatch), ("source", bool)):
        if not holds(row.get(name) or ""):
            raise MalformedTable(f"{path}:{number}: column {name} cannot hold {row.get(name)!r}")


def _is_price(cell: str) -> bool:
    try:
        return float(cell) >= 0 and isfinite(float(cell))
    except ValueError:
        return False


def forget() -> None:
    """Read the tables of the user anew when they are next needed, as after a refresh in the same process."""
    _rows.cache_clear()
    rows.cache_clear()


def refreshed_tables() -> Iterator[tuple[str, int, str]]:
    """Yield each refreshed table with the number of its rows and its newest date."""
    place = folder()
    for path in sorted(place.rglob("*.csv")) if place.is_dir() else ():
        name = path.relative_to(place).with_suffix("").as_posix()
        found = overriding(name)
        if found:
            yield name, len(found), max(row["as_of"] for row in found)

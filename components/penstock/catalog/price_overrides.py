"""Prices that a user refreshed from the clouds' price services; they win over those that Penstock ships.

They are tables of the same form in a folder: `PENSTOCK_PRICES`, or `penstock/prices` below the user's configuration.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from penstock.catalog.tables import rows

VARIABLE = "PENSTOCK_PRICES"


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
    return tuple(rows(path.stem, path.parent)) if path.is_file() else ()


def refreshed_tables() -> Iterator[tuple[str, int, str]]:
    """Yield each refreshed table with the number of its rows and its newest date."""
    place = folder()
    for path in sorted(place.rglob("*.csv")) if place.is_dir() else ():
        name = path.relative_to(place).with_suffix("").as_posix()
        found = overriding(name)
        if found:
            yield name, len(found), max(row["as_of"] for row in found)

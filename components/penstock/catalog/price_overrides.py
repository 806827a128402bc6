"""Prices that a user refreshed from the clouds' price services; they win over those that Penstock ships.

They are tables of the same form in a folder: `PENSTOCK_PRICES`, or `penstock/prices` below the user's configuration.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from penstock.catalog.price_files import PriceFileProblem, known_tables, misnamed, read_price_file

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

    Rows that hold no price are left out, and are among the `problems`.
    """
    return list(read_price_file(table, folder()).rows)


def problems() -> list[PriceFileProblem]:
    """Return what is wrong with the price files of the user."""
    place = folder()
    if not place.is_dir():
        return []
    return [*misnamed(place), *(each for table in known_tables() for each in read_price_file(table, place).problems)]


def forget() -> None:
    """Read the tables of the user anew when they are next needed, as after a refresh in the same process."""
    read_price_file.cache_clear()


def refreshed_tables() -> Iterator[tuple[str, int, str]]:
    """Yield each refreshed table with the number of its rows and its newest date."""
    for name in known_tables():
        found = overriding(name)
        if found:
            yield name, len(found), max(row["as_of"] for row in found)

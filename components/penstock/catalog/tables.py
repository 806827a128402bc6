"""The data files: one CSV a subject, in the room of its provider, every row with its source and date."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TypedDict

from penstock.errors import UnknownFact

_CATALOGUE = Path(__file__).parent


@cache
def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table in the order of its file; shared by all callers, so read only.

    `aws/machines` is aws/data/machines.csv; a table of all providers has no room: `latencies` is data/latencies.csv.

    An empty cell is "not known". The column `unverified` names the columns of its row that no primary source confirms.

    Raises:
        UnknownFact: there is no such table.
    """
    try:
        return read_rows(_file(name))
    except FileNotFoundError:
        raise unknown("table of the catalogue", name, names()) from None


def read_rows(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file in its order."""
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def names() -> list[str]:
    """Every table by its name, those in folders of a room too, sorted."""
    files = (file.relative_to(_CATALOGUE) for file in _CATALOGUE.rglob("*.csv"))
    return sorted("/".join(part for part in file.with_suffix("").parts if part != "data") for file in files)


def _file(name: str) -> Path:
    room, _, rest = name.partition("/")
    return _CATALOGUE / room / "data" / f"{rest}.csv" if rest else _CATALOGUE / "data" / f"{name}.csv"


def row_of(name: str, column: str, key: str, kind: str) -> dict[str, str]:
    """The row of a table that has the key in a column.

    Raises:
        UnknownFact: no row has it; the text says what `kind` of thing was looked for, and names the nearest keys.
    """
    table = {row[column]: row for row in rows(name)}
    if key not in table:
        raise unknown(kind, key, table)
    return table[key]


class Provenance(TypedDict):
    """Where a fact comes from: what ends every row, and every record made from one."""

    unverified: tuple[str, ...]
    source: str
    as_of: str


def provenance(row: Mapping[str, str]) -> Provenance:
    """The source and date of a row, and which of its columns no primary source confirms."""
    return {"unverified": tuple(row["unverified"].split()), "source": row["source"], "as_of": row["as_of"]}


def unknown(kind: str, key: object, known: Iterable[str]) -> UnknownFact:
    """The error for a key that no row has; it names the nearest keys, or all of them where none is near."""
    import difflib

    keys = sorted(known)
    near = difflib.get_close_matches(str(key), keys, n=3, cutoff=0.7)
    advice = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(keys)}."
    return UnknownFact(f"{str(key)!r} is no {kind} that Penstock knows. {advice}")


def integer(cell: str) -> int | None:
    """The number in a cell, or None where it is not known."""
    return int(cell) if cell else None


def number(cell: str) -> float | None:
    """As `integer`, for cells with a fraction."""
    return float(cell) if cell else None

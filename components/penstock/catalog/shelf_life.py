"""The time for which rows of a table can be trusted: data/shelf_life.csv.

A fact that is past its time need not be wrong: it is to be looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from functools import cache

from penstock.catalog import api_limits, tables
from penstock.catalog.records import records

UNDATED = ("missing_addons", "sources", "shelf_life", "gcp/ids")
"""Tables about tables, names that the project chooses, and one that tests compare with the installed SDK."""


@dataclass(frozen=True, slots=True)
class ShelfLife:
    """How many days the rows of some tables can be trusted; `tables` is a name or a pattern."""

    tables: str
    days: int
    why: str

    def is_for(self, name: str) -> bool:
        """Return whether it is of a table; only patterns with a star within are compiled, of which there are few."""
        if self.tables.startswith("*") and "*" not in self.tables[1:]:
            return name.endswith(self.tables[1:])
        return name == self.tables or ("*" in self.tables and fnmatchcase(name, self.tables))


@dataclass(frozen=True, slots=True)
class StaleTable:
    """A table with rows past their time: how many, and the oldest date."""

    name: str
    days: int
    rows: int
    of: int
    oldest: date


def dated_tables() -> list[str]:
    """The tables whose rows have a date; replacements have theirs in replacement_sources, keys of charts in charts."""
    undated = (*UNDATED, "*/sources", "*/replacements", "*/chart_values/*")
    return [name for name in tables.table_names() if not any(fnmatchcase(name, form) for form in undated)]


def shelf_lives(name: str) -> list[ShelfLife]:
    """The shelf lives of a table; right is one."""
    return [each for each in records(ShelfLife, "shelf_life") if each.is_for(name)]


def dates(name: str) -> list[date]:
    """The date of each row of a table; of a month its first day."""
    room, _, rest = name.partition("/")
    if rest.startswith("api_limits/"):
        month = api_limits.source(room).rpartition("(")[2].rstrip(")")
        return [_date(month)] * len(tables.rows(name))
    return [_date(row["as_of"]) for row in tables.rows(name)]


def stale_tables(today: date) -> Iterator[StaleTable]:
    """The tables with rows that are older than they may be; one without a shelf life has none."""
    for name in dated_tables():
        life = next(iter(shelf_lives(name)), None)
        if life is None:
            continue
        found = dates(name)
        old = [each for each in found if (today - each).days > life.days]
        if old:
            yield StaleTable(name, life.days, len(old), len(found), min(old))


def is_stale(table: str, as_of: str, today: date) -> bool:
    """Return whether a row of this date is past the shelf life of its table; never where it has none."""
    days = _days(table)
    return days is not None and (today - _date(as_of)).days > days


@cache
def _days(table: str) -> int | None:
    return next((each.days for each in shelf_lives(table)), None)


@cache
def _date(as_of: str) -> date:
    year, month, day = (*as_of.split("-"), "01", "01")[:3]
    return date(int(year), int(month), int(day))

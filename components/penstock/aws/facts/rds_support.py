"""The days from which a database version costs extended support on RDS and Aurora."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from penstock.catalog.records import Column, records

_Day = Annotated[date, Column(read=date.fromisoformat)]
_LastDay = Annotated[date | None, Column(read=lambda cell: date.fromisoformat(cell) if cell else None)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSupport:
    """The extended support of a major version, from the first day with a charge.

    `third_year_from` is the first day of the higher charge; None where it stays the same.
    """

    engine: str
    version: str
    extended_from: _Day
    third_year_from: _LastDay
    source: str
    as_of: str

    def is_for(self, engine: str, version: str) -> bool:
        """Return whether a version such as 5.7.44, 8.0.mysql_aurora.3.10 or 12 belongs to it."""
        return self.engine == engine and f"{version}.".startswith(f"{self.version}.")


def extended_support(engine: str, version: str) -> ExtendedSupport | None:
    """Return the extended support of a version; None where the table has none."""
    found = records(ExtendedSupport, "aws/rds_support")
    return next((each for each in found if each.is_for(engine, version)), None)

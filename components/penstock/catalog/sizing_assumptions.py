"""Figures that sizing assumes where nobody has measured them for the case at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One assumed figure: its value, its unit, and what it stands for in a sentence."""

    name: str
    value: float
    unit: str
    meaning: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def assumption(name: str) -> Assumption:
    """The assumption of that name.

    Raises:
        UnknownFact: there is none; the text names the nearest ones.
    """
    return record_of(Assumption, "sizing_assumptions", name, "assumption of sizing")


@cache
def assumed(name: str) -> float:
    """The value of an assumption."""
    return assumption(name).value

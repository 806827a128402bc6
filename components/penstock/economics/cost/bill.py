"""The lines of a bill, and the arithmetic that makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from penstock.catalog.prices import HOURS_A_MONTH, Price
from penstock.resources.graph import Resource

__all__ = ["HOURS_A_MONTH", "Line", "Unpriced", "line", "machines"]


@dataclass(frozen=True, slots=True)
class Line:
    """The monthly cost of one resource; `unverified` means that its price is a guess."""

    urn: str
    what: str
    monthly_usd: float
    unverified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A resource that costs something the catalogue does not know, and why."""

    urn: str
    why: str


def machines(resource: Resource, what: str, count: Any, price: Price | None) -> Line | Unpriced:
    """Return the cost of `count` machines that run all month, at the price of an hour."""
    return line(resource, what, count * HOURS_A_MONTH if isinstance(count, int) else None, price)


def line(resource: Resource, what: str, units: Any, price: Price | None) -> Line | Unpriced:
    """Return the cost of so many units; `units` is not a number where it is not known yet."""
    if not isinstance(units, int | float):
        return Unpriced(resource.urn, f"{what}: how much is not known yet")
    if price is None and units:
        return Unpriced(resource.urn, f"{what}: no price known")
    if price is None:
        return Line(resource.urn, what, 0.0, unverified=False, source="")
    return Line(
        resource.urn, what, round(units * price.usd, 2), unverified="usd" in price.unverified, source=price.source
    )

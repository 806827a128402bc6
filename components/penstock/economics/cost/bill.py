"""The lines of a bill, and the arithmetic that makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from penstock.catalog.prices import HOURS_A_MONTH, Price
from penstock.economics.cost.amounts import Amount, amount_of
from penstock.resources.graph import Resource

__all__ = ["HOURS_A_MONTH", "Confidence", "Line", "Unpriced", "by_use", "confidence_of", "line", "machines"]

Confidence = Literal["list", "market", "other-region", "unverified"]
"""How a price is known.

`list`: the vendor's price list has it, for this region or for all. `market`: a spot price of one moment.
`other-region`: the list's price of another region. `unverified`: no primary source confirms it.
"""

_SPREAD: Final = {"list": 0.0, "market": 0.0, "other-region": 0.25, "unverified": 0.25}
"""How far a price may be off, as a share of it. Services cost up to a quarter more outside the regions of the lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The monthly cost of one resource, or of a part of it.

    `monthly_usd` is expected: `quantity` units at `unit_usd` each; `low_usd` and `high_usd` bound it, for what may
    scale or is declared as a range, and for prices that are not certain. `assumes` says what the bounds rest on.
    `source` and `as_of` are those of the price; `stale` is true past its shelf life.
    """

    urn: str
    what: str
    monthly_usd: float
    low_usd: float
    high_usd: float
    quantity: float
    unit: str
    unit_usd: float
    source: str
    as_of: str
    confidence: Confidence = "list"
    stale: bool = False
    assumes: str = ""

    @property
    def unverified(self) -> bool:
        """True if no primary source confirms the price."""
        return self.confidence == "unverified"


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A resource that costs something nobody can say yet: why, and what the amount depends on.

    `depends_on` names what would make it a figure: a path of `penstock:usage`, or what the program leaves open; empty
    where the catalogue has no price. `unit_usd` is the price of one `unit`, where that is known.
    """

    urn: str
    why: str
    depends_on: str = ""
    unit: str = ""
    unit_usd: float | None = None


def machines(resource: Resource, what: str, count: Any, price: Price | None) -> Line | Unpriced:
    """Return the cost of `count` machines that run all month, at the price of an hour."""
    return line(resource, what, count * HOURS_A_MONTH if isinstance(count, int | float | Amount) else None, price)


def line(
    resource: Resource,
    what: str,
    units: Any,
    price: Price | None,
    *,
    assumes: str = "",
    price_range: tuple[float, float] | None = None,
) -> Line | Unpriced:
    """Return the cost of so many units of a month.

    Args:
        resource: What is paid for.
        what: The words for it; empty for those of its type.
        units: A number or an `Amount`; anything else means that it is not known yet.
        price: The price of a unit, None where the catalogue has none.
        assumes: What the amount, or its bounds, rest on.
        price_range: The least and the most that a unit may cost, where they are known better than by confidence.
    """
    what = what or resource.type.rpartition(":")[2]
    if not isinstance(units, int | float | Amount):
        return Unpriced(
            resource.urn, f"{what}: how much is not known yet", "what only the cloud knows before it exists"
        )
    amount = amount_of(units)
    if price is None and amount.high:
        return Unpriced(resource.urn, f"{what}: no price known")
    if price is None:
        return Line(
            urn=resource.urn, what=what, monthly_usd=0.0, low_usd=0.0, high_usd=0.0, quantity=0.0, unit="hour",
            unit_usd=0.0, source="", as_of="", assumes=assumes,
        )  # fmt: skip
    known = confidence_of(price)
    spread = _SPREAD[known]
    least, most = price_range or (price.usd * (1 - spread), price.usd * (1 + spread))
    return Line(
        urn=resource.urn,
        what=what,
        monthly_usd=round(amount.expected * price.usd, 2),
        low_usd=round(amount.low * min(least, price.usd), 2),
        high_usd=round(amount.high * max(most, price.usd), 2),
        quantity=amount.expected,
        unit=price.unit,
        unit_usd=price.usd,
        source=price.source,
        as_of=price.as_of,
        confidence=known,
        stale=price.stale,
        assumes=assumes,
    )


def by_use(resource: Resource, what: str, depends_on: str, price: Price | None) -> Unpriced:
    """Return the record of what is billed by an amount that nobody declared: a path below `penstock:usage`."""
    return Unpriced(
        resource.urn,
        what,
        f"penstock:usage.{depends_on}",
        price.unit if price is not None else "",
        price.usd if price is not None else None,
    )


def confidence_of(price: Price) -> Confidence:
    """Return how a price is known."""
    if "usd" in price.unverified:
        return "unverified"
    if price.market:
        return "market"
    return "other-region" if "region" in price.unverified else "list"

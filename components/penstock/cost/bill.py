"""The lines of a bill, and the arithmetic that makes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from penstock.catalog.machines import find_machine
from penstock.catalog.prices import HOURS_A_MONTH, Price
from penstock.core.errors import UnknownFact
from penstock.cost.amounts import Amount, amount_of
from penstock.graph.graph import Resource
from penstock.providers import provider_of

__all__ = [
    "HOURS_A_MONTH",
    "Confidence",
    "Line",
    "Missing",
    "Unpriced",
    "UnpricedMachines",
    "by_use",
    "confidence_of",
    "line",
    "machines",
    "price_spread",
    "unpriced_machines",
]

Confidence = Literal["list", "market", "other-region", "unverified"]
"""How a price is known.

`list`: the vendor's price list has it, for this region or for all. `market`: a spot price of one moment.
`other-region`: the list's price of another region. `unverified`: no primary source confirms it.
"""

Missing = Literal["price", "ahead", "amount", "use", "elsewhere"]
"""Why a resource has no figure.

`price`: the catalogue has none. `ahead`: it is paid when it is bought, at the price of that day. `amount`: an input of
the program is not known yet. `use`: neither the program nor the stack declares how much, such as traffic or what an
image needs. `elsewhere`: another resource is billed in its place.
"""

_LESS: Final = {"list": 0.0, "market": 0.0, "other-region": 0.25, "unverified": 0.25}
"""The most that a price may be over the true one, as a share of it."""
_MORE: Final = {**_LESS, "other-region": 1.0}
"""The most that it may be below it: far from the regions of the lists, gp3 in sa-east-1 costs nearly twice as much."""


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
class UnpricedMachines:
    """Machines of one type without a price: how many are started, and how many accelerators each of them has."""

    machine_type: str
    count: float
    accelerators: int = 0
    region: str = ""


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A resource without a figure: why, and what the amount depends on.

    `depends_on` names what would make it a figure: a path of `penstock:usage`, or what the program leaves open; empty
    where the catalogue has no price. `unit_usd` is the price of one `unit`, where that is known. `machines` is None
    for everything but machines.
    """

    urn: str
    why: str
    depends_on: str = ""
    unit: str = ""
    unit_usd: float | None = None
    missing: Missing = "price"
    machines: UnpricedMachines | None = None

    @property
    def is_open(self) -> bool:
        """True if it may cost something that no usage declares, so that a sum with it has no upper bound."""
        return self.missing in ("price", "ahead", "amount")

    @property
    def is_omitted(self) -> bool:
        """True if a sum leaves it out: it is open, and not a pool that starts without machines."""
        return self.is_open and (self.machines is None or self.machines.count > 0)


def machines(
    resource: Resource, what: str, count: Any, price: Price | None, *, machine_type: str, region: str
) -> Line | Unpriced:
    """Return the cost of `count` machines of one type that run all month, at the price of an hour."""
    found = line(resource, what, count * HOURS_A_MONTH if isinstance(count, int | float | Amount) else None, price)
    if isinstance(found, Line) or found.missing == "amount":
        return found
    return replace(found, machines=unpriced_machines(resource, machine_type, count, region))


def unpriced_machines(resource: Resource, machine_type: str, count: Any, region: str) -> UnpricedMachines:
    """Return machines without a price, with as many accelerators as the catalogue knows; a count not known yet is 1."""
    provider = provider_of(resource.type)
    try:
        found = find_machine(machine_type, provider.name if provider is not None else "").accelerators
    except UnknownFact:
        found = 0
    number = amount_of(count).expected if isinstance(count, int | float | Amount) else 1
    return UnpricedMachines(machine_type, number, found, region)


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
        why, depends = f"{what}: how much is not known yet", "what only the cloud knows before it exists"
        return Unpriced(resource.urn, why, depends, missing="amount")
    amount = amount_of(units)
    if price is None and amount.high:
        return Unpriced(resource.urn, f"{what}: no price known")
    if price is None:
        return Line(
            urn=resource.urn, what=what, monthly_usd=0.0, low_usd=0.0, high_usd=0.0, quantity=0.0, unit="hour",
            unit_usd=0.0, source="", as_of="", assumes=assumes,
        )  # fmt: skip
    known = confidence_of(price)
    least, most = price_range or (price.usd * (1 - _LESS[known]), price.usd * (1 + price_spread(price)))
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
        missing="use",
    )


def price_spread(price: Price) -> float:
    """Return how far a price may be below the true one, as a share of it."""
    return _MORE["other-region" if "region" in price.unverified else confidence_of(price)]


def confidence_of(price: Price) -> Confidence:
    """Return how a price is known."""
    if "usd" in price.unverified:
        return "unverified"
    if price.market:
        return "market"
    return "other-region" if "region" in price.unverified else "list"

"""Storage that is billed by what it holds: GB, old versions, what soft delete keeps, backups and requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from penstock.catalog.prices import Price
from penstock.economics.cost.amounts import Amount
from penstock.economics.cost.bill import Line, Unpriced, by_use, line
from penstock.economics.cost.declared import amount, declared, path_of
from penstock.resources.view import View


class Held(NamedTuple):
    """A part of what storage is billed for: the field of the declaration, the words for it, and its price.

    `per` is how many of the declared amount are one unit of the price: 10,000 requests, for most. Optional parts are
    named only where they are declared; the others are unpriced until then. What is beyond an amount may cost less:
    `further` are these amounts, ascending, with the price from there on.
    """

    field: str
    what: str
    price: Price | None
    per: float = 1
    optional: bool = True
    further: Sequence[tuple[float, Price | None]] = ()


def stored_items(view: View, parts: Sequence[Held]) -> Iterator[Line | Unpriced]:
    """Yield a line for each part that is declared, and what the others depend on."""
    found = declared(view, "storage")
    usage = found[1] if found is not None else None
    for part in parts:
        given = amount(getattr(usage, part.field, None))
        if given is not None:
            yield from _tiered(view, part, given, f"penstock:usage.storage.{_key(found)}")
        elif not part.optional:
            yield by_use(view.resource, f"{part.what}, by use", path_of(view, "storage", part.field), part.price)


def _tiered(view: View, part: Held, given: Amount, assumes: str) -> Iterator[Line | Unpriced]:
    floors = [(0.0, part.price), *part.further]
    for at, (floor, price) in enumerate(floors):
        units = given.within(floor, floors[at + 1][0] if at + 1 < len(floors) else None) * (1 / part.per)
        if at and not units.high:
            return
        what = f"{part.what}, beyond {floor:,.0f} GB" if at else part.what
        yield line(view.resource, what, units, price, assumes=assumes)


def declared_amount(view: View, block: str, field: str) -> Amount | None:
    """Return the amount that a block of the usage declares for a resource; None where it declares none."""
    found = declared(view, block)
    return amount(getattr(found[1], field, None)) if found is not None else None


def _key(found: tuple[str, object] | None) -> str:
    return found[0] if found is not None else ""

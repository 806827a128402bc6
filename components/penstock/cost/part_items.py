"""The lines of a bill for resources whose parts are rows of CLOUD/billed_parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from penstock.catalog.billed_parts import BilledPart, billed_parts
from penstock.catalog.prices import HOURS_A_MONTH, Price
from penstock.cost.amounts import exactly
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import path_of
from penstock.cost.part_quantities import applies, quantity_of, worded
from penstock.cost.stored import declared_amount
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View

Priced = Callable[[View, str, str], Price | None]
"""The price of an item of a service where a resource is."""

_OPTIONAL: Final = "?"
"""Ends declared usage that is named only where it is declared."""
_DAYS_A_MONTH: Final = HOURS_A_MONTH / 24
_TIMES: Final = {"hour": HOURS_A_MONTH, "day": _DAYS_A_MONTH, "year": 1 / 12}
"""Units of time in a month; what is sold by the month is billed once."""
_TOGETHER: Final = re.compile(r"(?P<number>\d+)(?P<factor>[kM]?) ")
_FACTORS: Final = {"": 1, "k": 1_000, "M": 1_000_000}


def part_items(view: View, priced: Priced, *, only: bool) -> Iterator[Line | Unpriced]:
    """Yield the cost of each part that the table has for a resource.

    Args:
        view: The resource.
        priced: The price of an item where the resource is.
        only: Nothing else prices the resource: without a row that applies, it is named as one without a price.
    """
    parts = billed_parts(view.type)
    found = [(part, _items_of(part, parts, view, priced)) for part in parts]
    yield from dict.fromkeys(item for _, items in found if items is not None for item in items)
    if only and parts and all(items is None for part, items in found if not part.usage.endswith(_OPTIONAL)):
        yield Unpriced(view.urn, f"{view.type.rpartition(':')[2]}: no price known")


def _items_of(
    part: BilledPart, parts: Sequence[BilledPart], view: View, priced: Priced
) -> list[Line | Unpriced] | None:
    """The line of a part, or what it lacks; None where the row is not for the resource."""
    try:
        if not applies(part.when, view):
            return None
        if not part.service:
            return []
        what, item = worded(part.what, view) or _without_properties(part.what), worded(part.item, view)
        price = priced(view, part.service, item) if item is not None else None
        number = quantity_of(part.quantity, view)
    except NotKnown as missing:
        why = f"{missing.path or 'an amount'}, which the bill needs, is not known yet"
        return [Unpriced(view.urn, why, missing="amount")]
    except TypeMismatch:
        return []  # the SDK's types report it
    if not part.usage:
        billed = None if number is None else exactly(number).within(part.above or 0, part.up_to)
        unneeded = billed is not None and part.above is not None and not billed.high
        return [] if unneeded else [line(view.resource, what, billed and billed * _times(price), price)]
    follows = any(each.usage == part.usage and each.up_to == part.above for each in parts if part.above)
    units = (1 if number is None else number) / _together(price)
    return list(_by_use(part, view, _Sold(what, price, units), follows=follows))


class _Sold(NamedTuple):
    """The words for a part, the price of a unit, and how many units one of the declared amount is."""

    what: str
    price: Price | None
    units: float


def _by_use(part: BilledPart, view: View, sold: _Sold, *, follows: bool) -> Iterator[Line | Unpriced]:
    """The part of a declared amount that a row bills; one that follows no other names what nobody declared."""
    block, _, field = part.usage.removesuffix(_OPTIONAL).partition(".")
    given = declared_amount(view, block, field)
    if given is None:
        if not follows and not part.usage.endswith(_OPTIONAL):
            yield by_use(view.resource, f"{sold.what}, by use", path_of(view, block, field), sold.price)
        return
    billed = given.within(part.above or 0, part.up_to) * sold.units
    if billed.high or not part.above:
        note = f"beyond the first {part.above:,.0f}" if part.above else ""
        yield line(view.resource, sold.what, billed, sold.price, assumes=note)


def _times(price: Price | None) -> float:
    """The times that a unit is billed in a month, by its last word: GiB-hour is billed by the hour."""
    unit = price.unit.rpartition("-")[2].rpartition(" ")[2] if price is not None else ""
    return _TIMES.get(unit, 1)


def _together(price: Price | None) -> float:
    """The part of a declared amount that one unit is: 10,000 of `10k requests`."""
    read = _TOGETHER.match(price.unit) if price is not None else None
    return int(read["number"]) * _FACTORS[read["factor"]] if read is not None else 1


def _without_properties(template: str) -> str:
    return re.sub(r"[ ,]*\{[^}]+\}", "", template).strip(" ,")

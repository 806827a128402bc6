"""The lines of a bill for resources whose parts are rows of CLOUD/billed_parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from penstock.catalog.billed_parts import BilledPart, billed_parts
from penstock.catalog.prices import HOURS_A_MONTH, Price
from penstock.economics.cost.bill import Line, Unpriced, by_use, line
from penstock.economics.cost.declared import path_of
from penstock.economics.cost.part_quantities import applies, quantity_of, worded
from penstock.economics.cost.stored import declared_amount
from penstock.resources.verdict import NotKnown
from penstock.resources.view import View

Priced = Callable[[View, str, str], Price | None]
"""The price of an item of a service where a resource is."""

_DAYS_A_MONTH: Final = HOURS_A_MONTH / 24
_TIMES: Final = {"hour": HOURS_A_MONTH, "day": _DAYS_A_MONTH, "year": 1 / 12}
"""How often a unit of time is billed in a month; what is sold by the month is billed once."""
_TOGETHER: Final = re.compile(r"(?P<number>\d+)(?P<factor>[kM]?) ")
_FACTORS: Final = {"": 1, "k": 1_000, "M": 1_000_000}


def part_items(view: View, priced: Priced) -> Iterator[Line | Unpriced]:
    """Yield the cost of each part that the table has for a resource; named without a price if no row is for it."""
    parts = billed_parts(view.type)
    found = [item for part in parts if part.service for item in _items_of(part, parts, view, priced)]
    if parts and not found and not _is_free(parts, view):
        yield Unpriced(view.urn, f"{view.type.rpartition(':')[2]}: no price known")
    yield from dict.fromkeys(found)


def _is_free(parts: Sequence[BilledPart], view: View) -> bool:
    """Whether a row without a service says so, or a row without conditions has been read."""
    try:
        return any(not part.when or (not part.service and applies(part.when, view)) for part in parts)
    except NotKnown:
        return True


def _items_of(part: BilledPart, parts: Sequence[BilledPart], view: View, priced: Priced) -> Iterator[Line | Unpriced]:
    try:
        if not applies(part.when, view):
            return
        what, item = worded(part.what, view) or _without_properties(part.what), worded(part.item, view)
        price = priced(view, part.service, item) if item is not None else None
        number = quantity_of(part.quantity, view)
    except NotKnown as missing:
        yield Unpriced(
            view.urn, f"{missing.path or 'an amount'}, which the bill needs, is not known yet", missing="amount"
        )
        return
    if not part.usage:
        yield line(view.resource, what, number * _times(price) if number is not None else None, price)
        return
    block, _, field = part.usage.partition(".")
    given = declared_amount(view, block, field)
    if given is None:
        follows = any(each.usage == part.usage and each.up_to == part.above for each in parts if part.above)
        if not follows:
            yield by_use(view.resource, f"{what}, by use", path_of(view, block, field), price)
        return
    billed = given.within(part.above or 0, part.up_to) * ((1 if number is None else number) / _together(price))
    if billed.high or not part.above:
        note = f"beyond the first {part.above:g}" if part.above else ""
        yield line(view.resource, what, billed, price, assumes=note)


def _times(price: Price | None) -> float:
    """How often a unit is billed in a month, by the last word of it: GiB-hour is billed by the hour."""
    unit = price.unit.rpartition("-")[2].rpartition(" ")[2] if price is not None else ""
    return _TIMES.get(unit, 1)


def _together(price: Price | None) -> float:
    """How many of a declared amount one unit is: 10,000 of `10k requests`."""
    read = _TOGETHER.match(price.unit) if price is not None else None
    return int(read["number"]) * _FACTORS[read["factor"]] if read is not None else 1


def _without_properties(template: str) -> str:
    return re.sub(r"[ ,]*\{[^}]+\}", "", template).strip(" ,")

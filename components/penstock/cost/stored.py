"""Storage that is billed by what it holds: GB, old versions, what soft delete keeps, backups and requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from penstock.catalog.prices import Price
from penstock.cost.amounts import Amount
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import BilledSite, amount, declared, path_of
from penstock.cost.tiers import Tier, parts_of
from penstock.graph.view import View


class Held(NamedTuple):
    """A part of what storage is billed for: the field of the declaration, the words for it, and its price.

    `per` is how many of the declared amount are one unit of the price: 10,000 requests, for most. Optional parts are
    named only where they are declared; the others are unpriced until then. What costs less the more it is has
    `tiers`, each with its price, and the first one's for its own.
    """

    field: str
    what: str
    price: Price | None
    per: float = 1
    optional: bool = True
    tiers: Sequence[tuple[Tier, Price | None]] = ()


def stored_items(view: View, parts: Sequence[Held]) -> Iterator[Line | Unpriced]:
    """Yield a line for each part that is declared, and what the others depend on."""
    found = declared(view, "storage")
    usage = found[1] if found is not None else None
    for part in parts:
        given = amount(getattr(usage, part.field, None))
        if given is not None:
            yield from _lines(view, part, given, f"penstock:usage.storage.{_key(found)}")
        elif not part.optional:
            yield by_use(view.resource, f"{part.what}, by use", path_of(view, "storage", part.field), part.price)


def _lines(view: View, part: Held, given: Amount, assumes: str) -> Iterator[Line | Unpriced]:
    if not part.tiers:
        yield line(view.resource, part.what, given * (1 / part.per), part.price, assumes=assumes)
        return
    prices = dict(part.tiers)
    for tier, units in parts_of(given, prices):
        yield line(view.resource, f"{part.what}, {tier.item}", units, prices[tier], assumes=assumes)


def declared_amount(view: View, block: str, field: str) -> Amount | None:
    """Return the amount that a block of the usage declares for a resource; None where it declares none."""
    found = declared(view, block)
    if found is None:
        return None
    key, usage = found
    if not isinstance(usage, Mapping):
        return amount(getattr(usage, field, None))
    if isinstance(view.site, BilledSite):
        view.site.found.add((f"{block}.{key}", field))
    return amount(usage.get(field))


def used_items(
    view: View, path: tuple[str, str], what: str, price: Price | None, *, per: float = 1
) -> Iterator[Line | Unpriced]:
    """Yield the line of an amount that a block and a field of the usage declare, or the record that nobody did."""
    given = declared_amount(view, *path)
    if given is None:
        yield by_use(view.resource, f"{what}, by use", path_of(view, *path), price)
    else:
        yield line(view.resource, what, given * (1 / per), price)


def credit_items(view: View, price: Price | None) -> Iterator[Line | Unpriced]:
    """Yield the vCPU-hours that burstable machines run beyond their CPU credits."""
    yield from used_items(view, ("services", "credit_hours"), "vCPU-hours beyond the CPU credits", price)


def _key(found: tuple[str, object] | None) -> str:
    return found[0] if found is not None else ""

"""What the toy cloud costs beside its machines."""

from __future__ import annotations

from collections.abc import Iterator

from tests.providers.toy.sdk import CHEST

from penstock.catalog.prices import Price
from penstock.cost.bill import Line, Unpriced, line
from penstock.graph.view import View

_TOY = Price(usd=2.0, unit="toy-month", source="toy price list", as_of="2026-11", unverified=())


def priced_items(view: View) -> Iterator[Line | Unpriced]:
    """A chest costs two dollars a month for each toy that fits."""
    if view.type == CHEST:
        yield line(view.resource, "chest", view.integer("size"), _TOY)

"""What the toy cloud costs."""

from __future__ import annotations

from collections.abc import Iterator

from tests.providers.toy.sdk import POOL

from penstock.catalog.prices import Price
from penstock.economics.cost.bill import Line, Unpriced, machines
from penstock.resources.view import View

_HOUR = Price(usd=2.0, unit="hour", source="toy price list", as_of="2026-11", unverified=())


def items(view: View) -> Iterator[Line | Unpriced]:
    """A pool costs its machines, two dollars an hour each."""
    if view.type == POOL:
        yield machines(view.resource, view.text("machineType") or "", view.integer("machines"), _HOUR)

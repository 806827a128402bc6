"""Prices that fall with the amount: tier by tier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from penstock.cost.amounts import Amount


class Tier(NamedTuple):
    """The price of the GB up to a limit, by its item in services.csv; None for all further ones."""

    item: str
    up_to_gb: float | None


def parts_of(given: Amount, tiers: Iterable[Tier]) -> Iterator[tuple[Tier, Amount]]:
    """Yield each tier that an amount reaches, with the part of the amount in it; the first one always."""
    floor = 0.0
    for tier in tiers:
        part = given.within(floor, tier.up_to_gb)
        if part.high or not floor:
            yield tier, part
        floor = tier.up_to_gb or floor

"""Accelerators that are sold apart from the machines that have them, such as the T4 of an N1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from penstock.catalog import prices


def with_attached(
    price: prices.Price | None, attached: Mapping[str, int], *, region: str, way: str, cloud: str
) -> prices.Price | None:
    """Return the price of a machine together with its accelerators; None if one of them has no price."""
    for accelerator, number in attached.items():
        each = prices.accelerator_hour(accelerator, region, way, cloud) if number else None
        if price is None or (number and each is None):
            return None
        if each is not None:
            price = replace(
                price,
                usd=price.usd + number * each.usd,
                source=f"{price.source}; {each.source}",
                as_of=min(price.as_of, each.as_of),
                unverified=tuple(dict.fromkeys((*price.unverified, *each.unverified))),
                stale=price.stale or each.stale,
            )
    return price


def named_with(machine_type: str, attached: Mapping[str, int]) -> str:
    """Return the name of a machine with its accelerators, for a line of the bill."""
    beside = " and ".join(f"{number} × {accelerator}" for accelerator, number in attached.items() if number)
    return f"{machine_type} with {beside}" if beside else machine_type

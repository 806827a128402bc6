"""The cost of public addresses that machines get by themselves: each is paid for while its machine runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from penstock.catalog import prices
from penstock.economics.cost.amounts import Amount, exactly
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.model.pools import MachinePool
from penstock.model.pools.public_addresses import public_addresses
from penstock.resources.verdict import NotKnown, TypeMismatch

_ITEMS: Final = {"aws": "address", "gcp": "address in use", "azure": "Regional address"}
"""The items of the service `public-ip` by cloud."""


def address_items(pool: MachinePool, running: Callable[[MachinePool], Amount | None]) -> Iterator[Line | Unpriced]:
    """Yield the cost of the public addresses that a pool's machines get; `running` counts those that run all month."""
    if pool.cloud not in _ITEMS:
        return
    price = _price(pool)
    try:
        each = public_addresses(pool)
    except NotKnown:
        unit, usd = (price.unit, price.usd) if price is not None else ("", None)
        depends = "whether its cluster is private" if pool.cloud == "gcp" else "whether its subnets give them"
        yield Unpriced(pool.view.urn, "public addresses of its machines", depends, unit, usd)
        return
    except TypeMismatch:
        return  # the SDK's types report it
    count = running(pool) if each else None
    if count is None:
        return
    addresses = count * each
    what = "public address" if addresses == exactly(1) else f"{addresses.expected:g} public addresses"
    span = f"{count.low:g} to {count.high:g} machines" if count.low != count.high else ""
    yield line(pool.view.resource, what, addresses * HOURS_A_MONTH, price, assumes=span)


def _price(pool: MachinePool) -> prices.Price | None:
    """The price of an address; those of machines on spot cost half on Google Cloud."""
    try:
        region, spot = pool.region(), pool.ways() == ("spot",)
    except NotKnown:
        region, spot = "", False
    item = _ITEMS[pool.cloud] + (" on spot" if spot and pool.cloud == "gcp" else "")
    return prices.service(pool.cloud, "public-ip", item, region)

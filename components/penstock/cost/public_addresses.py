"""The cost of public addresses that machines get by themselves: each is paid for while its machine runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from penstock.catalog import prices
from penstock.cost.amounts import Amount, exactly
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.machine_terms import MachineTerms
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.model.pools import MachinePool


def address_items(
    pool: MachinePool, terms: MachineTerms, running: Callable[[MachinePool], Amount | None]
) -> Iterator[Line | Unpriced]:
    """Yield the cost of the public addresses that a pool's machines get; `running` counts those that run all month."""
    if pool.service or pool.provisioner:
        return
    price = _price(pool, terms)
    try:
        each = terms.public_addresses(pool)
    except NotKnown:
        unit, usd = (price.unit, price.usd) if price is not None else ("", None)
        why, depends = "public addresses of its machines", terms.addresses_depend_on
        yield Unpriced(pool.view.urn, why, depends, unit, usd, missing="use")
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


def _price(pool: MachinePool, terms: MachineTerms) -> prices.Price | None:
    try:
        region, spot = pool.region(), pool.ways() == ("spot",)
    except NotKnown:
        region, spot = "", False
    item = (spot and terms.address_on_spot) or terms.address
    return prices.service(pool.cloud, "public-ip", item, region)

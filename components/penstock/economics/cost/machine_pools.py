"""The cost of machines, whatever starts them: as many as they are at the start, at the price of how they are bought."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from penstock.catalog import prices
from penstock.economics.cost.bill import Line, Unpriced, machines
from penstock.model.pools import MachinePool, Purchase, machine_pools
from penstock.providers import provider_named
from penstock.resources.verdict import NotKnown
from penstock.resources.view import View


def pool_items(view: View) -> Iterator[Line | Unpriced]:
    """The machines of every pool of a resource, each priced, or named with why it is not."""
    for pool in machine_pools(view):
        yield from _items(pool)


def _items(pool: MachinePool) -> Iterator[Line | Unpriced]:
    if pool.provisioner:
        yield Unpriced(pool.view.urn, f"by what pods ask for ({pool.provisioner})")
        return
    try:
        found = [_item(pool, way) for way in pool.ways()]
    except NotKnown:
        found = [Unpriced(pool.view.urn, f"{_missing(pool)} is not known yet")]
    yield from (each for each in found if each is not None)


def _missing(pool: MachinePool) -> str:
    """The first of what a price needs that the program does not say yet."""
    reads: dict[str, Callable[[], object]] = {
        "how its machines are bought": pool.ways,
        "how many machines it starts": lambda: [pool.start_by(way) for way in pool.ways()],
        "which machines it starts": pool.machine_types,
        "where its machines are": pool.region if _is_sold_by_region(pool) else str,
    }
    for what, read in reads.items():
        try:
            read()
        except NotKnown:
            return what
    return "what its machines cost"


def _item(pool: MachinePool, purchase: Purchase) -> Line | Unpriced | None:
    """The cost of a pool; None where a reservation of the program holds its machines, which is billed, used or not."""
    way = "on_demand" if purchase == "any_reservation" else purchase
    if way == "capacity_block":
        return Unpriced(pool.view.urn, "capacity block, paid when it was bought")
    if way != "spot" and _reserved_here(pool):
        return None
    count, types = pool.start_by(purchase), pool.machine_types()
    if way == "on_demand":
        held = pool.covered(lambda each: each.start_by("on_demand"))
        if held and held == count:
            return None
        count -= held
    called = types[0].name if types else "machine of its choice"
    what = f"{count} × {called}, {way.replace('_', ' ')}"
    if pool.service or not types:
        whose = f" of {pool.service}" if pool.service else ""
        return Unpriced(pool.view.urn, f"{what}{whose}: no price known")
    return machines(pool.view.resource, what, count, _price(pool, called, way) if count else None)


def _price(pool: MachinePool, machine_type: str, way: str) -> prices.Price | None:
    """The price of an hour; None where it is not known, as on a cloud whose prices nobody has gathered."""
    if not _is_sold_by_region(pool):
        return None
    return prices.machine_hour(machine_type, pool.region(), way, pool.cloud)


def _is_sold_by_region(pool: MachinePool) -> bool:
    """Whether the catalogue has prices of the cloud's own machines, which differ by region."""
    provider = provider_named(pool.cloud)
    return provider is not None and bool(provider.prices) and not pool.service


def _reserved_here(pool: MachinePool) -> bool:
    try:
        return pool.reservation() is not None
    except NotKnown:
        return False

"""The cost of machines, whatever starts them: as many as they are at the start, at the price of how they are bought.

A pool that may shrink and grow costs between its least and its most; usage that is declared for it
(`penstock:usage.pools`) says how many run for how long, and how they are bought.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

from penstock.catalog import commitments, prices
from penstock.cost.amounts import Amount, exactly
from penstock.cost.attached import named_with, with_attached
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, UnpricedMachines, line
from penstock.cost.declared import amount, declared
from penstock.cost.interruptions import effective_price, lost_fraction, mean_time_s
from penstock.cost.licences import with_licence
from penstock.cost.machine_terms import MachineTerms
from penstock.cost.public_addresses import address_items
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.model.pools import MachinePool, Purchase, machine_pools
from penstock.model.pools.pool import NamedType
from penstock.providers import provider_named, provider_of

if TYPE_CHECKING:
    from penstock.description.usage import PoolUsage

_MINUTE_S = 60


def pool_items(view: View) -> Iterator[Line | Unpriced]:
    """Yield the cost of the machines of every pool of a resource, or why it is not known."""
    terms = _terms(view)
    for pool in machine_pools(view):
        if terms is None:
            yield from _items(pool)
            continue
        yield from with_licence(pool, terms.by_hardware(pool, _items(pool)), terms, running)
        yield from terms.fees(pool)
        yield from address_items(pool, terms, running)


def _terms(view: View) -> MachineTerms | None:
    """What the cloud of a resource asks for machines beside their price."""
    provider = provider_of(view.type)
    terms: MachineTerms | None = provider.load("machine_terms") if provider is not None else None
    return terms


def pool_usage(view: View, *names: str) -> PoolUsage | None:
    """Return the usage that is declared for a pool; None where there is none."""
    found = declared(view, "pools", *names)
    return cast("PoolUsage", found[1]) if found is not None else None


def nodes_of(pool: MachinePool) -> Amount:
    """Return how many machines a pool runs: as declared, or from its least over its start to its most.

    Raises:
        NotKnown: how many it starts is not known.
    """
    usage = usage_of_pool(pool)
    given = amount(usage.nodes) if usage is not None else None
    if given is not None:
        return given
    start = pool.start()
    return _bounded(pool, start)


def running(pool: MachinePool) -> Amount | None:
    """Return the machines of a pool as months of one machine: those that run half of the month count half.

    None where how many it starts is not known, which the line of the machines says.
    """
    usage = usage_of_pool(pool)
    try:
        nodes = nodes_of(pool)
    except NotKnown:
        return None
    return nodes * ((usage.hours if usage is not None else HOURS_A_MONTH) / HOURS_A_MONTH)


def committed(
    price: prices.Price | None, usage: PoolUsage | None, cloud: str, machine_type: str, region: str
) -> prices.Price | None:
    """Return the price of an hour with the declared commitment: the published one, or by the discount of its kind."""
    if price is None or usage is None or (usage.commitment == "none" and usage.discount is None):
        return price
    if usage.discount is not None:
        return replace(price, usd=price.usd * (1 - usage.discount), source=f"{price.source}; declared discount")
    listed = prices.committed_hour(machine_type, region, usage.commitment, cloud)
    if listed is not None and listed.usd < price.usd:
        return listed
    known = commitments.commitment(cloud, machine_type, usage.commitment)
    if known is None:
        return price
    doubts = ("usd",) if "discount" in known.unverified else ()
    return replace(
        price,
        usd=price.usd * (1 - known.discount),
        unverified=(*price.unverified, *doubts),
        source=f"{price.source}; {usage.commitment}: {known.source}",
    )


def usage_of_pool(pool: MachinePool) -> PoolUsage | None:
    """Return the usage that is declared for a pool, also for one of several of a cluster."""
    names = [pool.name.rpartition("/")[2]] if pool.block is not pool.view else []
    return pool_usage(pool.view, *names)


def _items(pool: MachinePool) -> Iterator[Line | Unpriced]:
    if pool.provisioner:
        why, depends = f"by what pods ask for ({pool.provisioner})", f"penstock:usage.pools.{pool.view.name}"
        yield Unpriced(pool.view.urn, why, depends, missing="use")
        return
    usage = usage_of_pool(pool)
    try:
        if usage is not None and usage.shares is not None:
            found: list[Line | Unpriced | None] = list(_mixed(pool, usage, usage.shares))
        else:
            found = [_item(pool, way, usage) for way in pool.ways()]
    except NotKnown:
        found = [Unpriced(pool.view.urn, f"{_missing(pool)} is not known yet", missing="amount")]
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


def _item(pool: MachinePool, purchase: Purchase, usage: PoolUsage | None) -> Line | Unpriced | None:
    """The cost of a pool; None where a reservation of the program holds its machines, which is billed, used or not."""
    way = "on_demand" if purchase == "any_reservation" else purchase
    if way != "spot" and _reserved_here(pool):
        return None
    if way == "capacity_block":
        return _block(pool, usage)
    count, types = pool.start_by(purchase), pool.machine_types()
    held = 0
    if way == "on_demand":
        held = pool.covered(lambda each: each.start_by("on_demand"))
        if held and held == count:
            return None
        count -= held
    called = types[0].name if types else "machine of its choice"
    bought = way.replace("_", " ")
    named = named_with(called, pool.attached())
    what = f"{count} × {named}, {bought}"
    if pool.service or not types:
        why = f"{_of_service(pool, count, types, bought)}: no price known"
        return Unpriced(pool.view.urn, why, machines=missing_machines(pool, called, count))
    nodes = _bounded(pool, count) if len(pool.ways()) == 1 and not held else exactly(count)
    given = amount(usage.nodes) if usage is not None else None
    if given is not None:
        nodes, what = given, f"{round(given.expected, 1):g} × {named}, {bought}"
    return _bought(pool, _Purchase(what, nodes, way, called), usage)


def _block(pool: MachinePool, usage: PoolUsage | None) -> Line | Unpriced:
    """The cost of a capacity block, which is paid as a whole when it is bought, however many machines are started."""
    types = pool.machine_types()
    called = types[0].name if types else "machine of its choice"
    given = amount(usage.nodes) if usage is not None else None
    nodes = given or exactly(paid_machines(pool))
    what = f"{round(nodes.expected, 1):g} × {called}, capacity block, which is paid when it is bought"
    found = _bought(pool, _Purchase(what, nodes, "capacity_block", called), usage)
    return found if isinstance(found, Line) else replace(found, missing="ahead")


def paid_machines(pool: MachinePool) -> float:
    """Return the machines of a pool that are paid: of a capacity block all, of others those that run.

    Raises:
        NotKnown: how many there are is not known.
    """
    return pool.most() if pool.ways() == ("capacity_block",) else nodes_of(pool).expected


def _mixed(pool: MachinePool, usage: PoolUsage, shares: tuple[float, float, float]) -> Iterator[Line | Unpriced]:
    """The cost of a pool whose nodes are bought in declared shares; a reservation of the program has its own line."""
    types = pool.machine_types()
    reserved_here = _reserved_here(pool)
    called = types[0].name if types else "machine of its choice"
    named = named_with(called, pool.attached())
    nodes = nodes_of(pool)
    for way, share in zip(("reserved", "spot", "on_demand"), shares, strict=True):
        if share and (way == "spot" or not reserved_here):
            part = nodes * share
            what = f"{round(part.expected, 1):g} × {named}, {way.replace('_', ' ')}"
            yield _bought(pool, _Purchase(what, part, way, called), usage)


def _of_service(pool: MachinePool, count: int, types: Sequence[NamedType], way: str) -> str:
    """The words for machines that a service sells, or whose type the cloud chooses, at the start as many as given."""
    if types:
        return f"{count} × {types[0].name}, {way}" + (f", by {pool.service}" if pool.service else "")
    machine = f"machine that {pool.service or 'the cloud'} chooses, {way}"
    return f"{count} × {machine}" if count else f"each {machine}, none at the start"


class _Purchase(NamedTuple):
    """Machines of one type that are bought in one way."""

    what: str
    nodes: Amount
    way: str
    machine_type: str


def _bought(pool: MachinePool, bought: _Purchase, usage: PoolUsage | None) -> Line | Unpriced:
    """The cost of machines for the hours that they run; what is reserved is paid always."""
    nodes, way = bought.nodes, bought.way
    if not nodes.high:
        return line(pool.view.resource, bought.what, 0, None)
    hours = usage.hours if usage is not None and way != "reserved" else float(HOURS_A_MONTH)
    price = price_of(pool, bought.machine_type, way)
    notes = [_span(nodes)] if nodes.low != nodes.high else []
    price_range = None
    if way == "reserved" and usage is not None and usage.commitment != "none":
        notes.append(f"committed for {usage.commitment}")
    if way == "spot":
        price_range = _spot_range(pool, bought.machine_type, price)
        notes.append("spot prices of one moment: the cheapest zone at least, on demand at most")
        lost = _lost(usage, nodes) if usage is not None else 0.0
        if usage is not None and hours:
            hours = spot_hours(usage, nodes)
        if hours == inf:
            why = f"{bought.what}: never ends, interruptions lose all the time"
            return Unpriced(pool.view.urn, why, "how often spot machines are interrupted", missing="amount")
        if lost:
            notes.append(f"{lost:.1%} lost to interruptions")
    if hours != HOURS_A_MONTH:
        notes.append(f"{hours:.0f} of {HOURS_A_MONTH} hours")
    found = line(
        pool.view.resource, bought.what, nodes * hours, price, assumes="; ".join(notes), price_range=price_range
    )
    missing = missing_machines(pool, bought.machine_type, nodes.expected)
    return found if isinstance(found, Line) else replace(found, machines=missing)


def missing_machines(pool: MachinePool, machine_type: str, count: float) -> UnpricedMachines:
    """Return machines of a pool as those that have no price."""
    accelerators, region = 0, ""
    with suppress(NotKnown):
        accelerators = pool.accelerators()
    with suppress(NotKnown):
        region = pool.region()
    return UnpricedMachines(machine_type, count, accelerators, region)


def spot_nodes(usage: PoolUsage, nodes: Amount) -> Amount:
    """Return those of a pool's machines that are spot; all of them where no shares are declared."""
    return nodes if usage.shares is None else nodes * usage.shares[1]


def spot_hours(usage: PoolUsage, nodes: Amount) -> float:
    """Return the hours that spot machines run for the declared hours of work; inf where interruptions lose them all."""
    return effective_price(usage.hours, _lost(usage, nodes)) if usage.hours else 0.0


def _lost(usage: PoolUsage, nodes: Amount) -> float:
    """The share of the time that a job on all spot nodes of a pool loses."""
    mean = mean_time_s(usage.interruptions_per_week, max(1, round(nodes.expected)))
    return lost_fraction(usage.checkpoint_minutes * _MINUTE_S, mean, usage.restart_minutes * _MINUTE_S)


def _spot_range(pool: MachinePool, machine_type: str, price: prices.Price | None) -> tuple[float, float] | None:
    """The least and the most that a spot machine may cost: that of the cheapest zone, and no more than on demand."""
    if price is None:
        return None
    on_demand = _price(pool, machine_type, "on_demand")
    least = prices.spot_minimum(machine_type, pool.region(), pool.cloud) or price.usd
    return min(least, price.usd), max(price.usd, on_demand.usd) if on_demand is not None else price.usd


def price_of(pool: MachinePool, machine_type: str, way: str) -> prices.Price | None:
    """Return the price of an hour of a pool's machines, with the declared commitment where they are reserved."""
    price = _price(pool, machine_type, way)
    if price is None or way != "reserved":
        return price
    return committed(price, usage_of_pool(pool), pool.cloud, machine_type, pool.region())


def _bounded(pool: MachinePool, count: int) -> Amount:
    """The machines of a pool between its least and its most, with those of its start as expected."""
    try:
        return Amount(min(pool.least_in_all_zones(), count), count, max(pool.most(), count))
    except NotKnown:
        return exactly(count)


def _span(nodes: Amount) -> str:
    return f"{nodes.low:g} to {nodes.high:g} machines"


def _price(pool: MachinePool, machine_type: str, way: str) -> prices.Price | None:
    """The price of an hour; None where it is not known, as on a cloud whose prices nobody has gathered."""
    if not _is_sold_by_region(pool):
        return None
    price = prices.machine_hour(machine_type, pool.region(), way, pool.cloud)
    return with_attached(price, pool.attached(), region=pool.region(), way=way, cloud=pool.cloud)


def _is_sold_by_region(pool: MachinePool) -> bool:
    """Whether the catalogue has prices of the cloud's own machines, which differ by region."""
    provider = provider_named(pool.cloud)
    return provider is not None and provider.has("prices") and not pool.service


def _reserved_here(pool: MachinePool) -> bool:
    try:
        return pool.reservation() is not None
    except NotKnown:
        return False

"""List prices in USD, before tax and discounts; an estimate's raw material, never a quote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache

from penstock.catalog import custom_machines, machine_price_tables, machines, node_prices, price_overrides
from penstock.catalog.machine_price_tables import LISTS, ListedPrice
from penstock.catalog.price_overrides import overriding
from penstock.catalog.records import record
from penstock.catalog.shelf_life import is_stale
from penstock.catalog.tables import clouds_with, rows
from penstock.core.clock import utc_today
from penstock.core.errors import UnknownFact

HOURS_A_MONTH = 730
_TABLES = ("services", "node_prices")
"""The tables of services; the second, of nodes of managed services, is read only for what the first does not have."""
_EVERYWHERE = "global"
"""The region of a price that is the same in all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The price of one unit.

    `unverified` names the fields (usd, as_of) that must be shown as not confirmed, and `region` where the price is that
    of another region. A `market` price was that of one moment; a `stale` one is past its shelf life.
    """

    usd: float
    unit: str
    source: str
    as_of: str
    unverified: tuple[str, ...]
    market: bool = False
    stale: bool = False


def on_demand(machine_type: str, region: str, cloud: str) -> Price | None:
    """The price of one machine for an hour (Linux, shared tenancy), or None where the catalogue has none."""
    return machine_hour(machine_type, region, "on_demand", cloud)


def spot(machine_type: str, region: str, cloud: str) -> Price | None:
    """One machine's spot price for an hour, at one moment in the past, or None where the catalogue has none.

    On AWS it is the median over the region's zones, which can differ by a factor of six; Google has one for a region.
    """
    return machine_hour(machine_type, region, "spot", cloud)


def spot_minimum(machine_type: str, region: str, cloud: str) -> float | None:
    """The spot price of an hour in the cheapest zone of a region, at the same moment; None where it is not known."""
    return _spot_minimums(cloud).get((machine_type, region))


@cache
def _spot_minimums(cloud: str) -> Mapping[tuple[str, str], float]:
    if cloud not in clouds_with("spot_minimums"):
        return {}
    return {(row["machine_type"], row["region"]): float(row["usd_h"]) for row in rows(f"{cloud}/spot_minimums")}


def machine_hour(machine_type: str, region: str, capacity: str, cloud: str) -> Price | None:
    """The price of one machine for an hour, bought in one way; that of all its chips for TPUs, which are sold by them.

    What a user refreshed comes first, then the rows of CLOUD/prices, which people keep because they are newer or better
    than the published lists (`machine_price_tables`), then these lists. What is reserved costs what is bought on
    demand. None where the catalogue has no price.
    """
    way = "on_demand" if capacity == "reserved" else capacity
    row = _machine_hours(cloud).get((machine_type, region, way))
    if row is None:
        listed = machine_price_tables.find_price(machine_type, region, way, cloud)
        if listed is not None:
            return _listed(listed, cloud)
        return _of_chips(machine_type, region, way, cloud) or _of_parts(machine_type, region, way, cloud)
    price = record(_Hour, f"{cloud}/prices", row).price
    stale = is_stale(f"{cloud}/prices", price.as_of, utc_today())
    return replace(price, market=way == "spot", stale=stale) if stale or way == "spot" else price


def machine_hours(region: str, cloud: str, pattern: str = "*") -> Iterator[tuple[str, str, Price]]:
    """Yield the prices of a region that apply: machine type, how it is bought, and an hour's price, by machine type."""
    kept = {(name, way) for name, place, way in _machine_hours(cloud) if place == region}
    listed = {(each.machine_type, each.price_list.capacity) for each in machine_price_tables.prices_in(region, cloud)}
    for name, way in sorted(kept | listed):
        term = way.removeprefix("reserved_")
        price = committed_hour(name, region, term, cloud) if term != way else machine_hour(name, region, way, cloud)
        if price is not None and fnmatchcase(name, pattern):
            yield name, way, price


def accelerator_hour(accelerator: str, region: str, capacity: str, cloud: str) -> Price | None:
    """The price of one accelerator that is sold apart from machines for an hour, or None where it is not known."""
    way = "on_demand" if capacity == "reserved" else capacity
    row = _chip_hours(cloud).get((accelerator, region, way))
    if row is None:
        return None
    price = record(_Hour, f"{cloud}/chip_prices", row).price
    return replace(price, market=way == "spot", stale=is_stale(f"{cloud}/chip_prices", price.as_of, utc_today()))


def committed_hour(machine_type: str, region: str, term: str, cloud: str) -> Price | None:
    """The price of one machine for an hour with a commitment of "1y" or "3y", or None if no list has it."""
    listed = machine_price_tables.find_price(machine_type, region, f"reserved_{term}", cloud)
    return _listed(listed, cloud) if listed is not None else None


def _listed(price: ListedPrice, cloud: str) -> Price:
    found = price.price_list
    return Price(
        usd=price.usd_h,
        unit="hour",
        source=found.source,
        as_of=found.as_of,
        unverified=("usd",) if found.estimated else (),
        market=found.capacity == "spot",
        stale=is_stale(f"{cloud}/{LISTS}", found.as_of, utc_today()),
    )


def service(cloud: str, service: str, item: str, region: str = "") -> Price | None:
    """The price of an item of a service, such as ("aws", "s3", "put/copy/post/list"), or None.

    A row is that of its region, of all regions, or of those in price_regions.csv. Where the catalogue has the price of
    another region only, it is marked so, unless a user refreshed it (`price_overrides`). Without a region it is that of
    the list.
    """
    refreshed = _refreshed_services().get((cloud, service, item, region))
    if refreshed is not None:
        return refreshed
    by_region = _by_region(cloud, service, item)
    found = (
        by_region.get(region)
        or _node(cloud, service, item, region)
        or next((each for each in by_region.values() if _holds_in(each.region, region, cloud)), None)
        or (_of_another(by_region) if by_region else _node(cloud, service, item, _home(cloud)))
    )
    if found is None:
        return None
    elsewhere = bool(found.usd) and not _holds_in(found.region, region, cloud)
    stale = is_stale(f"{cloud}/services", found.as_of, utc_today())
    if not elsewhere and not stale:
        return found
    return replace(found, unverified=(*found.unverified, "region") if elsewhere else found.unverified, stale=stale)


def _of_another(by_region: Mapping[str, _Service]) -> _Service:
    """The price of the list or of another region, a confirmed one if there is any."""
    several = [*filter(None, (by_region.get(""),)), *by_region.values()]
    return min(several, key=lambda price: "usd" in price.unverified)


def _holds_in(priced: str, region: str, cloud: str) -> bool:
    """Return whether the price of a row holds in a region; without a region, those of the list do."""
    if priced in ("", _EVERYWHERE):
        return priced == _EVERYWHERE or not region or (cloud, region) in _price_regions()
    return priced == region or (not region and priced == _home(cloud))


@cache
def _refreshed_services() -> Mapping[tuple[str, str, str, str], Price]:
    found = {}
    for row in overriding("services"):
        price = Price(
            usd=float(row["usd"]),
            unit=row["unit"],
            source=row["source"],
            as_of=row["as_of"],
            unverified=tuple(row["unverified"].split()),
            stale=is_stale(f"{row['cloud']}/services", row["as_of"], utc_today()),
        )
        found[row["cloud"], row["service"], row["item"], row["region"]] = price
    return found


def forget() -> None:
    """Read all prices anew when they are next needed, as after a refresh in the same process."""
    price_overrides.forget()
    for cached in (_machine_hours, _chip_hours, _by_region, _rows_by_item, _refreshed_services):
        cached.cache_clear()


@cache
def _price_regions() -> frozenset[tuple[str, str]]:
    return frozenset((row["cloud"], row["region"]) for row in rows("price_regions"))


def per_unit(price: Price, units: float, unit: str) -> Price:
    """Return the price of one of so many units that are sold together."""
    return replace(price, usd=price.usd / units, unit=unit)


def billed_otherwise(type_: str) -> str | None:
    """How a resource type is billed that has no price here, such as by use; None for what is free or has a price."""
    return _billed_otherwise().get(type_)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hour:
    """The price of an hour, as the tables of machines and of chips have it."""

    usd_h: float
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def price(self) -> Price:
        unverified = tuple("usd" if column == "usd_h" else column for column in self.unverified)
        return Price(usd=self.usd_h, unit="hour", unverified=unverified, source=self.source, as_of=self.as_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Service(Price):
    """A row of a table of services; `region` is empty for the list's regions, and `global` for all."""

    service: str
    item: str
    region: str = ""


def _of_chips(machine_type: str, region: str, capacity: str, cloud: str) -> Price | None:
    if not _chip_hours(cloud):
        return None
    try:
        machine = machines.find_machine(machine_type, cloud)
    except UnknownFact:
        return None
    chip = accelerator_hour(machine.accelerator or "", region, capacity, cloud)
    return replace(chip, usd=chip.usd * machine.accelerators) if chip is not None else None


def _of_parts(machine_type: str, region: str, capacity: str, cloud: str) -> Price | None:
    """The price of a custom machine type, which is sold by the vCPU and the GiB."""
    machine = custom_machines.read_custom_machine(machine_type)
    family = custom_machines.custom_family(cloud, machine.family) if machine is not None else None
    if machine is None or family is None:
        return None
    whole = machine_hour(family.rich.machine_type, region, capacity, cloud)

    def hour_of(name: str) -> float | None:
        found = machine_hour(name, region, capacity, cloud)
        return found.usd if found is not None else None

    usd = family.hour(machine, hour_of)
    if whole is None or usd is None:
        return None
    doubted = "extended_factor" if machine.ram_gib > machine.vcpu * family.gib_per_vcpu else "core_premium"
    doubts = ("usd",) if doubted in family.unverified else ()
    return replace(whole, usd=usd, unverified=doubts, source=f"{whole.source}; {family.source}")


@cache
def _machine_hours(cloud: str) -> Mapping[tuple[str, str, str], Mapping[str, str]]:
    return _by_way(cloud, "prices", "machine_type")


@cache
def _chip_hours(cloud: str) -> Mapping[tuple[str, str, str], Mapping[str, str]]:
    return _by_way(cloud, "chip_prices", "accelerator")


def _by_way(cloud: str, table: str, column: str) -> Mapping[tuple[str, str, str], Mapping[str, str]]:
    """The rows of a table, if the cloud has it, by what is bought, where and how; most are never asked for."""
    if cloud not in clouds_with(table):
        return {}
    name = f"{cloud}/{table}"
    return {(row[column], row["region"], row["capacity"]): row for row in (*rows(name), *overriding(name))}


@cache
def _billed_otherwise() -> Mapping[str, str]:
    clouds = clouds_with("billed_otherwise")
    return {row["type"]: row["billed_by"] for cloud in clouds for row in rows(f"{cloud}/billed_otherwise")}


@cache
def _by_region(cloud: str, service: str, item: str) -> Mapping[str, _Service]:
    """The prices of an item by region, that of the list first; of the long tables only these rows become records."""
    for table in _TABLES:
        found = _rows_by_item(cloud, table).get((service, item.casefold()), ())
        if found:
            return {row["region"]: record(_Service, f"{cloud}/{table}", row) for row in found}
    return {}


def _node(cloud: str, service: str, item: str, region: str) -> _Service | None:
    """The price of a node in the published list of a region."""
    found = node_prices.find_node(cloud, service, item, region)
    if found is None:
        return None
    return _Service(
        usd=found.usd_h,
        unit="hour",
        source=found.source,
        as_of=found.as_of,
        unverified=(),
        service=service,
        item=item,
        region=region,
    )


@cache
def _home(cloud: str) -> str:
    """The region whose prices stand for those of regions without any: the first of the cloud in price_regions.csv."""
    return next((row["region"] for row in rows("price_regions") if row["cloud"] == cloud), "")


@cache
def _rows_by_item(cloud: str, table: str) -> Mapping[tuple[str, str], Sequence[dict[str, str]]]:
    """The rows of a table by service and item, in small letters: Azure takes names of SKUs in any."""
    found: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows(f"{cloud}/{table}") if cloud in clouds_with(table) else ():
        found.setdefault((row["service"], row["item"].casefold()), []).append(row)
    return found

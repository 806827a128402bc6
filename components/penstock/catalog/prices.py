"""List prices in USD, before tax and discounts; an estimate's raw material, never a quote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from penstock.catalog import machines
from penstock.catalog.tables import provenance, rows
from penstock.errors import UnknownFact

_CLOUDS = ("aws", "gcp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one unit costs. `unverified` names the fields (usd, as_of) that must be shown as not confirmed."""

    usd: float
    unit: str
    source: str
    as_of: str
    unverified: tuple[str, ...]


def on_demand(machine_type: str, region: str, cloud: str = "aws") -> Price | None:
    """The price of one machine for an hour (Linux, shared tenancy), or None where the catalogue has none."""
    return machine_hour(machine_type, region, "on_demand", cloud)


def spot(machine_type: str, region: str, cloud: str = "aws") -> Price | None:
    """One machine's spot price for an hour, at one moment in the past, or None where the catalogue has none.

    On AWS it is the median over the region's zones, which can differ by a factor of six; Google has one for a region.
    """
    return machine_hour(machine_type, region, "spot", cloud)


def machine_hour(machine_type: str, region: str, capacity: str, cloud: str = "aws") -> Price | None:
    """The price of one machine for an hour, bought in one way; that of all its chips for TPUs, which are sold by them.

    What is reserved costs what is bought on demand. None where the catalogue has no price.
    """
    way = "on_demand" if capacity == "reserved" else capacity
    row = _machine_hours(cloud).get((machine_type, region, way)) if cloud in _CLOUDS else None
    if row is None and cloud == "gcp":
        return _of_chips(machine_type, region, way)
    return None if row is None else _price(row, "usd_h", "hour")


def service(cloud: str, service: str, item: str) -> Price | None:
    """The price of an item in services.csv, such as ("aws", "s3", "put/copy/post/list"), or None."""
    return _services().get((cloud, service, item))


def billed_otherwise(type_: str) -> str | None:
    """How a resource type is billed that has no price here, such as by use; None for what is free or has a price."""
    return _billed_otherwise().get(type_)


def _of_chips(machine_type: str, region: str, capacity: str) -> Price | None:
    try:
        machine = machines.find(machine_type, "gcp")
    except UnknownFact:
        return None
    row = _chip_hours().get((machine.accelerator or "", region, capacity))
    if row is None:
        return None
    chip = _price(row, "usd_h", "hour")
    return replace(chip, usd=chip.usd * machine.accelerators)


@cache
def _machine_hours(cloud: str) -> dict[tuple[str, str, str], dict[str, str]]:
    return {(row["machine_type"], row["region"], row["capacity"]): row for row in rows(f"{cloud}/prices")}


@cache
def _chip_hours() -> dict[tuple[str, str, str], dict[str, str]]:
    return {(row["accelerator"], row["region"], row["capacity"]): row for row in rows("gcp/chip_prices")}


@cache
def _billed_otherwise() -> dict[str, str]:
    return {row["type"]: row["billed_by"] for cloud in _CLOUDS for row in rows(f"{cloud}/billed_otherwise")}


@cache
def _services() -> dict[tuple[str, str, str], Price]:
    return {(row["cloud"], row["service"], row["item"]): _price(row, "usd", row["unit"]) for row in rows("services")}


def _price(row: dict[str, str], usd: str, unit: str) -> Price:
    """The price that the column `usd` of a row holds."""
    marked = provenance(row)
    unverified = tuple("usd" if column == usd else column for column in marked["unverified"])
    return Price(usd=float(row[usd]), unit=unit, unverified=unverified, source=marked["source"], as_of=marked["as_of"])

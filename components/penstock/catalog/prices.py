"""List prices in USD, before tax and discounts; an estimate's raw material, never a quote."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import provenance, rows


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
    return _machine_hours().get((cloud, machine_type, region, "on_demand"))


def spot(machine_type: str, region: str, cloud: str = "aws") -> Price | None:
    """The median over the region's zones of one machine's spot price for an hour, at one moment in the past.

    None where the catalogue has none. Zones of one region can differ by a factor of six.
    """
    return _machine_hours().get((cloud, machine_type, region, "spot"))


def service(cloud: str, service: str, item: str) -> Price | None:
    """The price of an item in services.csv, such as ("aws", "s3", "put/copy/post/list"), or None."""
    return _services().get((cloud, service, item))


def billed_otherwise(type_: str) -> str | None:
    """How AWS bills a resource type that has no price here, such as by use; None for what is free or has a price."""
    return {row["type"]: row["billed_by"] for row in rows("aws_billed_otherwise")}.get(type_)


@cache
def _machine_hours() -> dict[tuple[str, str, str, str], Price]:
    return {
        (row["cloud"], row["machine_type"], row["region"], row["capacity"]): _price(row, row["usd_h"], "hour")
        for row in rows("prices")
    }


@cache
def _services() -> dict[tuple[str, str, str], Price]:
    return {
        (row["cloud"], row["service"], row["item"]): _price(row, row["usd"], row["unit"]) for row in rows("services")
    }


def _price(row: dict[str, str], usd: str, unit: str) -> Price:
    return Price(
        usd=float(usd),
        unit=unit,
        **provenance(row),
    )

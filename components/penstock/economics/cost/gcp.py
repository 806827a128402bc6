"""The cost of the resources of Google Cloud."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.catalog import prices
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.model.gcp import places
from penstock.model.pools.gce import type_of_config
from penstock.resources.view import View
from penstock.rules.gcp.types import CLUSTER, DATABASE, FILESTORE, LUSTRE, RESERVATION, ROUTER_NAT

_CUSTOM = re.compile(r"db-custom-(?P<vcpu>\d+)-(?P<mib>\d+)")

_Items = Iterator[Line | Unpriced]


def priced_items(view: View) -> _Items:
    """Yield the cost of a resource; nothing for what is free."""
    priced = _PRICED.get(view.type)
    if priced is not None:
        yield from priced(view)


def _cluster(cluster: View) -> _Items:
    fee = prices.service("gcp", "gke", "cluster management fee (standard or autopilot)")
    yield line(cluster.resource, "control plane", HOURS_A_MONTH, fee)


def _reservation(view: View) -> _Items:
    specific = view.block("specificReservation")
    properties = specific.block("instanceProperties") if specific is not None else None
    if specific is not None and properties is not None:
        count, machine_type = specific.integer("count") or 0, type_of_config(properties)
        price = prices.machine_hour(machine_type, places.region(view), "reserved", "gcp")
        yield machines(view.resource, f"{count} × {machine_type}, reserved", count, price)


def _nat(view: View) -> _Items:
    price = prices.service("gcp", "nat-gateway", "hour for 32 machines or more")
    yield line(view.resource, "NAT gateway at most, without traffic", HOURS_A_MONTH, price)


def _lustre(view: View) -> _Items:
    tier, gib = view.text("perUnitStorageThroughput"), view.integer("capacityGib")
    price = prices.service("gcp", "managed-lustre", f"{tier} MB/s/TiB")
    yield line(view.resource, f"{gib} GiB at {tier} MB/s/TiB" if tier else f"{gib} GiB, dynamic", gib, price)


def _filestore(view: View) -> _Items:
    share, tier = view.block("fileShares"), view.text("tier")
    gib = share.integer("capacityGb") if share is not None else None
    price = prices.service("gcp", "filestore", f"{tier} tier")
    yield line(view.resource, f"{gib} GiB of Filestore, {tier}", gib, price)


def _database(view: View) -> _Items:
    settings = view.block("settings")
    tier = settings.text("tier") if settings is not None else None
    custom = _CUSTOM.fullmatch(tier or "")
    if settings is None or custom is None:
        yield Unpriced(view.urn, f"{tier}, by the hour: no price known")
        return
    kind = f"{settings.text('edition')} {settings.text('availabilityType') or 'ZONAL'}"
    vcpu, ram_gib = int(custom["vcpu"]), int(custom["mib"]) / 1024
    yield line(view.resource, f"{vcpu} vCPU of Cloud SQL", vcpu * HOURS_A_MONTH, _cloud_sql(kind, "vCPU"))
    yield line(view.resource, f"{ram_gib:g} GiB memory of Cloud SQL", ram_gib * HOURS_A_MONTH, _cloud_sql(kind, "RAM"))
    disk, gib = settings.text("diskType") or "PD_SSD", settings.integer("diskSize")
    yield line(view.resource, f"{gib} GiB disk of Cloud SQL", gib, _cloud_sql(kind, disk))


def _cloud_sql(kind: str, item: str) -> prices.Price | None:
    return prices.service("gcp", "cloud-sql", f"{kind} {item}")


_PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    CLUSTER: _cluster,
    RESERVATION: _reservation,
    ROUTER_NAT: _nat,
    LUSTRE: _lustre,
    FILESTORE: _filestore,
    DATABASE: _database,
}

"""The cost of databases of Cloud SQL: vCPU and memory, licences, disk and backups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.core.quantities import MIB_PER_GIB
from penstock.cost.amounts import Amount
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.stored import Held, stored_items
from penstock.gcp.cost.storage import service
from penstock.graph.view import Block, View

_Items = Iterator[Line | Unpriced]

_TIER: Final = re.compile(r"db-(?:custom-(?P<vcpu>\d+)-(?P<mib>\d+)|n1-(?P<family>standard|highmem)-(?P<vcpus>\d+))")
_GIB_A_VCPU: Final = {"standard": 3.75, "highmem": 6.5}
_SHARED: Final = ("db-f1-micro", "db-g1-small")
_EDITION: Final = "ENTERPRISE"
"""The edition of tiers with custom sizes and of N1; Enterprise Plus has tiers of its own."""
_LICENSED: Final = re.compile(r"SQLSERVER_\d+_(?P<edition>\w+)")
_LEAST_LICENSED: Final = 4
"""vCPU that are licensed at least (Cloud SQL for SQL Server pricing, licensing)."""
_LEAST_GIB: Final = 10
"""The disk of a database where nobody says."""


def database_items(view: View) -> _Items:
    """Yield the cost of an instance; one that is available in two zones is paid twice."""
    settings = view.block("settings")
    tier = (settings.text("tier") if settings is not None else None) or ""
    read = _TIER.fullmatch(tier)
    if settings is None or (read is None and tier not in _SHARED):
        yield Unpriced(view.urn, f"{tier or 'database'}, by the hour: no price known")
        return
    zones = settings.text("availabilityType") or "ZONAL"
    kind = f"{settings.text('edition') or _EDITION} {zones}"
    if read is None:
        yield line(view.resource, f"Cloud SQL, {tier}", HOURS_A_MONTH, service(view, "cloud-sql", f"{tier} {zones}"))
    else:
        yield from _machine(view, read, kind, zones)
    yield from _disk(view, settings, kind)
    backups = Held("backup_gb", "backups", service(view, "cloud-sql", "backup"))
    yield from stored_items(view, (backups,))


def _machine(view: View, read: re.Match[str], kind: str, zones: str) -> _Items:
    vcpu = int(read["vcpu"] or read["vcpus"])
    ram_gib = int(read["mib"]) / MIB_PER_GIB if read["mib"] else vcpu * _GIB_A_VCPU[read["family"]]
    cores, memory = (service(view, "cloud-sql", f"{kind} {part}") for part in ("vCPU", "RAM"))
    yield line(view.resource, f"{vcpu} vCPU of Cloud SQL", vcpu * HOURS_A_MONTH, cores)
    yield line(view.resource, f"{ram_gib:g} GiB memory of Cloud SQL", ram_gib * HOURS_A_MONTH, memory)
    licensed = _LICENSED.fullmatch(view.text("databaseVersion") or "")
    if licensed is not None:
        number = max(_LEAST_LICENSED, vcpu)
        hours = Amount(number, number, number * 2 if zones == "REGIONAL" else number) * HOURS_A_MONTH
        note = "twice if the standby is licensed" if zones == "REGIONAL" else ""
        price = service(view, "cloud-sql", f"licence {licensed['edition']}")
        yield line(view.resource, f"SQL Server licence, {number} vCPU", hours, price, assumes=note)


def _disk(view: View, settings: Block, kind: str) -> _Items:
    disk, gib = settings.text("diskType") or "PD_SSD", settings.integer("diskSize")
    price = service(view, "cloud-sql", f"{kind} {disk}")
    if gib is None:  # Cloud SQL creates the least that it sells (Cloud SQL Admin API reference, dataDiskSizeGb)
        what = f"{_LEAST_GIB} GiB disk of Cloud SQL"
        yield line(view.resource, what, _LEAST_GIB, price, assumes="no size is given")
    else:
        yield line(view.resource, f"{gib} GiB disk of Cloud SQL", gib, price)

"""The cost of databases of AWS: those of RDS with the IOPS of their storage, and tables of DynamoDB."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.catalog.disk_performance import included_performance
from penstock.catalog.prices import Price
from penstock.economics.cost.amounts import Amount
from penstock.economics.cost.aws_storage import service
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.economics.cost.stored import Held, declared_amount, stored_items
from penstock.economics.cost.words import listed
from penstock.resources.view import View

_Items = Iterator[Line | Unpriced]

_MILLION: Final = 1_000_000
_STRIPED_FROM_GIB: Final = {"mysql": 400, "mariadb": 400, "postgres": 400, "oracle": 200}
"""The size from which RDS stripes gp3, by engine; never for SQL Server and Db2 (RDS user guide, gp3 storage)."""


def database_items(view: View) -> _Items:
    """Yield the cost of a database of RDS: its machine, its storage and the performance of it, its backups."""
    engine, size = view.text("engine"), view.text("instanceClass")
    copies = 2 if view.flag("multiAz") else 1
    price = service(view, "rds", f"{engine} {size}")
    where = "in two zones" if copies > 1 else ""
    yield line(
        view.resource,
        listed(" on ".join(part for part in (engine, size) if part), where),
        copies * HOURS_A_MONTH,
        price,
    )
    gib, kind = view.integer("allocatedStorage"), view.text("storageType") or ("io1" if "iops" in view else "gp2")
    most = view.integer("maxAllocatedStorage") or gib
    if gib is not None and most is not None:
        held = Amount(gib, gib, max(gib, most)) * copies
        note = f"grows to {most} GiB" if most > gib else ""
        what = f"{held.expected:g} GiB of database storage, {kind}"
        yield line(view.resource, what, held, service(view, "rds", f"{kind} storage"), assumes=note)
        yield from _performance(view, engine or "", kind, copies)
    backups = declared_amount(view, "storage", "backup_gb")
    if backups is not None:
        yield line(view.resource, "backups beyond the free ones", backups, service(view, "rds", "backup"))


def _performance(view: View, engine: str, kind: str, copies: int) -> _Items:
    """IOPS of io1 and io2, all of them; of gp3 what it is given beyond what comes with its size."""
    iops, mbps = view.number("iops"), view.number("storageThroughput")
    if kind in ("io1", "io2"):
        price = service(view, "rds", f"{kind} iops")
        what = f"{iops * copies:g} IOPS of the database, {kind}" if iops else f"IOPS of the database, {kind}"
        yield line(view.resource, what, iops * copies if iops else None, price)
    if kind != "gp3":
        return
    included = included_performance("aws", _gp3_of(engine, view.integer("allocatedStorage") or 0))
    if included is None:
        return
    for given, free, unit, item in (
        (iops, included.iops, "IOPS", "gp3 iops"),
        (mbps, included.mbps, "MB/s", "gp3 throughput"),
    ):
        if given is not None and free is not None and given > free:
            beyond = (given - free) * copies
            price = service(view, "rds", item)
            yield line(view.resource, f"{beyond:g} {unit} of the database over {free}, gp3", beyond, price)


def _gp3_of(engine: str, gib: int) -> str:
    """Return the kind of storage that gp3 of a size is; more comes with what is striped over four volumes."""
    striped = _STRIPED_FROM_GIB.get(engine.partition("-")[0])
    return "rds gp3 striped" if striped is not None and gib >= striped else "rds gp3"


def table_items(view: View) -> _Items:
    """Yield the cost of a table of DynamoDB: capacity that it is given, or requests as declared, and what it holds.

    Tables of infrequent access have prices of their own, which the catalogue does not know.
    """
    usual = (view.text("tableClass") or "STANDARD") == "STANDARD"

    def price(item: str) -> Price | None:
        return service(view, "dynamodb", item) if usual else None

    stored = Held("gb", "items", price("storage"), optional=False)
    backups = Held("backup_gb", "backups on demand", price("backup"))
    if (view.text("billingMode") or "PROVISIONED") == "PROVISIONED":
        for way, words in (("write", "writes"), ("read", "reads")):
            yield from _capacity(view, f"{way}Capacity", f"capacity units for {words}", price(f"{way} capacity unit"))
        yield from stored_items(view, (stored, backups))
    else:
        writes = Held("writes", "requests that write", price("write requests"), per=_MILLION, optional=False)
        reads = Held("reads", "requests that read", price("read requests"), per=_MILLION, optional=False)
        yield from stored_items(view, (stored, backups, writes, reads))


def _capacity(view: View, key: str, what: str, price: Price | None) -> _Items:
    """The units of a table and of its global indexes together, of which each copy in another region writes as many."""
    units = sum(block.integer(key) or 0 for block in (view, *view.blocks("globalSecondaryIndexes")))
    copies = 1 + view.count("replicas") if key.startswith("write") else 1
    scaled = _scaled(view)
    note = "autoscaling changes them" if scaled else ""
    yield line(view.resource, f"{units * copies} {what}", units * copies * HOURS_A_MONTH, price, assumes=note)


def _scaled(view: View) -> bool:
    """Whether a target of autoscaling names the table."""
    name = view.text("name") or view.outputs.text("name")
    targets = view.site.of_type("aws:appautoscaling/target:Target")
    return bool(name) and any(each.given("resourceId") == f"table/{name}" for each in targets)

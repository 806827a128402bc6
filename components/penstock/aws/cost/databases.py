"""The cost of databases of RDS: machines, storage and its performance, backups, support and monitoring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.cost.storage import linked, service
from penstock.aws.facts.instance_types import find_instance_type
from penstock.aws.facts.rds_support import extended_support
from penstock.aws.types import RDS_CLUSTER, RDS_CLUSTER_INSTANCE, RDS_INSTANCE
from penstock.catalog.disk_performance import included_performance
from penstock.core.errors import UnknownFact
from penstock.cost.amounts import Amount
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.stored import credit_items, declared_amount, used_items
from penstock.cost.words import described
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_SERVERLESS: Final = "db.serverless"
_NO_EXTENDED_SUPPORT: Final = "open-source-rds-extended-support-disabled"
_LICENCE_INCLUDED: Final = ("oracle-se1", "oracle-se2")
"""Engines of Oracle with the licence in the price, unless you bring your own; all of SQL Server have it."""
_STRIPED_FROM_GIB: Final = {"mysql": 400, "mariadb": 400, "postgres": 400, "oracle": 200}
"""The size from which RDS stripes gp3, by engine; never for SQL Server and Db2 (RDS user guide, gp3 storage)."""
_FREE_INSIGHTS_DAYS: Final = 7
_MILLION: Final = 1_000_000
_BURSTABLE: Final = ("db.t3", "db.t4g")


def database_items(view: View) -> _Items:
    """Yield the cost of a database instance; a replica has the engine and the storage of its source."""
    source = linked(view, "replicateSourceDb", RDS_INSTANCE)
    engine = view.text("engine") or (source.text("engine") if source is not None else None) or ""
    size = view.text("instanceClass") or ""
    copies = 2 if view.flag("multiAz") else 1
    where = "in two zones" if copies > 1 else ""
    words = described(" on ".join(part for part in (engine, size) if part), where)
    yield line(view.resource, words, copies * HOURS_A_MONTH, service(view, "rds", _node(view, engine, size)))
    yield from _storage(view, source, engine, copies)
    yield from _extended_support(view, engine, view.text("engineVersion"), size, copies)
    yield from _insights(view, size, copies)
    yield from _monitoring(view)
    yield from _credits(view, size, "rds")


def _node(view: View, engine: str, size: str) -> str:
    """The item of the price list: the engine, for commercial ones with their licence, and the class."""
    if engine.startswith("aurora"):
        return f"aurora {size}"
    if engine.startswith("sqlserver"):
        return f"{engine} license-included {size}"
    if not engine.startswith("oracle"):
        return f"{engine} {size}"
    edition = engine.removesuffix("-cdb")
    own = "license-included" if edition in _LICENCE_INCLUDED else "bring-your-own-license"
    licence = view.text("licenseModel") or own
    return f"{'oracle' if licence == 'bring-your-own-license' else edition} {licence} {size}"


def _storage(view: View, source: View | None, engine: str, copies: int) -> _Items:
    gib, kind = view.integer("allocatedStorage"), view.text("storageType") or ("io1" if "iops" in view else None)
    if source is not None:
        gib = gib if gib is not None else source.integer("allocatedStorage")
        kind = kind or source.text("storageType")
    kind = kind or "gp2"
    most = view.integer("maxAllocatedStorage") or gib
    if gib is not None and most is not None:
        held = Amount(gib, gib, max(gib, most)) * copies
        note = f"grows to {most} GiB" if most > gib else ""
        what = f"{held.expected:g} GiB of database storage, {kind}"
        yield line(view.resource, what, held, service(view, "rds", f"{kind} storage"), assumes=note)
        yield from _performance(view, engine, kind, copies)
    if kind == "standard":
        price = service(view, "rds", "magnetic I/O requests")
        yield from used_items(view, ("services", "io_requests"), "I/O requests", price, per=_MILLION)
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


def _extended_support(view: View, engine: str, version: str | None, size: str, copies: int) -> _Items:
    """A version past standard support is billed by the vCPU, also of the standby."""
    support = extended_support(engine, version) if version else None
    today = view.site.today
    if support is None or today < support.extended_from or view.text("engineLifecycleSupport") == _NO_EXTENDED_SUPPORT:
        return
    third = support.third_year_from is not None and today >= support.third_year_from
    item = "extended support, third year" if third else "extended support, first two years"
    vcpu = _vcpu(size)
    units = vcpu * copies * HOURS_A_MONTH if vcpu is not None else None
    note = f"{engine} {support.version} is past standard support since {support.extended_from}"
    yield line(view.resource, item, units, service(view, "rds", item), assumes=note)


def _vcpu(size: str) -> int | None:
    try:
        return find_instance_type(size.removeprefix("db.")).vcpu
    except UnknownFact:
        return None


def _insights(view: View, size: str, copies: int) -> _Items:
    """Performance Insights is free for a week of history; longer ones are billed by the vCPU."""
    days = view.integer("performanceInsightsRetentionPeriod") or _FREE_INSIGHTS_DAYS
    if not view.flag("performanceInsightsEnabled") or days <= _FREE_INSIGHTS_DAYS:
        return
    vcpu, what = _vcpu(size), f"Performance Insights for {days} days"
    price = service(view, "performance-insights", size.removeprefix("db.").partition(".")[0])
    yield line(view.resource, what, vcpu * copies if vcpu is not None else None, price)


def _monitoring(view: View) -> _Items:
    """Enhanced monitoring writes to the logs of CloudWatch."""
    if not view.integer("monitoringInterval"):
        return
    price = service(view, "cloudwatch-logs", "data written")
    yield from used_items(view, ("services", "monitoring_gb"), "logs of enhanced monitoring", price)


def _credits(view: View, size: str, name: str) -> _Items:
    """Burstable classes run on beyond their credits, which are billed by the vCPU-hour."""
    if size.rpartition(".")[0] in _BURSTABLE:
        yield from credit_items(view, service(view, name, "cpu credit"))


def cluster_instance_items(view: View) -> _Items:
    """Yield the cost of an instance of Aurora: its class, or the capacity units that serverless scales between."""
    cluster = linked(view, "clusterIdentifier", RDS_CLUSTER)
    size, engine = view.text("instanceClass") or "", view.text("engine") or ""
    fast = cluster is not None and cluster.text("storageType") == "aurora-iopt1"
    if size == _SERVERLESS:
        yield from _serverless(view, cluster, fast=fast)
    else:
        item = f"aurora I/O-optimised {size}" if fast else f"aurora {size}"
        yield line(
            view.resource, described(size, "I/O-optimised" if fast else ""), HOURS_A_MONTH, service(view, "rds", item)
        )
        given = view.text("engineVersion")
        version = given if given is not None or cluster is None else cluster.text("engineVersion")
        yield from _extended_support(cluster or view, engine, version, size, 1)
        yield from _insights(view, size, 1)
    yield from _monitoring(view)
    yield from _credits(view, size, "aurora")


def _serverless(view: View, cluster: View | None, *, fast: bool) -> _Items:
    scaling = cluster.block("serverlessv2ScalingConfiguration") if cluster is not None else None
    low = scaling.number("minCapacity") if scaling is not None else None
    high = scaling.number("maxCapacity") if scaling is not None else None
    price = service(view, "aurora", "capacity unit of version 2" + (", I/O-optimised" if fast else ""))
    units = Amount(low, low, max(low, high or low)) * HOURS_A_MONTH if low is not None else None
    note = f"{low:g} to {high:g} capacity units" if low is not None and high is not None else ""
    yield line(view.resource, "capacity units of Aurora serverless", units, price, assumes=note)


PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    RDS_CLUSTER_INSTANCE: cluster_instance_items,
    RDS_INSTANCE: database_items,
}
"""The functions that price them, by type token."""

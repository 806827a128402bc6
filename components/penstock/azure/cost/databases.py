"""The cost of databases of Azure: flexible and single servers, SQL Database, throughput of Cosmos DB."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.azure.cost.storage import service, sku_of
from penstock.azure.facts.size_names import read_size
from penstock.azure.types import COSMOSDB_DATABASE_ACCOUNT, DBFORMYSQL_SERVER, DBFORPOSTGRESQL_SERVER, SQL_DATABASE
from penstock.catalog.prices import Price
from penstock.core.quantities import GIB, MIB_PER_GIB
from penstock.cost.amounts import Amount
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.stored import Held, declared_amount, stored_items, used_items
from penstock.cost.words import described, quantity
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_SINGLE: Final = re.compile(r"(?P<tier>B|GP|MO)_\w+?_(?P<vcores>\d+)")
_SINGLE_TIERS: Final = {"B": "Basic", "GP": "GeneralPurpose", "MO": "MemoryOptimized"}
_VCORES: Final = re.compile(r"(?P<tier>GP|BC|HS)_(?P<serverless>S_)?(?P<family>\w+?)(?:_(?P<vcores>\d+))?")
_SERVICES: Final = {"dbforpostgresql": ("postgresql", "PostgreSQL"), "dbformysql": ("mysql", "MySQL"),
                    "dbformariadb": ("mariadb", "MariaDB")}  # fmt: skip
_MILLION: Final = 1_000_000
_FREE_MYSQL_IOPS: Final = (300, 3)
"""IOPS that come with a MySQL server, and those for each GiB of its disk (MySQL flexible server, service tiers)."""
_DTU_GB: Final = {"Standard": 250, "Premium": 500}
"""The storage that comes with a database sold by the DTU."""
_AUTOSCALED: Final = Amount(0.15, 1.5, 1.5)
"""The billed share of autoscaled throughput: from a tenth, at 1.5 times the price (Cosmos DB, autoscale throughput)."""
_ZONES: Final = 1.25
"""The factor on throughput in a region with zones."""


def _engine(view: View) -> tuple[str, str]:
    return _SERVICES[view.type.split(":")[1]]


def _flexible_server(view: View) -> _Items:
    """Compute and disk, twice with a standby; burstable sizes have prices of their own."""
    name, engine = _engine(view)
    tier, sold = sku_of(view, "tier"), sku_of(view) or ""
    standby, disk = view.block("highAvailability"), view.block("storage")
    copies = 2 if standby is not None and (standby.text("mode") or "Disabled") != "Disabled" else 1
    if tier == "Burstable":
        burstable = service(view, name, f"B_{sold}")
        yield line(view.resource, described(f"{engine} server", sold), copies * HOURS_A_MONTH, burstable)
    else:
        size = read_size(sold)
        vcores = size.vcpu * copies if size is not None else None
        hours = vcores * HOURS_A_MONTH if vcores is not None else None
        price = service(view, name, f"{tier} vCore")
        yield line(view.resource, described(quantity(vcores, f"vCore of {engine}"), tier), hours, price)
    gib = disk.integer("storageSizeGB") if disk is not None else None
    held = gib * copies if gib is not None else None
    yield line(view.resource, quantity(held, f"GiB disk of {engine}"), held, service(view, name, "storage"))
    iops = disk.number("iops") if disk is not None and name == "mysql" else None
    base, each = _FREE_MYSQL_IOPS
    if iops is not None and gib is not None and iops > base + each * gib:
        yield line(
            view.resource, "IOPS beyond the included ones", iops - base - each * gib, service(view, name, "iops")
        )
    yield from _backups(view, service(view, name, "backup"))


def _single_server(view: View) -> _Items:
    name, engine = _engine(view)
    read = _SINGLE.fullmatch(sku_of(view) or "")
    tier = _SINGLE_TIERS[read["tier"]] if read is not None else sku_of(view, "tier")
    vcores = int(read["vcores"]) if read is not None else None
    hours = vcores * HOURS_A_MONTH if vcores is not None else None
    price = service(view, name, f"single {tier} vCore")
    yield line(view.resource, described(quantity(vcores, f"vCore of {engine}, single server"), tier), hours, price)
    properties = view.block("properties")
    profile = properties.block("storageProfile") if properties is not None else None
    mib = profile.integer("storageMB") if profile is not None else None
    item = "single Basic storage" if tier == "Basic" else "single storage"
    gib = mib / MIB_PER_GIB if mib is not None else None
    yield line(view.resource, quantity(gib, f"GiB disk of {engine}"), gib, service(view, name, item))
    copied = profile is not None and profile.text("geoRedundantBackup") == "Enabled"
    yield from _backups(view, service(view, name, "single geo backup" if copied else "single backup"))


def _backups(view: View, price: Price | None) -> _Items:
    held = Held("backup_gb", "backups beyond the free ones", price)
    yield from stored_items(view, (held,))


def _sql_database(view: View) -> _Items:
    """A database by its DTU or vCores, with its licence and storage; one in a pool is paid there."""
    if "elasticPoolId" in view:
        return
    name = sku_of(view) or "GP_Gen5_2"
    read = _VCORES.fullmatch(name)
    if read is None:
        yield line(view.resource, f"database, {name}", 1, service(view, "sql-database", name))
        yield from _sql_storage_of_dtu(view)
    else:
        yield from _sql_vcores(view, read)
    kept = view.text("requestedBackupStorageRedundancy") or "Geo"
    yield from stored_items(
        view,
        (Held("backup_gb", "backups for a point in time", service(view, "sql-database", f"{kept} backup")),),
    )
    long_term = declared_amount(view, "services", "long_term_gb")
    if long_term is not None:
        price = service(view, "sql-database", f"{kept} long-term backup")
        yield line(view.resource, "long-term backups", long_term, price)


def _sql_vcores(view: View, read: re.Match[str]) -> _Items:
    tier, family = read["tier"], read["family"]
    sku = view.block("sku")
    vcores = int(read["vcores"] or 0) or (sku.integer("capacity") if sku is not None else None) or 2
    if read["serverless"]:
        price = service(view, "sql-database", "GP serverless vCore")
        yield from used_items(view, ("services", "vcore_hours"), "vCore-hours", price)
    else:
        replicas = view.integer("highAvailabilityReplicaCount") or 0 if tier == "HS" else 0
        hours = vcores * (1 + replicas) * HOURS_A_MONTH
        price = service(view, "sql-database", f"{tier} {family} vCore")
        yield line(view.resource, f"{vcores * (1 + replicas)} vCores, {tier} {family}", hours, price)
        zones = view.flag("zoneRedundant")
        if zones and tier == "GP":
            zoned = service(view, "sql-database", "GP zone redundancy")
            yield line(view.resource, "zone redundancy", vcores * HOURS_A_MONTH, zoned)
        if (view.text("licenseType") or "LicenseIncluded") == "LicenseIncluded":
            licence = service(view, "sql-database", "BC license" if tier == "BC" else "GP license")
            yield line(view.resource, "SQL Server licence", hours, licence)
    held = view.number("maxSizeBytes")
    item = "GP zone storage" if tier == "GP" and view.flag("zoneRedundant") else f"{tier} storage"
    gib = held / GIB if held is not None else None
    if gib is None:
        yield from used_items(view, ("storage", "gb"), "storage", service(view, "sql-database", item))
    else:
        yield line(view.resource, f"{gib:g} GiB of storage", gib, service(view, "sql-database", item))


def _sql_storage_of_dtu(view: View) -> _Items:
    tier = sku_of(view, "tier") or ("Premium" if (sku_of(view) or "").startswith("P") else "Standard")
    held, included = view.number("maxSizeBytes"), _DTU_GB.get(tier)
    if held is not None and included is not None and held / GIB > included:
        beyond = held / GIB - included
        yield line(view.resource, f"{beyond:g} GiB beyond the included ones", beyond,
                   service(view, "sql-database", f"extra storage {tier}"))  # fmt: skip


def _cosmos(view: View) -> _Items:
    """Throughput that a database or container is given, in each region of its account; without any it is shared."""
    account = _account_of(view)
    modes = [each.text("name") for each in account.blocks("capabilities")] if account is not None else []
    if "EnableServerless" in modes:
        price = service(view, "cosmos-db", "serverless request units")
        yield from used_items(view, ("services", "request_units"), "request units", price, per=_MILLION)
    else:
        yield from _throughput(view, account)
    stored = service(view, "cosmos-db", "storage")
    yield from used_items(view, ("storage", "gb"), "data kept, all regions together", stored)


def _account_of(view: View) -> View | None:
    """The account of a database, None where it lies outside the program."""
    try:
        return view.one("accountName", COSMOSDB_DATABASE_ACCOUNT)
    except NotKnown:
        return None


def _throughput(view: View, account: View | None) -> _Items:
    options = view.block("options")
    scaled = options.block("autoscaleSettings") if options is not None else None
    most = scaled.number("maxThroughput") if scaled is not None else None
    fixed = options.number("throughput") if options is not None else None
    places = account.blocks("locations") if account is not None else []
    regions = sum(_ZONES if each.flag("isZoneRedundant") else 1 for each in places) or 1
    note = "in one region: those of its account are not known" if account is None else ""
    several = account is not None and bool(account.flag("enableMultipleWriteLocations"))
    price = service(view, "cosmos-db", "throughput, several writers" if several else "throughput")
    if most is not None:
        what = f"autoscaled throughput up to {most:g} RU/s"
        yield line(
            view.resource, what, _AUTOSCALED * (most * regions / 100), price, assumes=note or "from a tenth of it"
        )
    elif fixed is not None:
        yield line(view.resource, f"throughput of {fixed:g} RU/s", fixed * regions / 100, price, assumes=note)


_COSMOS: Final = ("CassandraResourceCassandraKeyspace", "CassandraResourceCassandraTable",
                  "GremlinResourceGremlinDatabase", "GremlinResourceGremlinGraph",
                  "MongoDBResourceMongoDBCollection", "MongoDBResourceMongoDBDatabase",
                  "SqlResourceSqlContainer", "SqlResourceSqlDatabase", "TableResourceTable")  # fmt: skip

DATABASES: Final[Mapping[str, Callable[[View], _Items]]] = {
    **{f"azure-native:cosmosdb:{name}": _cosmos for name in _COSMOS},
    "azure-native:dbformariadb:Server": _single_server,
    DBFORMYSQL_SERVER: _flexible_server,
    "azure-native:dbformysql:SingleServer": _single_server,
    DBFORPOSTGRESQL_SERVER: _flexible_server,
    "azure-native:dbforpostgresql:SingleServer": _single_server,
    SQL_DATABASE: _sql_database,
}
"""The functions that price them, by type token."""

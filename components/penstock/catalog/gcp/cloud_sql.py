"""Cloud SQL: the version and the machine that Penstock asks for."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import provenance, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One database engine on Cloud SQL.

    Attributes:
        version: as Google writes it, such as POSTGRES_17.
        tier: the machine type; enough for metadata, which is small and whose readers come in waves.
        edition: the one that sells the tier.
        log_days: the most days that can be restored to any second.
        smallest_gib: the smallest disk on sale.
    """

    name: str
    version: str
    edition: str
    tier: str
    vcpu: int
    ram_gib: float
    disk_type: str
    smallest_gib: int
    log_days: int
    port: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find(engine: str) -> Engine:
    """The engine of that name.

    Raises:
        UnknownFact: Penstock knows no such engine.
    """
    row = row_of("gcp/databases", "engine", engine, "database engine")
    return Engine(
        name=engine,
        version=row["version"],
        edition=row["edition"],
        tier=row["tier"],
        vcpu=int(row["vcpu"]),
        ram_gib=float(row["ram_gib"]),
        disk_type=row["disk_type"],
        smallest_gib=int(row["smallest_gib"]),
        log_days=int(row["log_days"]),
        port=int(row["port"]),
        **provenance(row),
    )

"""Cloud SQL: the version and the machine that Penstock asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudSqlEngine:
    """One database engine on Cloud SQL.

    Attributes:
        version: as Google writes it, such as POSTGRES_17.
        tier: the machine type; enough for metadata, which is small and whose readers come in waves.
        edition: the one that sells the tier.
        log_days: the most days that can be restored to any second.
        smallest_gib: the smallest disk on sale.
    """

    name: Annotated[str, Column("engine")]
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


def find_engine(engine: str) -> CloudSqlEngine:
    """The engine of that name.

    Raises:
        UnknownFact: Penstock knows no such engine.
    """
    return record_of(CloudSqlEngine, "gcp/databases", engine, "database engine")

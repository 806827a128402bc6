"""Managed databases: the version and the machine that Penstock asks for."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import provenance, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One database engine on RDS.

    Attributes:
        major_version: AWS picks the newest minor version of it and keeps it up to date.
        instance_class: enough for metadata, which is small and whose readers come in waves.
        smallest_gib: the smallest volume on sale.
    """

    name: str
    major_version: str
    instance_class: str
    vcpu: int
    ram_gib: int
    port: int
    smallest_gib: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find(engine: str) -> Engine:
    """The engine of that name.

    Raises:
        UnknownFact: Penstock knows no such engine.
    """
    row = row_of("aws/databases", "engine", engine, "database engine")
    return Engine(
        name=engine,
        major_version=row["major_version"],
        instance_class=row["instance_class"],
        vcpu=int(row["vcpu"]),
        ram_gib=int(row["ram_gib"]),
        port=int(row["port"]),
        smallest_gib=int(row["smallest_gib"]),
        **provenance(row),
    )

"""Managed databases: the version and the machine that Penstock asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RdsEngine:
    """One database engine on RDS.

    Attributes:
        major_version: AWS picks the newest minor version of it and keeps it up to date.
        instance_class: enough for metadata, which is small and whose readers come in waves.
        smallest_gib: the smallest volume on sale.
    """

    name: Annotated[str, Column("engine")]
    major_version: str
    instance_class: str
    vcpu: int
    ram_gib: int
    port: int
    smallest_gib: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_engine(engine: str) -> RdsEngine:
    """The engine of that name.

    Raises:
        UnknownFact: Penstock knows no such engine.
    """
    return record_of(RdsEngine, "aws/databases", engine, "database engine")

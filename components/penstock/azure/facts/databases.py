"""Databases of Azure: the servers that the platform runs, and the disks on sale."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseEngine:
    """A server: its version, its size of machine and what it listens on; `disks_gib` are the disks on sale."""

    engine: str
    version: str
    size: str
    tier: str
    port: int
    least_backup_days: int
    disks_gib: tuple[int, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_engine(name: str) -> DatabaseEngine:
    """The server of an engine.

    Raises:
        UnknownFact: the catalogue has none.
    """
    return record_of(DatabaseEngine, "azure/databases", name, "database engine")


def disk_gib(wanted: int) -> int:
    """The smallest disk on sale that holds so many GiB; the largest for what none holds."""
    disks = find_engine("postgres").disks_gib
    return next((disk for disk in disks if disk >= wanted), disks[-1])

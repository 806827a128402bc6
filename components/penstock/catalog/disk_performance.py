"""Disks whose IOPS and throughput are sold apart from their size, and how much of both comes with each."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludedPerformance:
    """The performance that comes with a kind of disk; None for what is not sold apart.

    Attributes:
        kind: The type or SKU of the disk.
        iops: Operations a second without a price.
        mbps: MB a second without a price.
    """

    cloud: str
    kind: str
    iops: int | None
    mbps: int | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def included_performance(cloud: str, kind: str) -> IncludedPerformance | None:
    """Return what comes with a kind of disk; None for one whose performance is not sold apart."""
    return next(
        (each for each in records(IncludedPerformance, "disk_performance") if (each.cloud, each.kind) == (cloud, kind)),
        None,
    )

"""Disks of Compute Engine: their types and sizes."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import provenance, row_of, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskType:
    """One type of disk.

    Attributes:
        minimum_gib, maximum_gib: the sizes on sale. GKE's image may need more.
        boots: whether some GKE node can start from it; which one, its machine says (`GcpMachine.boot_disks`).
    """

    name: str
    minimum_gib: int
    maximum_gib: int
    boots: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def names() -> tuple[str, ...]:
    """The types of disk, in the order of the table."""
    return tuple(row["disk_type"] for row in rows("gcp_disks"))


def find(name: str) -> DiskType:
    """The type of that name, such as hyperdisk-balanced.

    Raises:
        UnknownFact: Compute Engine has no such type of disk.
    """
    row = row_of("gcp_disks", "disk_type", name, "type of disk on Google Cloud")
    return DiskType(
        name=name,
        minimum_gib=int(row["minimum_gib"]),
        maximum_gib=int(row["maximum_gib"]),
        boots=row["boots"] == "yes",
        **provenance(row),
    )

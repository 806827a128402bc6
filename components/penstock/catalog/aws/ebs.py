"""EBS volume types and their limits."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import integer, number, row_of, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeType:
    """What may be asked of one volume. None where the type does not let one choose.

    Attributes:
        min_mibps, max_mibps: throughput in MiB/s; the minimum is what the volume has when nothing is asked, as for IOPS
            of gp3.
        iops_per_gib, mibps_per_iops: how many more IOPS a GiB, and more MiB/s an IOPS, may be asked for.
        boots: whether a machine can start from it.
    """

    name: str
    min_gib: int
    max_gib: int
    min_iops: int | None
    max_iops: int | None
    min_mibps: int | None
    max_mibps: int | None
    iops_per_gib: int | None
    mibps_per_iops: float | None
    boots: bool
    source: str
    as_of: str


def names() -> tuple[str, ...]:
    """The volume types of AWS."""
    return tuple(row["volume_type"] for row in rows("aws/ebs"))


def find(name: str) -> VolumeType:
    """The volume type of that name, such as gp3.

    Raises:
        UnknownFact: AWS has no such volume type.
    """
    row = row_of("aws/ebs", "volume_type", name, "EBS volume type")
    return VolumeType(
        name=name,
        min_gib=int(row["min_gib"]),
        max_gib=int(row["max_gib"]),
        min_iops=integer(row["min_iops"]),
        max_iops=integer(row["max_iops"]),
        min_mibps=integer(row["min_mibps"]),
        max_mibps=integer(row["max_mibps"]),
        iops_per_gib=integer(row["iops_per_gib"]),
        mibps_per_iops=number(row["mibps_per_iops"]),
        boots=row["boots"] == "yes",
        source=row["source"],
        as_of=row["as_of"],
    )

"""EBS volume types and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeType:
    """The limits of one volume. None where the type does not let one choose.

    Attributes:
        min_mibps, max_mibps: throughput in MiB/s; the minimum is what the volume has when nothing is asked, as for IOPS
            of gp3.
        iops_per_gib, mibps_per_iops: how many more IOPS a GiB, and more MiB/s an IOPS, may be asked for.
        boots: whether a machine can start from it.
    """

    name: Annotated[str, Column("volume_type")]
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


def volume_type_names() -> tuple[str, ...]:
    """The volume types of AWS."""
    return tuple(keyed(VolumeType, "aws/ebs"))


def find_volume_type(name: str) -> VolumeType:
    """The volume type of that name, such as gp3.

    Raises:
        UnknownFact: AWS has no such volume type.
    """
    return record_of(VolumeType, "aws/ebs", name, "EBS volume type")

"""Filestore: the tiers of shared file systems, and the capacities that Google sells in each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

from penstock.catalog.records import Column, record
from penstock.catalog.tables import joint_provenance, rows, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityBand:
    """Capacities on sale, in GiB: from the minimum up to the maximum, in steps. An instance never leaves its band."""

    minimum_gib: int
    maximum_gib: int
    step_gib: int

    def allow(self, gib: int) -> bool:
        """Return whether the capacity lies in the band and on one of its steps."""
        return self.minimum_gib <= gib <= self.maximum_gib and (gib - self.minimum_gib) % self.step_gib == 0

    def nearest(self, gib: int) -> int:
        """The capacity of the band that is nearest to the one wanted; of two equally near ones the larger."""
        inside = min(max(gib, self.minimum_gib), self.maximum_gib)
        below = inside - (inside - self.minimum_gib) % self.step_gib
        around = [capacity for capacity in (below, below + self.step_gib) if self.allow(capacity)]
        return min(around, key=lambda capacity: (abs(capacity - gib), -capacity))


@dataclass(frozen=True, slots=True, kw_only=True)
class FilestoreTier:
    """A service tier; its bands ascend.

    Attributes:
        regional: whether it is in a region, in all of its zones; other tiers are in one zone.
        protocols: NFS_V3 and, where it can lock and check users, NFS_V4_1.
        cmek: whether it takes a key of the customer's.
        protection: whether it can be protected against deletion.
    """

    name: Annotated[str, Column("tier")]
    bands: tuple[CapacityBand, ...]
    regional: bool
    protocols: tuple[str, ...]
    cmek: bool
    protection: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def minimum_gib(self) -> int:
        """The smallest capacity on sale."""
        return self.bands[0].minimum_gib

    @property
    def maximum_gib(self) -> int:
        """The largest capacity on sale."""
        return self.bands[-1].maximum_gib

    def allow(self, gib: int) -> bool:
        """Return whether Google sells exactly this capacity."""
        return any(band.allow(gib) for band in self.bands)

    def nearest(self, gib: int) -> int:
        """The capacity on sale that is nearest to the one wanted; of two equally near ones the larger."""
        return min((band.nearest(gib) for band in self.bands), key=lambda capacity: (abs(capacity - gib), -capacity))


def tier_names() -> tuple[str, ...]:
    """The tiers, in the order of the table."""
    return tuple(dict.fromkeys(row["tier"] for row in rows("gcp/filestore")))


@cache
def find_tier(name: str) -> FilestoreTier:
    """The tier of that name, such as ZONAL.

    Raises:
        UnknownFact: Filestore has no such tier.
    """
    its = [row for row in rows("gcp/filestore") if row["tier"] == name]
    if not its:
        raise unknown("tier of Filestore", name, tier_names())
    bands = tuple(record(CapacityBand, "gcp/filestore", row) for row in its)
    return record(FilestoreTier, "gcp/filestore", its[0], bands=bands, **joint_provenance(its))

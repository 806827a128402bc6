"""FSx for Lustre: the capacities that AWS sells at each throughput."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from penstock.catalog.records import keyed, records
from penstock.catalog.tables import unknown

IMPORTED_PATH = "/imported"
"""Directory of the source bucket below the mount point. Files written there are exported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LustreCapacities:
    """The capacities on sale, in GiB: the minimum, what else is sold `below` the step, and every multiple of it."""

    minimum: int
    step: int
    below: tuple[int, ...] = ()

    def allow(self, gib: int) -> bool:
        """Return whether AWS sells exactly this capacity."""
        return gib in (self.minimum, *self.below) or (gib > self.minimum and gib % self.step == 0)

    def nearest(self, gib: int) -> int:
        """The capacity on sale that is nearest to the one wanted; of two equally near ones the larger."""
        below = gib // self.step * self.step
        on_sale = [
            capacity for capacity in (self.minimum, *self.below, below, below + self.step) if self.allow(capacity)
        ]
        return min(on_sale, key=lambda capacity: (abs(capacity - gib), -capacity))

    def at_least(self, gib: float) -> int:
        """The smallest capacity on sale, of the minimum and the steps, that is at least so large."""
        return self.minimum if gib <= self.minimum else ceil(gib / self.step) * self.step


@dataclass(frozen=True, slots=True)
class _Sold:
    """A row of the table: what is sold at one throughput."""

    deployment_type: str
    storage_type: str
    throughput_mbps_per_tib: int
    efa: bool
    minimum_gib: int
    step_gib: int


@dataclass(frozen=True, slots=True)
class _Deployment:
    """A row of the table: a deployment type; those for scratch have steps of their own."""

    deployment_type: str
    storage_types: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    versions_with_metadata: tuple[str, ...] = ()
    minimum_gib: int | None = None
    below_gib: tuple[int, ...] = ()
    step_gib: int | None = None


@dataclass(frozen=True, slots=True)
class _Metadata:
    iops: tuple[int, ...]


def tiers(deployment_type: str = "PERSISTENT_2", storage_type: str = "SSD") -> tuple[int, ...]:
    """The throughputs on sale, in MB/s for each TiB, ascending; empty where one asks for none, as for scratch.

    Only PERSISTENT_2 takes EFA clients.
    """
    wanted = (deployment_type, storage_type)
    found = {each.throughput_mbps_per_tib for each in _sold() if (each.deployment_type, each.storage_type) == wanted}
    return tuple(sorted(found))


def storage_types(deployment_type: str) -> tuple[str, ...]:
    """The storage types of a deployment type: SSD, HDD or INTELLIGENT_TIERING; empty for one that AWS does not have."""
    return _deployment(deployment_type).storage_types


def versions(deployment_type: str, *, metadata: bool) -> tuple[str, ...]:
    """The versions of Lustre that a file system may run; `metadata` says whether its metadata are configured."""
    found = _deployment(deployment_type)
    return found.versions_with_metadata if metadata else found.versions


def metadata_iops(storage_type: str) -> tuple[int, ...]:
    """The metadata IOPS that one may ask for, ascending; only PERSISTENT_2 takes any."""
    return keyed(_Metadata, "aws/lustre_metadata").get(storage_type, _Metadata(())).iops


def scratch_steps(deployment_type: str) -> LustreCapacities:
    """The capacities on sale of file systems without a throughput of their own.

    Raises:
        UnknownFact: the deployment type is none for scratch.
    """
    found = _deployment(deployment_type)
    if found.minimum_gib is None or found.step_gib is None:
        known = (each.deployment_type for each in records(_Deployment, "aws/lustre_deployments") if each.step_gib)
        raise unknown("deployment type of scratch file systems", deployment_type, known)
    return LustreCapacities(minimum=found.minimum_gib, step=found.step_gib, below=found.below_gib)


def steps(throughput_mbps_per_tib: int, *, efa: bool = False) -> LustreCapacities:
    """The capacities on sale at a throughput; an EFA file system is sold in larger ones.

    Raises:
        UnknownFact: no persistent file system has this throughput, or none that takes EFA clients.
    """
    sold = {each.throughput_mbps_per_tib: each for each in _sold() if each.efa == efa}
    found = sold.get(throughput_mbps_per_tib)
    if found is None:
        raise unknown("throughput of Lustre in MB/s for each TiB", throughput_mbps_per_tib, map(str, sold))
    return LustreCapacities(minimum=found.minimum_gib, step=found.step_gib)


def _sold() -> tuple[_Sold, ...]:
    return records(_Sold, "aws/lustre")


def _deployment(deployment_type: str) -> _Deployment:
    return keyed(_Deployment, "aws/lustre_deployments").get(deployment_type, _Deployment(deployment_type))

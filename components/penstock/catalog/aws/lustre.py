"""FSx for Lustre: the capacities that AWS sells at each throughput."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import rows, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The capacities on sale, in GiB: the minimum, what else is sold `below` the step, and every multiple of it."""

    minimum: int
    step: int
    below: tuple[int, ...] = ()

    def allow(self, gib: int) -> bool:
        """Whether AWS sells exactly this capacity."""
        return gib in (self.minimum, *self.below) or (gib > self.minimum and gib % self.step == 0)

    def nearest(self, gib: int) -> int:
        """The capacity on sale that is nearest to the one wanted; of two equally near ones the larger."""
        below = gib // self.step * self.step
        on_sale = [
            capacity for capacity in (self.minimum, *self.below, below, below + self.step) if self.allow(capacity)
        ]
        return min(on_sale, key=lambda capacity: (abs(capacity - gib), -capacity))


def tiers(deployment_type: str = "PERSISTENT_2", storage_type: str = "SSD") -> tuple[int, ...]:
    """The throughputs on sale, in MB/s for each TiB, ascending; empty where one asks for none, as for scratch.

    Only PERSISTENT_2 takes EFA clients.
    """
    return tuple(
        sorted(
            {
                int(row["throughput_mbps_per_tib"])
                for row in rows("aws/lustre")
                if (row["deployment_type"], row["storage_type"]) == (deployment_type, storage_type)
            }
        )
    )


def storage_types(deployment_type: str) -> tuple[str, ...]:
    """What a deployment type may store on: SSD, HDD or INTELLIGENT_TIERING; empty for one that AWS does not have."""
    found = (
        row["storage_types"] for row in rows("aws/lustre_deployments") if row["deployment_type"] == deployment_type
    )
    return tuple(next(found, "").split())


def versions(deployment_type: str, *, metadata: bool) -> tuple[str, ...]:
    """The versions of Lustre that a file system may run; `metadata` says whether its metadata are configured."""
    column = "versions_with_metadata" if metadata else "versions"
    found = (row[column] for row in rows("aws/lustre_deployments") if row["deployment_type"] == deployment_type)
    return tuple(next(found, "").split())


def metadata_iops(storage_type: str) -> tuple[int, ...]:
    """The metadata IOPS that one may ask for, ascending; only PERSISTENT_2 takes any."""
    found = (row["iops"] for row in rows("aws/lustre_metadata") if row["storage_type"] == storage_type)
    return tuple(map(int, next(found, "").split()))


def scratch_steps(deployment_type: str) -> Steps:
    """The capacities on sale of file systems without a throughput of their own.

    Raises:
        UnknownFact: the deployment type is none for scratch.
    """
    sold = {row["deployment_type"]: row for row in rows("aws/lustre_deployments") if row["step_gib"]}
    if deployment_type not in sold:
        raise unknown("deployment type of scratch file systems", deployment_type, sold)
    row = sold[deployment_type]
    return Steps(
        minimum=int(row["minimum_gib"]), step=int(row["step_gib"]), below=tuple(map(int, row["below_gib"].split()))
    )


def steps(throughput_mbps_per_tib: int, *, efa: bool = False) -> Steps:
    """The capacities on sale at a throughput; an EFA file system is sold in larger ones.

    Raises:
        UnknownFact: no persistent file system has this throughput, or none that takes EFA clients.
    """
    sold = {row["throughput_mbps_per_tib"]: row for row in rows("aws/lustre") if (row["efa"] == "yes") == efa}
    row = sold.get(str(throughput_mbps_per_tib))
    if row is None:
        raise unknown("throughput of Lustre in MB/s for each TiB", throughput_mbps_per_tib, sold)
    return Steps(minimum=int(row["minimum_gib"]), step=int(row["step_gib"]))


def gib(capacity_tib: float) -> int:
    """The storageCapacity that AWS means by so many TiB: it sells 1.2 TiB as 1200 GiB, 1000 for each."""
    return round(capacity_tib * 1000)

"""FSx for Lustre: the capacities that AWS sells at each throughput."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import rows, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The capacities on sale at one throughput, in GiB: the minimum, and every multiple of the step."""

    minimum: int
    step: int

    def allow(self, gib: int) -> bool:
        """Whether AWS sells exactly this capacity."""
        return gib == self.minimum or (gib > self.minimum and gib % self.step == 0)

    def nearest(self, gib: int) -> int:
        """The capacity on sale that is nearest to the one wanted; of two equally near ones the larger."""
        below = gib // self.step * self.step
        on_sale = [capacity for capacity in (self.minimum, below, below + self.step) if self.allow(capacity)]
        return min(on_sale, key=lambda capacity: (abs(capacity - gib), -capacity))


def tiers(deployment_type: str = "PERSISTENT_2") -> tuple[int, ...]:
    """The throughputs on sale, in MB/s for each TiB, ascending. Only PERSISTENT_2 takes EFA clients."""
    return tuple(
        sorted(
            {int(row["throughput_mbps_per_tib"]) for row in rows("lustre") if row["deployment_type"] == deployment_type}
        )
    )


def steps(throughput_mbps_per_tib: int, *, efa: bool = False) -> Steps:
    """The capacities on sale at a throughput; an EFA file system is sold in larger ones.

    Raises:
        UnknownFact: no persistent file system has this throughput, or none that takes EFA clients.
    """
    sold = {row["throughput_mbps_per_tib"]: row for row in rows("lustre") if (row["efa"] == "yes") == efa}
    row = sold.get(str(throughput_mbps_per_tib))
    if row is None:
        raise unknown("throughput of Lustre in MB/s for each TiB", throughput_mbps_per_tib, sold)
    return Steps(minimum=int(row["minimum_gib"]), step=int(row["step_gib"]))


def gib(capacity_tib: float) -> int:
    """The storageCapacity that AWS means by so many TiB: it sells 1.2 TiB as 1200 GiB, 1000 for each."""
    return round(capacity_tib * 1000)


def baseline_mbps(capacity_gib: int, throughput_mbps_per_tib: int) -> float:
    """What the disks of the whole file system sustain, in MB/s: AWS rates 2400 GiB at 50 MB/s/TiB as 120 MB/s."""
    return capacity_gib / 1000 * throughput_mbps_per_tib

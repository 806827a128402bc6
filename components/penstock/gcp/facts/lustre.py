"""Managed Lustre: the capacities that Google sells at each throughput."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Annotated

from penstock.catalog.records import Column, record_of
from penstock.catalog.tables import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedLustreSteps:
    """The capacities on sale at one throughput, in GiB.

    Attributes:
        step: every multiple of it is sold from the minimum up to the threshold.
        threshold: from there on only multiples of `large_step` are sold, and a file system made at or below it can
            never grow beyond it; None where one step holds all the way.
        dynamic: whether it is the tier whose throughput follows the use of data, for which one asks no throughput.
    """

    minimum: Annotated[int, Column("minimum_gib")]
    step: Annotated[int, Column("step_gib")]
    threshold: Annotated[int | None, Column("threshold_gib")]
    large_step: Annotated[int | None, Column("large_step_gib")]
    maximum: Annotated[int, Column("maximum_gib")]
    dynamic: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def allow(self, gib: int) -> bool:
        """Return whether Google sells exactly this capacity."""
        return self.minimum <= gib <= self.maximum and gib % self._step(gib) == 0

    def nearest(self, gib: int) -> int:
        """The capacity on sale that is nearest to the one wanted; of two equally near ones the larger."""
        steps = {self.step, self.large_step or self.step}
        around = [gib // step * step + more for step in steps for more in (0, step)]
        bounds = (self.minimum, self.maximum, *([self.threshold] if self.threshold else []))
        on_sale = [capacity for capacity in (*around, *bounds) if self.allow(capacity)]
        return min(on_sale, key=lambda capacity: (abs(capacity - gib), -capacity))

    def at_least(self, gib: float) -> int:
        """The smallest capacity of the minimum and the steps that is at least so large, whatever the maximum."""
        step = self._step(gib)
        return max(self.minimum, ceil(gib / step) * step)

    def _step(self, gib: float) -> int:
        large = self.threshold is not None and gib > self.threshold
        return self.large_step if large and self.large_step is not None else self.step


def tiers() -> tuple[int, ...]:
    """The throughputs on sale, in MB/s for each TiB, ascending; the lowest is that of the dynamic tier."""
    return tuple(sorted(int(row["throughput_mbps_per_tib"]) for row in rows("gcp/lustre")))


def steps(throughput_mbps_per_tib: int) -> ManagedLustreSteps:
    """The capacities on sale at a throughput.

    Raises:
        UnknownFact: Google sells no file system with this throughput.
    """
    kind = "throughput of Managed Lustre in MB/s for each TiB"
    return record_of(ManagedLustreSteps, "gcp/lustre", str(throughput_mbps_per_tib), kind)

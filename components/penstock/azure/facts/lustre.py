"""Azure Managed Lustre: the capacities that Azure sells at each throughput, and the subnets that they need."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Annotated

from penstock.catalog.records import Column, record_of, records
from penstock.catalog.tables import unknown
from penstock.core.quantities import lustre_gib


def _of_tib(cell: str) -> int:
    return lustre_gib(float(cell))


@dataclass(frozen=True, slots=True, kw_only=True)
class AmlfsSteps:
    """The capacities on sale at one throughput, 1000 for each TiB.

    Azure takes another capacity, too, and sells the next larger one of these for it.

    Attributes:
        throughput_mbps_per_tib: the throughput, in MB/s for each TiB.
        sku: its name, such as AMLFS-Durable-Premium-250.
        step: every multiple of it is sold; it is the smallest capacity, too.
        maximum: the largest that a subscription gets without a support request; sources contradict one another.
    """

    throughput_mbps_per_tib: int
    sku: str
    step: Annotated[int, Column("step_tib", read=_of_tib)]
    maximum: Annotated[int, Column("maximum_tib", read=_of_tib)]
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def minimum(self) -> int:
        """The smallest capacity on sale."""
        return self.step

    def allow(self, gib: int) -> bool:
        """Return whether Azure sells exactly this capacity."""
        return gib >= self.minimum and gib % self.step == 0

    def needs_request(self, gib: int) -> bool:
        """Return whether a capacity is beyond what a subscription gets without a support request."""
        return gib > self.maximum

    def nearest(self, gib: int) -> int:
        """The capacity on sale that is nearest to the one wanted; of two equally near ones the larger."""
        below = gib // self.step * self.step
        on_sale = [each for each in (below, below + self.step) if self.allow(each)]
        return min(on_sale, key=lambda capacity: (abs(capacity - gib), -capacity))

    def at_least(self, gib: float) -> int:
        """The smallest capacity on sale that is at least so large, whatever the maximum."""
        return max(1, ceil(gib / self.step)) * self.step


def skus() -> tuple[str, ...]:
    """The names of all that Azure sells."""
    return tuple(each.sku for each in records(AmlfsSteps, "azure/lustre"))


@dataclass(frozen=True, slots=True)
class _Subnet:
    capacity: Annotated[int, Column("up_to_tib", read=_of_tib)]
    prefix: int


def tiers() -> tuple[int, ...]:
    """The throughputs on sale, in MB/s for each TiB, ascending."""
    return tuple(sorted(each.throughput_mbps_per_tib for each in records(AmlfsSteps, "azure/lustre")))


def steps(throughput_mbps_per_tib: int) -> AmlfsSteps:
    """The capacities on sale at a throughput.

    Raises:
        UnknownFact: Azure sells no file system with this throughput.
    """
    kind = "throughput of Managed Lustre in MB/s for each TiB"
    return record_of(AmlfsSteps, "azure/lustre", str(throughput_mbps_per_tib), kind)


def steps_of(sku: str) -> AmlfsSteps:
    """The capacities on sale of a SKU.

    Raises:
        UnknownFact: Azure has no such SKU of Managed Lustre.
    """
    found = {each.sku: each for each in records(AmlfsSteps, "azure/lustre")}
    if sku not in found:
        raise unknown("SKU of Managed Lustre", sku, found)
    return found[sku]


def longest_prefix(capacity: int) -> int | None:
    """The longest prefix of a subnet that holds a capacity; None for one that Microsoft's table does not reach.

    Microsoft calls its table an estimate: the exact number is what getRequiredAmlFSSubnetsSize answers.
    """
    fitting = (each for each in records(_Subnet, "azure/lustre_subnets") if capacity <= each.capacity)
    return next((each.prefix for each in fitting), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LustreRule:
    """A kind of traffic that a file system needs, as a security group lets it through.

    Addresses are ranges and service tags, with `{region}` and `{subnet}` for those of the file system.
    """

    name: Annotated[str, Column("rule")]
    direction: str
    protocol: str
    source_address: str
    destination_address: str
    ports: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def rules() -> tuple[LustreRule, ...]:
    """All traffic that file systems need; without it, where all else is denied, their creation fails."""
    return records(LustreRule, "azure/lustre_rules")

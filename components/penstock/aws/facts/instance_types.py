"""Every instance type of AWS, in what groups of nodes need of it; `catalog.machines` knows more of those for AI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of
from penstock.catalog.tables import unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceType:
    """One instance type, such as m5.large.

    Attributes:
        accelerator_kind: gpu or neuron; None for a type without, or with other hardware.
        quota: the family in `catalog.quotas`; None where the catalogue has no quota of it.
        cluster_placement: whether a placement group of the strategy cluster takes it.
        burstable: whether it earns CPU credits.
    """

    name: str
    family: str
    vcpu: int
    architecture: str
    accelerator_kind: str | None
    quota: str | None
    cluster_placement: bool
    burstable: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def _vcpu_by_size(cell: str) -> dict[str, int]:
    return {size: int(vcpu) for size, _, vcpu in (pair.partition(":") for pair in cell.split())}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Family:
    """A row of the table: a family with the vCPU of each size."""

    family: str
    architecture: str
    accelerator_kind: str | None
    quota: str | None
    cluster_placement: bool
    burstable: bool
    vcpus: Annotated[Mapping[str, int], Column(read=_vcpu_by_size)]
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def of_size(self, size: str) -> InstanceType:
        return InstanceType(
            name=f"{self.family}.{size}",
            family=self.family,
            vcpu=self.vcpus[size],
            architecture=self.architecture,
            accelerator_kind=self.accelerator_kind,
            quota=self.quota,
            cluster_placement=self.cluster_placement,
            burstable=self.burstable,
            unverified=self.unverified,
            source=self.source,
            as_of=self.as_of,
        )


def of_family(family: str) -> tuple[InstanceType, ...]:
    """Every size of a family, such as p5.

    Raises:
        UnknownFact: the catalogue has no such family; the text names the nearest ones.
    """
    found = _family(family)
    return tuple(map(found.of_size, found.vcpus))


def find_instance_type(name: str) -> InstanceType:
    """The instance type of that exact name.

    Raises:
        UnknownFact: the catalogue has no such type; the text names the nearest ones.
    """
    family, _, size = name.partition(".")
    found = _family(family)
    if size not in found.vcpus:
        raise unknown("instance type", name, (f"{family}.{size}" for size in found.vcpus))
    return found.of_size(size)


def has_family(name: str) -> bool:
    """Return whether the catalogue knows the family of a type, and so all of its sizes."""
    return name.partition(".")[0] in _families()


def instance_type_names() -> tuple[str, ...]:
    """Every instance type that the catalogue knows, by family and number of vCPU."""
    return tuple(f"{name}.{size}" for name, family in _families().items() for size in family.vcpus)


def _family(name: str) -> _Family:
    return record_of(_Family, "aws/instance_families", name, "family of instance types")


def _families() -> Mapping[str, _Family]:
    return keyed(_Family, "aws/instance_families")

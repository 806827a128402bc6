"""Every instance type of AWS, in what groups of nodes need of it; `catalog.machines` knows more of those for AI."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import provenance, rows, unknown


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


def of_family(family: str) -> tuple[InstanceType, ...]:
    """Every size of a family, such as p5.

    Raises:
        UnknownFact: the catalogue has no such family; the text names the nearest ones.
    """
    row = _families().get(family)
    if row is None:
        raise unknown("family of instance types", family, _families())
    return tuple(find(f"{family}.{pair.partition(':')[0]}") for pair in row["vcpus"].split())


def find(name: str) -> InstanceType:
    """The instance type of that exact name.

    Raises:
        UnknownFact: the catalogue has no such type; the text names the nearest ones.
    """
    family, _, size = name.partition(".")
    row = _families().get(family)
    if row is None:
        raise unknown("family of instance types", family, _families())
    sizes = dict(pair.split(":") for pair in row["vcpus"].split())
    if size not in sizes:
        raise unknown("instance type", name, (f"{family}.{size}" for size in sizes))
    return InstanceType(
        name=name,
        family=family,
        vcpu=int(sizes[size]),
        architecture=row["architecture"],
        accelerator_kind=row["accelerator_kind"] or None,
        quota=row["quota"] or None,
        cluster_placement=row["cluster_placement"] == "yes",
        burstable=row["burstable"] == "yes",
        **provenance(row),
    )


def has_family(name: str) -> bool:
    """Whether the catalogue knows the family of a type, and so all of its sizes."""
    return name.partition(".")[0] in _families()


def names() -> tuple[str, ...]:
    """Every instance type that the catalogue knows, by family and number of vCPU."""
    pairs = ((family, pair) for family, row in _families().items() for pair in row["vcpus"].split())
    return tuple(f"{family}.{pair.partition(':')[0]}" for family, pair in pairs)


@cache
def _families() -> dict[str, dict[str, str]]:
    return {row["family"]: row for row in rows("aws/instance_families")}

"""Quotas that bound how many machines of a family an account or a project may run."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.machine import Machine
from penstock.catalog.records import records
from penstock.catalog.tables import clouds_with, rows, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """A quota by its `code`, such as L-417A185B of EC2 or NVIDIA_A100_GPUS of Compute Engine.

    It is counted in `unit`: a p5.48xlarge takes 192 vCPU, an a2-highgpu-8g 8 GPUs. New accounts often have 0.
    """

    family: str
    capacity: str
    code: str
    name: str
    unit: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class _Default:
    code: str
    value: int | None


def quota(family: str, capacity: str, cloud: str) -> Quota | None:
    """The quota that machines of a family (`Machine.quota`) draw on when bought in one way.

    Reserved machines draw on the on-demand quota, on Google Cloud when the reservation is created. None for capacity
    blocks, which draw on no quota of vCPU as far as is known, and where the catalogue does not know the quota (spot P6,
    spot GB300).

    Raises:
        UnknownFact: no quota covers that family.
    """
    table = records(Quota, f"{cloud}/quotas")
    of_family = [found for found in table if found.family == family]
    if not of_family:
        raise unknown("quota family", family, {found.family for found in table})
    drawn = "on_demand" if capacity == "reserved" else capacity
    return next((found for found in of_family if found.capacity == drawn), None)


def quota_code(machine: Machine, capacity: str) -> str | None:
    """The code of the quota that a machine draws on, by accelerators or by vCPU; None as for `quota`.

    A colon parts a metric of Google Cloud from the family that it is counted for: GPUS_PER_GPU_FAMILY:NVIDIA_H200.
    """
    found = quota(machine.quota, capacity, machine.cloud)
    return None if found is None else found.code


def codes(cloud: str | None = None) -> tuple[str, ...]:
    """The codes of quotas that the catalogue knows, those of one cloud or of all, ascending in each."""
    return tuple(code for each in clouds_with("quotas") if cloud in (None, each) for code in _codes(each))


def default_quota(code: str) -> int:
    """The default quota of a new account or project for something other than machines, by the code of its quota.

    Raises:
        UnknownFact: the catalogue does not know it.
    """
    clouds = clouds_with("default_quotas")
    table = {each.code: each for cloud in clouds for each in records(_Default, f"{cloud}/default_quotas")}
    value = table[code].value if code in table else None
    if value is None:
        raise unknown("quota", code, (known.code for known in table.values() if known.value is not None))
    return value


def _codes(cloud: str) -> list[str]:
    return sorted({row["code"] for table in ("quotas", "default_quotas") for row in rows(f"{cloud}/{table}")})

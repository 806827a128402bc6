"""Quotas that bound how many machines of a family an account or a project may run."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.machines import GcpMachine
from penstock.catalog.tables import provenance, rows, unknown

_CLOUDS = ("aws", "gcp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """A quota by its `code`, such as L-417A185B of EC2 or NVIDIA_A100_GPUS of Compute Engine.

    It is counted in `unit`: a p5.48xlarge takes 192 vCPU, an a2-highgpu-8g 8 GPUs. New accounts often have 0.
    """

    code: str
    name: str
    unit: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def quota(family: str, capacity: str, cloud: str = "aws") -> Quota | None:
    """The quota that machines of a family (`Machine.quota`) draw on when bought in one way.

    Reserved machines draw on the on-demand quota, on Google Cloud when the reservation is made. None for capacity
    blocks, which draw on no quota of vCPU as far as is known, and where the catalogue does not know the quota (spot P6,
    spot H200).

    Raises:
        UnknownFact: no quota covers that family.
    """
    table = rows(f"{cloud}/quotas")
    families = [row for row in table if row["family"] == family]
    if not families:
        raise unknown("quota family", family, {row["family"] for row in table})
    drawn = "on_demand" if capacity == "reserved" else capacity
    for row in families:
        if row["capacity"] == drawn:
            return Quota(
                code=row["code"],
                name=row["name"],
                unit=row["unit"],
                **provenance(row),
            )
    return None


def gcp(machine: GcpMachine, capacity: str) -> str | None:
    """The metric of Google Cloud that a machine draws on, by accelerators or by vCPU; None as for `quota`.

    A colon parts a metric from the family that it is counted for: GPUS_PER_GPU_FAMILY:NVIDIA_H200.
    """
    found = quota(machine.quota, capacity, "gcp")
    return None if found is None else found.code


def codes(cloud: str | None = None) -> tuple[str, ...]:
    """The codes of quotas that the catalogue knows, those of one cloud or of all, ascending in each."""
    return tuple(code for each in _CLOUDS if cloud in (None, each) for code in _codes(each))


def default(code: str) -> int:
    """What a new account or project may have of something that is no machine, by the code of its quota.

    Raises:
        UnknownFact: the catalogue does not know it.
    """
    table = {row["code"]: row for cloud in _CLOUDS for row in rows(f"{cloud}/default_quotas") if row["value"]}
    if code not in table:
        raise unknown("quota", code, table)
    return int(table[code]["value"])


def _codes(cloud: str) -> list[str]:
    return sorted({row["code"] for table in ("quotas", "default_quotas") for row in rows(f"{cloud}/{table}")})

"""The metrics of Compute Engine that something else than a listed machine draws on: GPUs, disks, vCPU by series."""

from __future__ import annotations

import re
from dataclasses import dataclass

from penstock.catalog.quotas import quota
from penstock.catalog.records import keyed

_SIZED = re.compile(r"(?P<series>[a-z]\d[a-z]?)-[a-z]+-(?P<vcpu>\d+)(?:-.+)?")
"""A type that is named by its vCPU: n2d-standard-64, c3-highmem-8-lssd, n2-custom-6-3072."""
_SPOT = "PREEMPTIBLE_CPUS"


@dataclass(frozen=True, slots=True)
class _GuestAccelerator:
    accelerator_type: str
    quota: str


@dataclass(frozen=True, slots=True)
class _DiskQuota:
    disk_type: str
    quota: str


@dataclass(frozen=True, slots=True)
class _CpuQuota:
    machine_series: str
    quota: str


def cpu_metric(machine_type: str, capacity: str) -> tuple[str, int] | None:
    """The metric that the vCPU of a machine draw on and how many they are, by the name of its type alone.

    None for a series whose metric the catalogue does not have, such as those with accelerators, and for types that are
    not named by their vCPU, such as f1-micro.
    """
    named = _SIZED.fullmatch(machine_type)
    found = keyed(_CpuQuota, "gcp/cpu_quotas").get(named["series"]) if named is not None else None
    if named is None or found is None:
        return None
    return (found.quota if capacity == "on_demand" else _SPOT), int(named["vcpu"])


def guest_metric(accelerator_type: str, capacity: str) -> str | None:
    """The metric that GPUs draw on which are attached to a machine, such as nvidia-tesla-t4 to an N1.

    None where the catalogue does not know the type.
    """
    found = keyed(_GuestAccelerator, "gcp/guest_accelerators").get(accelerator_type)
    drawn = quota(found.quota, capacity, "gcp") if found is not None else None
    return None if drawn is None else drawn.code


def disk_metric(disk_type: str) -> str | None:
    """The metric that the size of a disk draws on, by the disk's type; None where it is not known."""
    found = keyed(_DiskQuota, "gcp/disk_quotas").get(disk_type)
    return None if found is None else found.quota

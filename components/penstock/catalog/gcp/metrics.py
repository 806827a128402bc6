"""The metrics of Compute Engine that something else than a machine type draws on: attached GPUs, and disks."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.quotas import quota
from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True)
class _GuestAccelerator:
    accelerator_type: str
    quota: str


@dataclass(frozen=True, slots=True)
class _DiskQuota:
    disk_type: str
    quota: str


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

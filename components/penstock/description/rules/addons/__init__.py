"""The rules on descriptions of what runs beside the workloads."""

from __future__ import annotations

from penstock.description.rules.addons import (
    accelerators,
    device_claims,
    health,
    notebooks,
    observability,
    queueing,
    secrets,
    security,
    slurm,
    slurm_claims,
)

SUBJECTS = (
    accelerators,
    device_claims,
    health,
    notebooks,
    observability,
    queueing,
    secrets,
    security,
    slurm,
    slurm_claims,
)

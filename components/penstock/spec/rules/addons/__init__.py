"""The rules on descriptions of what runs beside the workloads."""

from __future__ import annotations

from penstock.spec.rules.addons import (
    accelerators,
    health,
    notebooks,
    observability,
    queueing,
    secrets,
    security,
    slurm,
    slurm_claims,
)

SUBJECTS = (accelerators, health, notebooks, observability, queueing, secrets, security, slurm, slurm_claims)

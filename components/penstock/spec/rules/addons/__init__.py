"""The rules on descriptions of what runs beside the workloads."""

from __future__ import annotations

from penstock.spec.rules.addons import (
    accelerators,
    notebooks,
    observability,
    queueing,
    secrets,
    security,
    slurm,
    slurm_claims,
)

SUBJECTS = (accelerators, notebooks, observability, queueing, secrets, security, slurm, slurm_claims)
from penstock.spec.rules.addons import accelerators, health, observability, queueing, secrets, security, slurm
SUBJECTS = (accelerators, health, observability, queueing, secrets, security, slurm)

"""What a Kubernetes API server or its scheduler refuses, by subject."""

from __future__ import annotations

from penstock.rehearsal.rules.kubernetes import (
    accelerators,
    containers,
    controllers,
    fabric,
    kueue,
    names,
    order,
    quotas,
    releases,
    resources,
    scheduling,
    security,
    services,
    sharing,
    volumes,
)

SUBJECTS = (
    names,
    order,
    controllers,
    containers,
    resources,
    volumes,
    services,
    scheduling,
    accelerators,
    fabric,
    sharing,
    quotas,
    kueue,
    releases,
    security,
)

"""What a Kubernetes API server or its scheduler refuses, by subject."""

from __future__ import annotations

from penstock.rehearsal.rules.kubernetes import (
    accelerators,
    containers,
    controllers,
    fabric,
    gke_networks,
    gpudirect,
    gpudirect_daemons,
    kueue,
    names,
    nccl,
    order,
    quotas,
    releases,
    resources,
    scheduling,
    security,
    services,
    sharing,
    tpus,
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
    gke_networks,
    gpudirect,
    gpudirect_daemons,
    nccl,
    tpus,
    sharing,
    quotas,
    kueue,
    releases,
    security,
)

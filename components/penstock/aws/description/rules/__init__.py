"""The rules on descriptions for AWS alone."""

from __future__ import annotations

from penstock.spec.rules.aws import (
    autoscaling,
    capacity,
    cloud,
    cluster,
    device_claims,
    machines,
    names,
    network,
    nodes,
    placement,
    storage,
    unbuilt,
)

SUBJECTS = (
    autoscaling,
    capacity,
    cloud,
    cluster,
    device_claims,
    machines,
    names,
    network,
    nodes,
    placement,
    storage,
    unbuilt,
)

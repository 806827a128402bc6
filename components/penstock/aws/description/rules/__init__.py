"""The rules on descriptions for AWS alone."""

from __future__ import annotations

from penstock.aws.description.rules import (
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

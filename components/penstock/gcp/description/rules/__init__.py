"""The rules on descriptions for Google Cloud alone."""

from __future__ import annotations

from penstock.spec.rules.gcp import (
    budget,
    capacity,
    cloud,
    cluster,
    names,
    network,
    placement,
    storage,
    tpu_slices,
    unbuilt,
)

SUBJECTS = (
    budget,
    capacity,
    cloud,
    cluster,
    names,
    network,
    placement,
    storage,
    tpu_slices,
    unbuilt,
)

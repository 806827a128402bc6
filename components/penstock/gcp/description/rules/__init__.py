"""The rules on descriptions for Google Cloud alone."""

from __future__ import annotations

from penstock.gcp.description.rules import (
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

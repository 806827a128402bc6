"""The rules on descriptions for Azure alone."""

from __future__ import annotations

from penstock.azure.description.rules import (
    capacity,
    cloud,
    cluster,
    names,
    network,
    nodes,
    placement,
    storage,
    unbuilt,
)

SUBJECTS = (capacity, cloud, cluster, names, network, nodes, placement, storage, unbuilt)

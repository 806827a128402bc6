"""The rules on descriptions for Azure alone."""

from __future__ import annotations

from penstock.spec.rules.azure import capacity, cloud, cluster, names, network, nodes, placement, storage, unbuilt

SUBJECTS = (capacity, cloud, cluster, names, network, nodes, placement, storage, unbuilt)

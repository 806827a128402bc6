"""The heads of Ray clusters, which their operator asks for the state of jobs."""

from __future__ import annotations

from typing import Final

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import PortOpening

OPERATOR: Final = "ray-system"
"""The namespace of the operator."""

DASHBOARD: Final = 8265
"""Where the operator submits jobs to a head and asks for their state."""


def to_operator(cluster: InCluster) -> list[PortOpening]:
    """Open the heads of Ray clusters to the operator, where the description has it."""
    if not cluster.addons.has("ray"):
        return []
    where = {"kubernetes.io/metadata.name": OPERATOR}
    return [PortOpening(port=DASHBOARD, pods={"ray.io/node-type": "head"}, namespaces=where)]

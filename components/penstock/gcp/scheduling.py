"""Scheduling on a pool's nodes, as GKE takes it."""

from __future__ import annotations

from pulumi_gcp import container

from penstock.catalog.gcp.machines import GcpMachine
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.nodes import gcp as nodes

_EFFECTS = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}
"""Kubernetes' spelling to that of the GKE API."""


def taints(spec: NodePoolSpec, machine: GcpMachine) -> list[container.NodePoolNodeConfigTaintArgsDict]:
    """The taints of a pool's nodes in the words of the GKE API; those of GKE's own are left to it."""
    return [
        {"key": taint.key, "value": taint.value, "effect": _EFFECTS[taint.effect]}
        for taint in nodes.taints(spec, machine)
    ]

"""Scheduling on a pool's nodes, as GKE takes it."""

from __future__ import annotations

from pulumi_gcp import container

from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.gcp.description import nodes
from penstock.gcp.facts.machines import GcpMachine
from penstock.kubernetes.facts.node_labels import POOL_TAINT_EFFECTS


def taints(
    spec: NodePoolSpec, machine: GcpMachine, startup_taint: Taint | None
) -> list[container.NodePoolNodeConfigTaintArgsDict]:
    """The taints of a pool's nodes in the words of the GKE API; those of GKE's own are left to it.

    The `startup_taint` is among them: GKE puts them on new nodes, and does not put back what somebody removes from a
    node (kubernetes/cloud-provider-gcp#322).
    """
    kept = nodes.taints(spec, machine)
    return [
        {"key": taint.key, "value": taint.value, "effect": POOL_TAINT_EFFECTS[taint.effect]}
        for taint in ((*kept, startup_taint) if startup_taint is not None else kept)
    ]

"""Scheduling on a pool's nodes: labels, and taints that keep other pods off accelerators."""

from __future__ import annotations

from pulumi_gcp import container

from penstock.catalog.gcp.machines import GcpMachine
from penstock.spec.node_pool import NodePoolSpec, Taint

_DRANET = "cloud.google.com/gke-networking-dra-driver"
"""On nodes where GKE's network driver gives pods the interfaces of the fabric."""

_EFFECTS = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}
"""Kubernetes' spelling to that of the GKE API."""


def labels(spec: NodePoolSpec, machine: GcpMachine, *, dranet: bool) -> dict[str, str]:
    """The labels of every node: which pool it is of, what it has, and those of the description, which win.

    What GKE itself says of accelerators and topologies comes beside them. `dranet` says whether GKE wires the fabric
    itself.
    """
    derived = {"penstock.dev/pool": spec.name}
    if machine.accelerator is not None:
        derived["penstock.dev/accelerator"] = machine.accelerator
    if dranet:
        derived[_DRANET] = "true"
    elif machine.fabric == "rdma-metal":
        # Pods get their interfaces from the driver there, too (cluster-toolkit v1.95, examples/gke-a4x-max-bm).
        derived |= {_DRANET: "true", "cloud.google.com/gke-dpv2-unified-cni": "cni-migration"}
    if spec.gcp.queued:
        # GKE taints the nodes for queued jobs, but only labels let these find them.
        derived["cloud.google.com/gke-queued"] = "true"
    return derived | spec.labels


def taints(spec: NodePoolSpec, machine: GcpMachine) -> list[container.NodePoolNodeConfigTaintArgsDict]:
    """One for GPUs, and those of the description; where both name one key and effect, the description's.

    GKE taints TPU nodes itself, and GPU nodes only in clusters that have others.
    """
    all_taints = list(spec.taints)
    if machine.accelerator_kind == "gpu":
        all_taints.insert(0, Taint(key="nvidia.com/gpu", value="present"))
    distinct = {(taint.key, taint.effect): taint for taint in all_taints}
    return [{"key": taint.key, "value": taint.value, "effect": _EFFECTS[taint.effect]} for taint in distinct.values()]

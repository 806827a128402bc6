"""Scheduling on a pool's nodes, as EKS and the cluster autoscaler take it."""

from __future__ import annotations

from pulumi_aws import eks

from penstock.aws.description import nodes, pools
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import limits
from penstock.description import sharing
from penstock.description.node_pool import NodePoolSpec
from penstock.kubernetes.facts.node_labels import POOL_TAINT_EFFECTS


def unseen(spec: NodePoolSpec, machine: AwsMachine) -> dict[str, str]:
    """The tags of an Auto Scaling group from which the cluster autoscaler knows what nodes of an empty pool offer.

    It knows the GPUs of a machine type, but neither AWS' own chips, GPUs that pods share, nor EFA with its huge pages.
    """
    offered: dict[str, str] = {}
    if machine.accelerator_kind == "neuron":
        offered[nodes.DEVICES["neuron"]] = str(machine.accelerators)
    shared = sharing.shared_devices(spec, machine.accelerator, sharing.gib(machine))
    if shared is not None:
        offered[shared.resource] = str(machine.accelerators * shared.parts)
    if pools.efa(spec):
        offered[nodes.EFA_DEVICES] = str(machine.efa_max)
    offered |= huge_pages(spec)
    return {f"k8s.io/cluster-autoscaler/node-template/resources/{name}": count for name, count in offered.items()}


def huge_pages(spec: NodePoolSpec) -> dict[str, str]:
    """The huge pages that the EFA driver of the image sets aside, as pods request them."""
    if not pools.efa(spec):
        return {}
    return {"hugepages-2Mi": f"{2 * limits.find_limit('efa_huge_pages', 'aws').most}Mi"}


def taints(spec: NodePoolSpec, machine: AwsMachine) -> list[eks.NodeGroupTaintArgsDict]:
    """The taints of a pool's nodes in the words of the EKS API."""
    return [
        {"key": taint.key, "value": taint.value, "effect": POOL_TAINT_EFFECTS[taint.effect]}
        for taint in nodes.taints(spec, machine)
    ]

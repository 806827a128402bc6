"""Scheduling on a pool's nodes: labels, and taints that keep other pods off accelerators."""

from __future__ import annotations

from pulumi_aws import eks

from penstock.catalog import limits
from penstock.catalog.aws.machines import AwsMachine
from penstock.spec import aws_pools
from penstock.spec.node_pool import NodePoolSpec, Taint

_EFA_LABEL = "vpc.amazonaws.com/efa.present"
"""On every node with EFA: the device plugin for EFA goes where it is."""

_EFA_DEVICES = "vpc.amazonaws.com/efa"

_DEVICES = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
"""The names under which device plugins offer accelerators to pods; tolerations and taints use the same."""

_EFFECTS = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}
"""Kubernetes' spelling to that of the EKS API."""


def labels(spec: NodePoolSpec, machine: AwsMachine) -> dict[str, str]:
    """The labels of every node: which pool it is of, what it has, and those of the description, which win."""
    derived = {"penstock.dev/pool": spec.name}
    if machine.accelerator is not None:
        derived["penstock.dev/accelerator"] = machine.accelerator
    if machine.accelerator_kind in _DEVICES:
        derived[f"{_DEVICES[machine.accelerator_kind]}.present"] = "true"
    if aws_pools.efa(spec):
        derived[_EFA_LABEL] = "true"
    return derived | spec.labels


def unseen(spec: NodePoolSpec, machine: AwsMachine) -> dict[str, str]:
    """The tags of an Auto Scaling group from which the cluster autoscaler knows what nodes of an empty pool offer.

    It knows the GPUs of a machine type, but neither AWS' own chips nor EFA, nor the huge pages that EFA takes.
    """
    offered: dict[str, str] = {}
    if machine.accelerator_kind == "neuron":
        offered[_DEVICES["neuron"]] = str(machine.accelerators)
    if aws_pools.efa(spec):
        offered[_EFA_DEVICES] = str(machine.efa_max)
        offered["hugepages-2Mi"] = f"{2 * limits.find_limit('efa_huge_pages', 'aws').most}Mi"
    return {f"k8s.io/cluster-autoscaler/node-template/resources/{name}": count for name, count in offered.items()}


def taints(spec: NodePoolSpec, machine: AwsMachine) -> list[eks.NodeGroupTaintArgsDict]:
    """One for the accelerator, and those of the description; where both name one key and effect, the description's."""
    all_taints = list(spec.taints)
    if machine.accelerator_kind in _DEVICES:
        all_taints.insert(0, Taint(key=_DEVICES[machine.accelerator_kind], value="present"))
    distinct = {(taint.key, taint.effect): taint for taint in all_taints}
    return [{"key": taint.key, "value": taint.value, "effect": _EFFECTS[taint.effect]} for taint in distinct.values()]

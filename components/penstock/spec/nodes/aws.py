"""The nodes of a pool on EKS."""

from __future__ import annotations

from penstock.catalog.aws.machines import AwsMachine
from penstock.spec import aws_pools, karpenter_pools
from penstock.spec.node_pool import NodePoolSpec, Taint
from penstock.spec.nodes.pool_nodes import HOSTNAME, PoolNodes, distinct_taints
from penstock.spec.platform import Spec, zones

EFA_DEVICES = "vpc.amazonaws.com/efa"
"""What pods request of EFA; with `.present`, the label of every node with it, which its device plugin needs."""

DEVICES = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
"""The names under which device plugins offer accelerators to pods; tolerations and taints use the same."""

_HUGE_PAGES_MIB = 5120
"""What a pod takes of the huge pages that the image sets aside (EKS user guide, node-efa)."""

_CAPACITY_TYPES = {"spot": "SPOT", "capacity_block": "CAPACITY_BLOCK"}

_TOPOLOGY = tuple(f"topology.k8s.aws/network-node-layer-{layer}" for layer in (1, 2, 3))
"""Labels of the cloud controller where EC2 says which network nodes are above (EC2 user guide, instance topology)."""


def labels(spec: NodePoolSpec, machine: AwsMachine) -> dict[str, str]:
    """The labels that the pool gives its nodes: which pool, what they have, and those of the description, which win."""
    derived = {"penstock.dev/pool": spec.name}
    if machine.accelerator is not None:
        derived["penstock.dev/accelerator"] = machine.accelerator
    if machine.accelerator_kind in DEVICES:
        derived[f"{DEVICES[machine.accelerator_kind]}.present"] = "true"
    if aws_pools.efa(spec):
        derived[f"{EFA_DEVICES}.present"] = "true"
    return derived | spec.labels


def taints(spec: NodePoolSpec, machine: AwsMachine) -> tuple[Taint, ...]:
    """The taint of accelerators, and those of the description, which win."""
    own = DEVICES.get(machine.accelerator_kind or "")
    return distinct_taints((Taint(key=own, value="present"),) if own is not None else (), spec.taints)


def read(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """The nodes of a pool."""
    machine = aws_pools.machine(pool)
    resource = DEVICES.get(machine.accelerator_kind or "")
    efa = machine.efa_max if aws_pools.efa(pool) else 0
    offered = {resource: machine.accelerators, EFA_DEVICES: efa}
    zone = aws_pools.zone_of(pool, zones(spec))
    given = {
        "node.kubernetes.io/instance-type": machine.machine_type,
        **_bought(pool, spec),
        "kubernetes.io/arch": "arm64" if machine.architecture == "arm64" else "amd64",
        **({"topology.kubernetes.io/zone": zone} if zone is not None else {}),
    }
    return PoolNodes(
        pool=pool.name,
        machine_type=machine.machine_type,
        nodes=pool.nodes,
        capacity=pool.capacity,
        selector={"penstock.dev/pool": pool.name},
        labels=given | labels(pool, machine),
        taints=taints(pool, machine),
        accelerator=machine.accelerator,
        accelerator_kind=machine.accelerator_kind,
        accelerators=machine.accelerators,
        resource=resource,
        fabric="efa" if efa else None,
        fabric_resource=EFA_DEVICES if efa else None,
        fabric_devices=efa,
        devices={name: count for name, count in offered.items() if name is not None and count},
        huge_pages_mib=_HUGE_PAGES_MIB if efa else 0,
        vcpu=machine.vcpu,
        memory_gib=machine.ram_gib,
        topology=(*_TOPOLOGY, HOSTNAME) if efa else (HOSTNAME,),
    )


def _bought(pool: NodePoolSpec, spec: Spec) -> dict[str, str]:
    """The labels of whoever starts the machines: EKS, or Karpenter, which has words of its own."""
    if karpenter_pools.is_scaled(pool, spec.cluster):
        return {
            "karpenter.sh/nodepool": pool.name,
            "karpenter.sh/capacity-type": karpenter_pools.capacity_type(pool),
        }
    return {"eks.amazonaws.com/capacityType": _CAPACITY_TYPES.get(pool.capacity, "ON_DEMAND")}

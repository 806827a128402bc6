"""The nodes of a pool on the toy cloud."""

from __future__ import annotations

from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes.pool_nodes import PoolNodes
from penstock.description.platform import Spec

_RESOURCES = {"gpu": "toy.example/whistle"}


def read(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """What the machines of a pool have, and the labels that the cloud gives its nodes."""
    machine = node_pool.machine(pool, spec.cloud.provider)
    resource = _RESOURCES.get(machine.accelerator_kind or "")
    label = {"toy.example/pool": pool.name}
    return PoolNodes(
        pool=pool.name,
        machine_type=machine.machine_type,
        nodes=pool.nodes,
        capacity=pool.capacity,
        selector=label,
        labels=label | pool.labels,
        taints=pool.taints,
        accelerator=machine.accelerator,
        accelerator_kind=machine.accelerator_kind,
        accelerators=machine.accelerators,
        resource=resource,
        devices={resource: machine.accelerators} if resource is not None else {},
        vcpu=machine.vcpu,
        memory_gib=machine.ram_gib,
    )

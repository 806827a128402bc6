"""The nodes of a pool on AKS."""

from __future__ import annotations

from typing import Final

from penstock.azure.description import pools
from penstock.azure.facts import nccl_topologies
from penstock.azure.facts.machines import AzureMachine
from penstock.description import sharing
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.description.nodes.claims import of_nvlink
from penstock.description.nodes.nccl import variables
from penstock.description.nodes.pool_nodes import HOSTNAME, SWITCH, PoolNodes, distinct_taints
from penstock.description.platform import Spec, zones
from penstock.kubernetes.facts.device_software import DeviceSoftware, find_software
from penstock.kubernetes.facts.fabric_plugins import find_plugin
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, ARCHITECTURES, INSTANCE_TYPE, ZONE
from penstock.kubernetes.facts.rdma_software import software_of

_INFINIBAND = "infiniband"
_ADAPTERS = "rdma/ib"
"""What pods request of InfiniBand (Azure/aks-rdma-infiniband, SR-IOV device plugin)."""

_IDENTIFIED = {"azure.workload.identity/use": "true"}
"""Pods without it get no token that Entra ID takes (Azure/azure-workload-identity)."""

OPERATOR_OPERANDS: Final = "nvidia.com/gpu.deploy.operands"
"""The label of nodes on which the GPU Operator runs nothing, if it is false (NVIDIA/gpu-operator, node labels)."""

_NVIDIA, _AMD = "nvidia.com/gpu", "amd.com/gpu"
_SPOT = Taint(key="kubernetes.azure.com/scalesetpriority", value="spot")


def labels(spec: NodePoolSpec, machine: AzureMachine) -> dict[str, str]:
    """The labels that the pool gives its nodes: which pool, what they have, and those of the description, which win."""
    derived = {"penstock.dev/pool": spec.name}
    if machine.accelerator is not None:
        derived["penstock.dev/accelerator"] = machine.accelerator
    return derived | _owner_labels(spec) | _sharing_labels(spec, machine) | spec.labels


def _owner_labels(spec: NodePoolSpec) -> dict[str, str]:
    """The label that keeps NVIDIA's GPU Operator off nodes whose driver AKS installs.

    Other pools of the cluster may need the operator, which would replace the container toolkit of AKS there and
    advertise the GPUs a second time.
    """
    its = software(spec)
    if its is None or its.resource != _NVIDIA or its.driver != "node":
        return {}
    return {OPERATOR_OPERANDS: "false"}


def _sharing_labels(spec: NodePoolSpec, machine: AzureMachine) -> dict[str, str]:
    """The labels by which NVIDIA's software shares the GPUs of these nodes, whoever installs it."""
    shared, its = sharing.shared_devices(spec, machine.accelerator, sharing.gib(machine)), software(spec)
    if shared is None or its is None:
        return {}
    return sharing.plugin_labels(shared) if its.advertiser == "plugin" else sharing.operator_labels(shared)


def taints(spec: NodePoolSpec, machine: AzureMachine) -> tuple[Taint, ...]:
    """The taint of GPUs, and those of the description, which win; AKS taints spot nodes itself."""
    resource = _resource(machine)
    own = (Taint(key=resource, value="present"),) if resource is not None else ()
    return distinct_taints(own, spec.taints)


def software(pool: NodePoolSpec) -> DeviceSoftware | None:
    """The owners of the software of its GPUs; None without any."""
    resource = _resource(pools.machine(pool))
    if resource is None:
        return None
    return find_software("azure", resource, _INFINIBAND if pools.infiniband(pool) else None)


def read(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """The nodes of a pool."""
    machine = pools.machine(pool)
    resource = _resource(machine)
    fabric = _INFINIBAND if pools.infiniband(pool) and machine.rdma else None
    shared = sharing.shared_devices(pool, machine.accelerator, sharing.gib(machine))
    if shared is not None:
        resource = shared.resource
    by_azure = (_SPOT,) if pool.capacity == "spot" else ()
    return PoolNodes(
        pool=pool.name,
        machine_type=machine.machine_type,
        nodes=pool.nodes,
        capacity=pool.capacity,
        selector={"penstock.dev/pool": pool.name},
        labels=_given(pool, machine, spec) | labels(pool, machine),
        taints=distinct_taints(by_azure, taints(pool, machine)),
        accelerator=machine.accelerator,
        accelerator_kind=machine.accelerator_kind,
        accelerators=machine.accelerators,
        resource=resource,
        accelerator_memory_gib=sharing.gib(machine),
        fabric=fabric,
        fabric_resource=_ADAPTERS if fabric is not None else None,
        fabric_devices=machine.infiniband_nics if fabric is not None else 0,
        devices={
            **(
                {resource: machine.accelerators * (shared.parts if shared is not None else 1)}
                if resource is not None
                else {}
            ),
            **({_ADAPTERS: machine.infiniband_nics} if fabric is not None else {}),
        },
        identity_labels=_IDENTIFIED,
        claims=of_nvlink(machine.accelerator),
        plugin=find_plugin("azure", fabric, resource),
        nccl=variables(fabric, machine.accelerator, "azure"),
        topology_file=nccl_topologies.topology(machine.accelerator) if fabric is not None else None,
        vcpu=machine.vcpu,
        memory_gib=machine.ram_gib,
        topology=(SWITCH, HOSTNAME) if fabric is not None else (HOSTNAME,),
        software=software(pool),
        rdma=software_of("azure", None, fabric) if fabric is not None else None,
        shared=shared,
    )


def _resource(machine: AzureMachine) -> str | None:
    """What pods request of the machine's accelerators."""
    if machine.accelerator is None:
        return None
    return _AMD if machine.accelerator.startswith("mi") else _NVIDIA


def _given(pool: NodePoolSpec, machine: AzureMachine, spec: Spec) -> dict[str, str]:
    """The labels of AKS's own."""
    given = {
        INSTANCE_TYPE: machine.machine_type,
        "kubernetes.azure.com/agentpool": pools.pool_name(pool),
        ARCHITECTURE: ARCHITECTURES[machine.architecture],
    }
    if (zone := pools.zone_of(pool, zones(spec))) is not None:
        given[ZONE] = zone
    if pool.capacity == "spot":
        given["kubernetes.azure.com/scalesetpriority"] = "spot"
    return given

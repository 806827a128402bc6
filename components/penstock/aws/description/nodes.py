"""The nodes of a pool on EKS."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.aws.description import karpenter_pools, pools
from penstock.aws.description.node_pool_block import own_settings
from penstock.aws.facts import ami_types, neuron
from penstock.aws.facts.machines import AwsMachine
from penstock.aws.facts.network_layers import network_layers
from penstock.core.quantities import GIB
from penstock.description import sharing
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.description.nodes.claims import DeviceClaim, of_devices, of_nvlink
from penstock.description.nodes.nccl import variables
from penstock.description.nodes.pool_nodes import HOSTNAME, PoolNodes, distinct_taints
from penstock.description.nodes.startup import startup_taint
from penstock.description.platform import Spec, zones
from penstock.kubernetes.facts.device_software import DeviceSoftware, find_software
from penstock.kubernetes.facts.fabric_plugins import find_plugin
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, ARCHITECTURES, INSTANCE_TYPE, ZONE

EFA_DEVICES = "vpc.amazonaws.com/efa"
"""What pods request of EFA; with `.present`, the label of every node with it, which its device plugin needs."""

DEVICES = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
"""The names under which device plugins offer accelerators to pods; tolerations and taints use the same."""

_HUGE_PAGES_MIB = 5120
"""What a pod takes of the huge pages that the image sets aside (EKS user guide, node-efa)."""

_CAPACITY_TYPES = {"spot": "SPOT", "capacity_block": "CAPACITY_BLOCK"}

_LAYER = "topology.k8s.aws/network-node-layer-"
"""Begins the labels of nodes for which EC2 tells the topology (EKS user guide, network topology labels)."""


def labels(spec: NodePoolSpec, machine: AwsMachine) -> dict[str, str]:
    """The labels that the pool gives its nodes: which pool, what they have, and those of the description, which win."""
    derived = {"penstock.dev/pool": spec.name}
    if machine.accelerator is not None:
        derived["penstock.dev/accelerator"] = machine.accelerator
    its = software(spec, machine)
    if its is not None and its.advertiser == "plugin":
        # The label is what a plugin finds its nodes by: those that advertise by themselves go without it.
        derived[f"{its.resource}.present"] = "true"
    if pools.efa(spec):
        derived[f"{EFA_DEVICES}.present"] = "true"
    shared = sharing.shared_devices(spec, machine.accelerator, sharing.gib(machine))
    return derived | (sharing.plugin_labels(shared) if shared is not None else {}) | spec.labels


def software(spec: NodePoolSpec, machine: AwsMachine) -> DeviceSoftware | None:
    """Who offers the accelerators of the pool to pods; None without any."""
    resource = DEVICES.get(machine.accelerator_kind or "")
    if resource is None:
        return None
    ami = ami_types.find_ami_type(own_settings(spec).ami_type or machine.ami_type)
    return find_software("aws", resource, ami.system)


def taints(spec: NodePoolSpec, machine: AwsMachine) -> tuple[Taint, ...]:
    """The taint of accelerators, and those of the description, which win."""
    own = DEVICES.get(machine.accelerator_kind or "")
    return distinct_taints((Taint(key=own, value="present"),) if own is not None else (), spec.taints)


def read(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """The nodes of a pool."""
    machine = pools.machine(pool)
    resource = DEVICES.get(machine.accelerator_kind or "")
    efa = machine.efa_max if pools.efa(pool) else 0
    shared = sharing.shared_devices(pool, machine.accelerator, sharing.gib(machine))
    if shared is not None:
        resource = shared.resource
    offered = {resource: machine.accelerators * (shared.parts if shared is not None else 1), EFA_DEVICES: efa}
    devices = {name: count for name, count in offered.items() if name is not None and count}
    zone = pools.zone_of(pool, zones(spec))
    given = {
        INSTANCE_TYPE: machine.machine_type,
        **_bought(pool, spec),
        ARCHITECTURE: ARCHITECTURES[machine.architecture],
        **({ZONE: zone} if zone is not None else {}),
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
        cores=_cores(machine),
        resource=resource,
        accelerator_memory_gib=sharing.gib(machine),
        fabric="efa" if efa else None,
        fabric_resource=EFA_DEVICES if efa else None,
        fabric_devices=efa,
        devices=devices,
        huge_pages_mib=_HUGE_PAGES_MIB if efa else 0,
        claims=(*of_nvlink(machine.accelerator), *_claimed(devices, spec)),
        plugin=find_plugin("aws", "efa" if efa else None, resource),
        nccl=variables("efa" if efa and machine.accelerator_kind == "gpu" else None, machine.accelerator, "aws"),
        vcpu=machine.vcpu,
        memory_gib=machine.ram_gib,
        cache_gib=_cache_gib(pool, machine),
        topology=(*_layers(machine, spec), HOSTNAME) if efa else (HOSTNAME,),
        software=software(pool, machine),
        shared=shared,
        startup_taint=startup_taint(spec, resource, scaled=spec.cluster.autoscaling == "cluster-autoscaler"),
    )


def _layers(machine: AwsMachine, spec: Spec) -> tuple[str, ...]:
    """The labels from the widest layer on; none where nodes have none, for Kueue places nothing on such nodes."""
    layers = network_layers(machine.machine_type, spec.cloud.region or "")
    return tuple(f"{_LAYER}{layer}" for layer in range(1, layers + 1))


def _claimed(devices: Mapping[str, int], spec: Spec) -> tuple[DeviceClaim, ...]:
    return of_devices(devices) if spec.cluster.device_allocation == "claims" else ()


def _cores(machine: AwsMachine) -> int:
    """The cores of an accelerator that processes train on: of Neuron devices each, of a GPU the whole."""
    if machine.accelerator_kind != "neuron" or machine.accelerator is None:
        return 1
    device = neuron.find_device(machine.accelerator)
    return device.cores if device.trains else 0


def _cache_gib(pool: NodePoolSpec, machine: AwsMachine) -> int | None:
    """The local disks, of which nodeadm and Karpenter make one array for the kubelet; other images leave them alone."""
    image = ami_types.find_ami_type(own_settings(pool).ami_type or machine.ami_type)
    return machine.nvme_gb * 10**9 // GIB if machine.nvme_gb and image.system == "al2023" else None


def _bought(pool: NodePoolSpec, spec: Spec) -> dict[str, str]:
    """The labels of whoever starts the machines: EKS, or Karpenter, which has words of its own."""
    if karpenter_pools.is_scaled(pool, spec.cluster):
        return {
            "karpenter.sh/nodepool": pool.name,
            "karpenter.sh/capacity-type": karpenter_pools.capacity_type(pool),
        }
    return {"eks.amazonaws.com/capacityType": _CAPACITY_TYPES.get(pool.capacity, "ON_DEMAND")}

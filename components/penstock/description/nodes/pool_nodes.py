"""The record of the nodes of one pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from penstock.catalog.machine import AcceleratorKind
from penstock.description.node_pool import Capacity, Nodes, Taint
from penstock.description.nodes.claims import DeviceClaim
from penstock.description.sharing import SharedDevices
from penstock.kubernetes.facts.device_software import DeviceSoftware
from penstock.kubernetes.facts.fabric_plugins import FabricPlugin
from penstock.kubernetes.facts.rdma_software import RdmaSoftware

HOSTNAME = "kubernetes.io/hostname"
"""The label that every node has a value of its own for: the last level of any topology."""

SWITCH = "ib/torset"
"""The InfiniBand switches that a node hangs on (Azure/ai-infrastructure-on-azure a01b073, torset labeler)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolNodes:
    """What every node of a pool has, as far as the description and the catalogue determine it.

    Attributes:
        pool: its name in the description.
        machine_type: None where no cloud names one.
        nodes: how many there are, at least and at most.
        selector: the labels by which pods choose this pool and no other.
        labels: all labels that are known beforehand, the selector's among them.
        taints: what pods must tolerate.
        accelerator: its name in the description, such as h100; None without any.
        resource: what pods request of accelerators, such as nvidia.com/gpu; `accelerators` is how many a node has.
        cores: of one accelerator, each of which a process of a training job drives; 0 where it does not train.
        accelerator_memory_gib: of one accelerator; None is "not known".
        fabric: what carries traffic between accelerators of different nodes, such as efa, infiniband or rdma.
        fabric_resource: what pods request of it; None where they get it otherwise. `fabric_devices` is how many.
        devices: what a node offers beside cpu and memory: accelerators, fabric, and devices of other makers.
        vcpu: of a node; None is "not known", as for `memory_gib`.
        cache_gib: local NVMe that holds what pods write and forget; 0 is "not known how much", None is "none".
        topology: labels from the widest level of the network to the single node.
        slice_hosts: how many nodes start and stop together, as a slice of TPUs does; 1 for nodes on their own.
        huge_pages_mib: of 2 MiB each that the fabric's driver takes of a pod.
        claims: what pods claim beside what they request, or in place of it.
        pod_annotations: what a pod that takes a whole node says to get the fabric's interfaces.
        node_directories: what pods mount of the node for the fabric, by where in the pod.
        bucket_annotations: what a pod says to mount buckets.
        identity_labels: what a pod says to act as the identity that the cloud gives its service account.
        plugin: the network library by which the accelerators use the fabric; None where they use none.
        nccl: its variables for the fabric; ConfigMaps of the namespace default and of each team also have them.
        topology_file: where accelerators and adapters are, in NCCL's XML, where machines do not show it.
        queued_hours: how long machines run at most that no pod starts, but a ProvisioningRequest; None for all others.
        runtime_class: the runtime class that pods with accelerators name; None where the default one finds them.
        software: who installs the software of the accelerators, and who offers them; None without any.
        rdma: who offers the adapters of the fabric, and how; None where the cloud's own components do.
        shared: how several pods share one accelerator, by the resource that they request; None where they do not.
        startup_taint: what keeps work off new nodes until they pass their test; None where nothing does.
    """

    pool: str
    machine_type: str | None
    nodes: Nodes
    capacity: Capacity
    selector: Mapping[str, str]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    accelerator: str | None = None
    accelerator_kind: AcceleratorKind | None = None
    accelerators: int = 0
    cores: int = 1
    resource: str | None = None
    accelerator_memory_gib: float | None = None
    fabric: str | None = None
    fabric_resource: str | None = None
    fabric_devices: int = 0
    devices: Mapping[str, int] = field(default_factory=dict)
    vcpu: int | None = None
    memory_gib: float | None = None
    cache_gib: int | None = None
    topology: tuple[str, ...] = (HOSTNAME,)
    slice_hosts: int = 1
    huge_pages_mib: int = 0
    claims: tuple[DeviceClaim, ...] = ()
    pod_annotations: Mapping[str, str] = field(default_factory=dict)
    node_directories: Mapping[str, str] = field(default_factory=dict)
    bucket_annotations: Mapping[str, str] = field(default_factory=dict)
    identity_labels: Mapping[str, str] = field(default_factory=dict)
    plugin: FabricPlugin | None = None
    nccl: Mapping[str, str] = field(default_factory=dict)
    topology_file: str | None = None
    queued_hours: int | None = None
    runtime_class: str | None = None
    software: DeviceSoftware | None = None
    rdma: RdmaSoftware | None = None
    shared: SharedDevices | None = None
    startup_taint: Taint | None = None

    @property
    def requested(self) -> Mapping[str, int]:
        """The devices that pods request as extended resources: all but those that they claim."""
        claimed = {claim.resource for claim in self.claims}
        return {name: count for name, count in self.devices.items() if name not in claimed}

    @property
    def share(self) -> PoolNodes:
        """What one pod takes of a node: all of it, or of shared accelerators one share, and as much of all else.

        A process of CUDA sees one slice of MIG, and device plugins hand out one share of a GPU to a pod (NVIDIA device
        plugin documentation, MPS; GKE documentation, GPU time-sharing). Shares have no fabric.
        """
        if self.shared is None or self.resource is None:
            return self
        count = self.accelerators * self.shared.parts
        return replace(
            self,
            nodes=Nodes(min=self.nodes.min * count, max=self.nodes.max * count),
            accelerators=1,
            devices={self.resource: 1},
            vcpu=self.vcpu and max(self.vcpu // count, 1),
            memory_gib=self.memory_gib and max(self.memory_gib / count, 1),
            cache_gib=self.cache_gib and max(self.cache_gib // count, 1),
            fabric=None,
            fabric_resource=None,
            fabric_devices=0,
            huge_pages_mib=0,
            claims=(),
            pod_annotations={},
            node_directories={},
            plugin=None,
            nccl={},
            topology_file=None,
            rdma=None,
        )

    @property
    def processes(self) -> int:
        """How many processes of a training job a node runs."""
        return self.accelerators * self.cores


def distinct_taints(*layers: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Return taints by key and effect; where several layers name one, the last layer's."""
    return tuple({(taint.key, taint.effect): taint for layer in layers for taint in layer}.values())

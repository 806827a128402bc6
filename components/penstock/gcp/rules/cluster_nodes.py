"""Node pools of GKE as pools of nodes."""

from __future__ import annotations

import re
from decimal import Decimal

from penstock.core.errors import UnknownFact
from penstock.core.quantities import GIB
from penstock.gcp.facts import fabrics, tpus
from penstock.gcp.model.gce import machine_named, type_of_config
from penstock.gcp.model.gke import GkePool, gke_pools
from penstock.gcp.rules import routers
from penstock.gcp.types import CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, ARCHITECTURES, kubelet_labels, taint_effect
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint, Registries

_DRIVERS = {"DEFAULT": "default", "LATEST": "latest"}
_NO_DRIVER = "INSTALLATION_DISABLED"
"""Nodes without GKE's driver lack its label, by which Google's installer finds them
(GoogleCloudPlatform/container-engine-accelerators 068b15a)."""

_GPU = "nvidia.com/gpu"
_TPU = "google.com/tpu"
_RESOURCES = {"gpu": _GPU, "tpu": _TPU}
_FOREIGN = ("vpc.amazonaws.com/efa", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore")
"""Devices that no machine of Google Cloud has."""

_NO_PLUGIN = "gke-no-default-nvidia-gpu-device-plugin"
"""A label that keeps GKE's device plugin off a pool."""

NEVER: frozenset[str] = frozenset()
"""The values of a label that GKE would set, and does not."""


def clusters(site: Site) -> list[View]:
    """The GKE clusters of a program, those that it only looks up included."""
    return [View(resource, site) for resource in site.graph.of_type(CONTAINER_CLUSTER)]


def version(cluster: View) -> str | None:
    """The version that a cluster starts with; None where its release channel chooses."""
    given = cluster.text("minMasterVersion")
    return given if given and given[0].isdigit() and "." in given.rstrip(".") else None


def first_nodes(cluster: View, _: str) -> list[View]:
    """The resources whose creation starts nodes for the pods of any namespace; as `offers`."""
    return [offer.pool for offer in offers(cluster)]


REGISTRIES = Registries(
    own=re.compile(r"([-a-z0-9]+\.)*gcr\.io|[-a-z0-9.]+\.pkg\.dev"),
    mirrored=frozenset({"docker.io"}),
    example="a repository of Artifact Registry",
)
"""What private nodes pull images from, by Private Google Access; Google's mirror has some images of Docker Hub."""


def has_way_out(cluster: View) -> bool:
    """Return whether nodes of a cluster reach what lies outside of Google Cloud.

    Raises:
        NotKnown: the network lies outside the program.
    """
    return routers.has_way_out(cluster)


def offers(cluster: View) -> list[NodeOffer]:
    """The node pools of a cluster.

    Raises:
        NotKnown: GKE creates nodes of its own choice in it, or the cluster of one of the pools is not known.
    """
    site = cluster.site
    autoscaling = cluster.block("clusterAutoscaling")
    if (
        cluster.resource.external
        or cluster.flag("enableAutopilot")
        or not (cluster.flag("removeDefaultNodePool") or cluster.count("nodePools"))
        or (autoscaling is not None and autoscaling.flag("enabled"))
    ):
        raise NotKnown
    beside = site.referrers(cluster, CONTAINER_NODE_POOL, "cluster")
    if len(beside) < len(site.of_type(CONTAINER_NODE_POOL)):
        raise NotKnown
    own = [pool for pool in gke_pools(cluster) if not pool.is_default]
    nodes = [_Node(pool) for pool in (*own, *(GkePool(view, view) for view in beside))]
    plain = any(node.kind is None for node in nodes)
    return [_offer(node, beside_plain=plain) for node in nodes]


class _Node:
    """The nodes of one pool: what the program says of them, and what the catalogue knows of their machine."""

    def __init__(self, pool: GkePool) -> None:
        self.gke, self.pool, self.view = pool, pool.block, pool.view
        self.config = pool.config or Block({}, "nodeConfig", pool.view)
        self.machine_type = type_of_config(self.config)
        self.machine = machine_named(self.machine_type)
        gpus = self.config.blocks("guestAccelerators")
        self.gpu = gpus[0] if gpus else None
        own = self.config.block("labels")
        self.labels = {key: own.text(key) or "" for key in own} if own is not None else {}

    @property
    def kind(self) -> str | None:
        """The kind of its accelerators, gpu or tpu; None for plain machines."""
        if self.gpu is not None:
            return "gpu"
        return self.machine.accelerator_kind if self.machine is not None else None

    @property
    def accelerator(self) -> str | None:
        """GKE's name of the accelerator."""
        given = self.gpu.text("type") if self.gpu is not None else None
        return given or (self.machine.label if self.machine is not None else None)

    @property
    def driver(self) -> str | None:
        """How GKE installs the GPU driver; None where the program leaves that to GKE."""
        found = self.gpu.block("gpuDriverInstallationConfig") if self.gpu is not None else None
        return found.text("gpuDriverVersion") if found is not None else None

    @property
    def shares_gpus(self) -> bool:
        """True where pods get parts of GPUs, so that a node offers more than it has."""
        return self.gpu is not None and ("gpuPartitionSize" in self.gpu or "gpuSharingConfig" in self.gpu)

    @property
    def topology(self) -> str | None:
        """The topology of the pool's slices; None where a policy outside the pool has it, or nothing is known.

        A single host takes none, and GKE derives it from the machine.
        """
        placement = self.pool.block("placementPolicy")
        if placement is not None and "tpuTopology" in placement:
            return placement.text("tpuTopology")
        if self.machine is None or (placement is not None and "policyName" in placement):
            return None
        known = tpus.topologies(self.machine)
        return next((each for each in known if not tpus.slice_(self.machine, each).multi_host), None)


def _offer(node: _Node, *, beside_plain: bool) -> NodeOffer:
    resource = _RESOURCES.get(node.kind or "")
    network = node.pool.block("networkConfig")
    networks = network.count("additionalNodeNetworkConfigs") if network is not None else 0
    wired = networks > 0 or (network is not None and "acceleratorNetworkProfile" in network)
    fabric = node.machine.fabric if wired and node.machine is not None else None
    return NodeOffer(
        pool=node.view,
        machine_type=node.machine_type,
        labels=_labels(node),
        label_domains=("google.com", "gke.io"),
        other_labels=False,
        taints=_taints(node, beside_plain=beside_plain),
        capacity=_capacity(node),
        count=_most(node),
        accelerators=resource,
        fabric=fabric,
        fabric_interfaces=_fabric_interfaces(fabric),
        networks=networks,
        slice_hosts=_slice_hosts(node),
        brings_plugin=resource == _TPU or (resource == _GPU and node.labels.get(_NO_PLUGIN) != "true"),
        brings_driver=resource is not None and node.driver != _NO_DRIVER,
        brings_toolkit=False,
        admits_requests=True,
    )


def _fabric_interfaces(fabric: str | None) -> int | None:
    """The interfaces of a fabric that a node has for its accelerators."""
    if fabric is None or fabric not in fabrics.fabric_names():
        return None
    return sum(group.interfaces for group in fabrics.find_fabric(fabric).groups if group.role == "accelerator")


def _labels(node: _Node) -> dict[str, frozenset[str] | None]:
    """The labels that GKE adds to those of the program; a label that it does not set has no value."""
    architectures = _only(ARCHITECTURES[node.machine.architecture]) if node.machine is not None else None
    system = _only("windows" if _system(node) == "windows" else "linux")
    zones = _zones(node)
    zone_names = frozenset(zones) if zones is not None else None
    gpu = _only(node.accelerator) if node.kind == "gpu" else NEVER
    tpu = _only(node.accelerator) if node.kind == "tpu" else NEVER
    spot, preemptible = node.config.flag("spot"), node.config.flag("preemptible")
    flexible = node.config.flag("flexStart")
    return {
        **kubelet_labels(
            architecture=architectures,
            operating_system=system,
            instance_type=frozenset({node.machine_type}),
            zone=zone_names,
        ),
        "cloud.google.com/gke-nodepool": _name(node),
        "cloud.google.com/gke-os-distribution": _only(_system(node)),
        "cloud.google.com/gke-accelerator": gpu,
        "cloud.google.com/gke-gpu-driver-version": (
            NEVER if node.kind != "gpu" or node.driver == _NO_DRIVER else _only(_DRIVERS.get(node.driver or ""))
        ),
        "cloud.google.com/gke-tpu-accelerator": tpu,
        "cloud.google.com/gke-tpu-topology": _only(node.topology) if node.kind == "tpu" else NEVER,
        "cloud.google.com/gke-spot": frozenset({"true"}) if spot else NEVER,
        "cloud.google.com/gke-preemptible": frozenset({"true"}) if preemptible else NEVER,
        "cloud.google.com/gke-flex-start": frozenset({"true"}) if flexible else NEVER,
        "cloud.google.com/gke-provisioning": (
            None if flexible else frozenset({"spot" if spot else "preemptible" if preemptible else "standard"})
        ),
        **{key: frozenset({value}) for key, value in node.labels.items()},
    }


def _system(node: _Node) -> str:
    """The operating system, as GKE labels it."""
    image = (node.config.text("imageType") or "COS").upper()
    return "windows" if "WINDOWS" in image else "ubuntu" if "UBUNTU" in image else "cos"


def _taints(node: _Node, *, beside_plain: bool) -> tuple[NodeTaint, ...]:
    """The taints of the program and of GKE, which keeps machines with accelerators or Arm for pods that ask."""
    given = [
        NodeTaint(taint.text("key") or "", taint.text("value") or "", taint_effect(taint.text("effect")))
        for taint in node.config.blocks("taints")
    ]
    added = []
    if node.kind == "tpu" or (node.kind == "gpu" and beside_plain):
        added.append(NodeTaint(_RESOURCES[node.kind], "present", "NoSchedule"))
    behavior = node.config.block("taintConfig")
    if (
        node.machine is not None
        and node.machine.architecture == "arm64"
        and (behavior is None or behavior.text("architectureTaintBehavior") != "NONE")
    ):
        added.append(NodeTaint(ARCHITECTURE, "arm64", "NoSchedule"))
    queued = node.pool.block("queuedProvisioning")
    if queued is not None and queued.flag("enabled"):
        added.append(NodeTaint("cloud.google.com/gke-queued", "true", "NoSchedule"))
    return (*given, *(taint for taint in added if taint.key not in {each.key for each in given}))


def _capacity(node: _Node) -> dict[str, Decimal | None]:
    capacity: dict[str, Decimal | None] = dict.fromkeys(_FOREIGN, Decimal(0))
    machine = node.machine
    if machine is None:
        return capacity | dict.fromkeys(("cpu", "memory", _GPU, _TPU))
    capacity["cpu"] = Decimal(machine.vcpu)
    capacity["memory"] = Decimal(machine.ram_gib) * GIB
    for kind, resource in _RESOURCES.items():
        capacity[resource] = Decimal(machine.accelerators if machine.accelerator_kind == kind else 0)
    if node.gpu is not None:
        count = node.gpu.integer("count")
        capacity[_GPU] = None if node.shares_gpus or count is None else Decimal(count)
    return capacity


def _most(node: _Node) -> int | None:
    """The most nodes of a pool; None where undetermined."""
    try:
        return node.gke.most()
    except NotKnown:
        return None


def _slice_hosts(node: _Node) -> int | None:
    if node.kind != "tpu":
        return 1
    if node.machine is None or node.topology is None:
        return None
    try:
        return tpus.slice_(node.machine, node.topology).hosts
    except UnknownFact:
        return None


def _zones(node: _Node) -> list[str] | None:
    """The zones of a pool; None where GKE chooses them, or they are not known."""
    try:
        return node.gke.zones()
    except NotKnown:
        return None


def _name(node: _Node) -> frozenset[str] | None:
    try:
        answered = node.view.outputs.text("name") if node.pool is node.view else None
        return _only(node.pool.text("name") or answered)
    except NotKnown:
        return None


def _only(value: str | None) -> frozenset[str] | None:
    return None if value is None else frozenset({value})

"""Node pools of AKS as pools of nodes."""

from __future__ import annotations

import re
from decimal import Decimal

from penstock.azure.facts.machines import AzureMachine
from penstock.azure.model.pools import AksPool, aks_pools, machine_of_size
from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.core.quantities import GIB
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.node_labels import ARCHITECTURES, kubelet_labels
from penstock.kubernetes.rules import karpenter_nodes, rdma_plugins
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint, Registries

_NVIDIA, _AMD = "nvidia.com/gpu", "amd.com/gpu"
_FOREIGN = ("vpc.amazonaws.com/efa", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "google.com/tpu")
"""Devices that no machine of Azure has."""

_SPOT = NodeTaint("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule")
"""What AKS keeps other pods off spot nodes with (AKS documentation, spot node pools)."""

_SYSTEM = NodeTaint("CriticalAddonsOnly", "true", "NoSchedule")
"""The taint of nodes that are provisioned for system pods."""

_CLOSED = frozenset({"none", "block"})
"""Ways out that are none (AKS documentation, network isolated clusters)."""

NEVER: frozenset[str] = frozenset()
"""The values of a label that AKS would set, and does not."""


def clusters(site: Site) -> list[View]:
    """The AKS clusters of a program, those that it only looks up included."""
    return [View(resource, site) for resource in site.graph.of_type(CONTAINERSERVICE_MANAGED_CLUSTER)]


def version(cluster: View) -> str | None:
    """The version of a cluster; None where AKS chooses."""
    return cluster.text("kubernetesVersion")


def first_nodes(cluster: View, _: str) -> list[View]:
    """The resources whose creation starts nodes for the pods of any namespace; as `offers`."""
    return [offer.pool for offer in offers(cluster)]


REGISTRIES = Registries(
    own=re.compile(r"[a-z0-9]+(-[a-z0-9]+)?\.azurecr\.(io|us|cn)"),
    mirrored=frozenset({"mcr.microsoft.com"}),
    example="a repository of Azure Container Registry",
)
"""What nodes without a way out pull images from, by a private endpoint; a cache in it has Microsoft's own images."""


def has_way_out(cluster: View) -> bool:
    """Return whether nodes of a cluster reach what lies outside of its network.

    Raises:
        NotKnown: routes lead to a machine that decides.
    """
    profile = cluster.block("networkProfile")
    way = ((profile.text("outboundType") if profile is not None else None) or "loadBalancer").casefold()
    if way == "userdefinedrouting":
        raise NotKnown
    return way not in _CLOSED


def offers(cluster: View) -> list[NodeOffer]:
    """The node pools of a cluster, in it and beside it.

    Raises:
        NotKnown: it or pools that start its nodes lie outside the program, or the cluster of a pool is not known.
    """
    site = cluster.site
    if cluster.resource.external:
        raise NotKnown
    beside = site.referrers(cluster, CONTAINERSERVICE_AGENT_POOL, "resourceName")
    if len(beside) < len(site.of_type(CONTAINERSERVICE_AGENT_POOL)):
        raise NotKnown
    pools = [_offer(pool) for pool in (*aks_pools(cluster), *(AksPool(view, view) for view in beside))]
    return [*pools, *_provisioned(cluster)]


def _provisioned(cluster: View) -> list[NodeOffer]:
    """The node pools that node auto-provisioning brings into a cluster (AKS documentation, default NodePools)."""
    profile = cluster.block("nodeProvisioningProfile")
    if profile is None or (profile.text("mode") or "").casefold() != "auto":
        return []
    if not karpenter_nodes.has_pools(cluster.site):
        raise NotKnown
    if (profile.text("defaultNodePools") or "Auto").casefold() != "auto":
        return []
    return [
        karpenter_nodes.built_in(cluster, "default", architectures=("amd64",), taints=()),
        karpenter_nodes.built_in(cluster, "system-surge", architectures=("amd64",), taints=(_SYSTEM,)),
    ]


def _offer(pool: AksPool) -> NodeOffer:
    size = next((named.name for named in pool.machine_types()), "")
    machine = machine_of_size(size)
    resource = _resource(machine)
    with_driver = resource == _NVIDIA and _driver(pool) != "none"
    return NodeOffer(
        pool=pool.view,
        machine_type=size,
        labels=_labels(pool, size, machine),
        label_domains=("azure.com",),
        other_labels=False,
        taints=_taints(pool),
        capacity=_capacity(pool, machine),
        count=_most(pool),
        accelerators=resource,
        fabric="infiniband" if machine is not None and machine.rdma else None,
        networks=0,
        slice_hosts=1,
        brings_plugin=False,
        brings_driver=with_driver,
        brings_toolkit=with_driver,
        admits_requests=True,
    )


def _resource(machine: AzureMachine | None) -> str | None:
    """What pods request of a machine's accelerators; None without any, and for a machine that the table lacks."""
    if machine is None or not machine.accelerators:
        return None
    return _AMD if (machine.accelerator or "").startswith("mi") else _NVIDIA


def _driver(pool: AksPool) -> str:
    """Who installs the driver of NVIDIA's GPUs: `install` for AKS, its default, and `none` for others."""
    profile = pool.block.block("gpuProfile")
    return ((profile.text("driver") if profile is not None else None) or "install").casefold()


def _labels(pool: AksPool, size: str, machine: AzureMachine | None) -> dict[str, frozenset[str] | None]:
    own = pool.block.block("nodeLabels")
    given = {key: own.text(key) or "" for key in own} if own is not None else {}
    architecture = frozenset({ARCHITECTURES[machine.architecture]}) if machine is not None else None
    system = frozenset({(pool.block.text("osType") or "Linux").casefold()})
    spot = pool.purchase() == "spot"
    zones = _zones(pool)
    nvidia = frozenset({"nvidia"}) if _resource(machine) == _NVIDIA else NEVER
    name = _name(pool)
    return {
        **kubelet_labels(
            architecture=architecture, operating_system=system, instance_type=frozenset({size}), zone=zones
        ),
        "agentpool": name,
        "kubernetes.azure.com/agentpool": name,
        "kubernetes.azure.com/mode": frozenset({"system" if pool.is_system else "user"}),
        "kubernetes.azure.com/scalesetpriority": frozenset({"spot"}) if spot else NEVER,
        "accelerator": nvidia,
        "kubernetes.azure.com/accelerator": None if machine is None or _resource(machine) == _AMD else nvidia,
        **{key: frozenset({value}) for key, value in given.items()},
    }


def _taints(pool: AksPool) -> tuple[NodeTaint, ...]:
    given = [_taint(each) for each in pool.block.texts("nodeTaints")]
    own = (_SPOT,) if pool.purchase() == "spot" and _SPOT.key not in {each.key for each in given} else ()
    return (*given, *own)


def _taint(written: str) -> NodeTaint:
    pair, _, effect = written.rpartition(":")
    key, _, value = pair.partition("=")
    return NodeTaint(key, value, effect)


def _capacity(pool: AksPool, machine: AzureMachine | None) -> dict[str, Decimal | None]:
    capacity: dict[str, Decimal | None] = dict.fromkeys(_FOREIGN, Decimal(0))
    if machine is None:
        return capacity | dict.fromkeys(("cpu", "memory", _NVIDIA, _AMD))
    capacity |= {"cpu": Decimal(machine.vcpu), "memory": Decimal(machine.ram_gib) * GIB}
    for each in rdma_plugins.advertised(pool.view.site):
        if not each.shared:
            capacity[each.resource] = Decimal(machine.infiniband_nics)
    for resource in (_NVIDIA, _AMD):
        capacity[resource] = Decimal(machine.accelerators if _resource(machine) == resource else 0)
    if "gpuInstanceProfile" in pool.block:
        capacity[_NVIDIA] = None  # pods get parts of GPUs, so that a node offers more than it has
    return capacity


def _most(pool: AksPool) -> int | None:
    try:
        return pool.most()
    except NotKnown:
        return None


def _zones(pool: AksPool) -> frozenset[str] | None:
    try:
        zones = pool.zones()
    except NotKnown:
        return None
    return frozenset(zones) if zones is not None else None


def _name(pool: AksPool) -> frozenset[str] | None:
    key = "agentPoolName" if pool.block is pool.view else "name"
    try:
        name = pool.block.text(key) or (pool.view.outputs.text("name") if pool.block is pool.view else None)
    except NotKnown:
        return None
    return frozenset({name}) if name else None

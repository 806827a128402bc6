"""Managed node groups of EKS as pools of nodes."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import replace
from decimal import Decimal

from penstock.aws.facts import ami_types
from penstock.aws.facts.ami_types import AmiType
from penstock.aws.facts.machines import AwsMachine
from penstock.aws.model.ec2 import Ec2Pool, instance_types_of, subnets_of, zones_of
from penstock.aws.model.launch_templates import efa_interfaces, template_of
from penstock.aws.rules import first_nodes as eks_first_nodes
from penstock.aws.rules import kubelet_settings, routes, self_managed
from penstock.aws.types import AUTOSCALING_GROUP, EKS_CLUSTER, EKS_FARGATE_PROFILE, EKS_NODE_GROUP
from penstock.core.errors import UnknownFact
from penstock.core.quantities import GIB
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts.device_software import find_software
from penstock.kubernetes.facts.node_labels import ARCHITECTURES, kubelet_labels, taint_effect
from penstock.kubernetes.rules import karpenter_nodes
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint, Registries

_OTHER_NODES = (EKS_FARGATE_PROFILE, AUTOSCALING_GROUP)
"""Resources that bring nodes outside of managed node groups."""

_SYSTEM = NodeTaint("CriticalAddonsOnly", "", "NoSchedule")
"""The taint of Auto Mode's pool for add-ons."""

_RESOURCES = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
_FABRIC = "vpc.amazonaws.com/efa"
_ETHERNET = "en"
"""Names that systemd gives interfaces by slot: ens5, enp73s0 (amazonlinux/amazon-linux-2023 issue 111)."""


def clusters(site: Site) -> list[View]:
    """The EKS clusters of a program, those that it only looks up included."""
    return [View(resource, site) for resource in site.graph.of_type(EKS_CLUSTER)] + [
        View(resource, site) for resource in site.graph if resource.type.startswith("eks:index:Cluster")
    ]


def version(cluster: View) -> str | None:
    """The minor version of a cluster; None where EKS chooses the newest."""
    return cluster.text("version")


def offers(cluster: View) -> list[NodeOffer]:
    """The node groups of a cluster, and the autoscaling groups whose machines join it by themselves.

    Raises:
        NotKnown: the cluster has nodes beside its node groups, or the cluster of one of them is not known.
    """
    site = cluster.site
    compute = cluster.block("computeConfig")
    if (
        cluster.resource.external
        or cluster.type != EKS_CLUSTER
        or site.of_type(EKS_FARGATE_PROFILE)
        or any(resource.type.startswith("eks:") for resource in site.graph)
        or (compute is not None and compute.flag("enabled") and not karpenter_nodes.has_pools(site))
    ):
        raise NotKnown
    groups = site.referrers(cluster, EKS_NODE_GROUP, "clusterName")
    if len(groups) < len(site.of_type(EKS_NODE_GROUP)):
        raise NotKnown
    themselves = [each for each in site.of_type(AUTOSCALING_GROUP) if _joins(each, cluster)]
    own = [*map(_offer, groups), *map(_of_self_managed, themselves)]
    return [*own, *(_of_auto_mode(cluster, name) for name in _automatic_pools(compute))]


def _automatic_pools(compute: Block | None) -> list[str]:
    """The node pools that EKS Auto Mode brings into a cluster."""
    return compute.texts("nodePools") if compute is not None and compute.flag("enabled") else []


def _of_auto_mode(cluster: View, name: str) -> NodeOffer:
    """A pool of Auto Mode (EKS user guide, built-in NodePools)."""
    is_system = name == "system"
    return karpenter_nodes.built_in(
        cluster,
        name,
        architectures=ARCHITECTURES.values() if is_system else ("amd64",),
        taints=(_SYSTEM,) if is_system else (),
    )


def first_nodes(cluster: View, namespace: str) -> list[View]:
    """The resources whose creation starts nodes for the pods of a namespace.

    Raises:
        NotKnown: something else may start nodes.
    """
    return eks_first_nodes.first_nodes(cluster, namespace)


REGISTRIES = Registries(
    own=re.compile(r"\d{12}\.dkr\.ecr\.[-a-z0-9]+\.amazonaws\.com(\.cn)?"),
    mirrored=frozenset(),
    example="a repository of ECR",
)
"""What nodes without a way out pull images from, by the interface endpoints of ECR."""


def has_way_out(cluster: View) -> bool:
    """Return whether some node of a cluster reaches what lies outside of its VPC.

    Raises:
        NotKnown: a node group, its subnets or their routes lie outside the program.
    """
    groups = cluster.site.referrers(cluster, EKS_NODE_GROUP, "clusterName")
    if not groups or cluster.site.of_type(*_OTHER_NODES):
        raise NotKnown
    return any(routes.has_way_out(subnet) for group in groups for subnet in subnets_of(group))


def _joins(starter: View, cluster: View) -> bool:
    """Return whether machines join a cluster; those that nothing is set up for at boot may do so by their image."""
    joined = self_managed.joined_cluster(starter)
    if joined is None and not self_managed.boot_texts(starter):
        raise NotKnown
    return joined is not None and joined.urn == cluster.urn


def _of_self_managed(starter: View) -> NodeOffer:
    """Machines of an autoscaling group, whose image may have any driver and plugin."""
    offer, settings = _offer(starter), kubelet_settings.read_settings(starter)
    return replace(
        offer,
        labels={
            **offer.labels,
            **dict.fromkeys(("eks.amazonaws.com/nodegroup", "eks.amazonaws.com/capacityType"), frozenset()),
            **{key: frozenset({value}) for key, value in settings.labels.items()},
        },
        other_labels=settings.other_labels,
        taints=None if settings.taints is None else tuple(NodeTaint(*taint) for taint in settings.taints),
    )


def _offer(group: View) -> NodeOffer:
    named = instance_types_of(group)
    machines = [each.machine for each in named]
    template = template_of(group)
    fabric = len(efa_interfaces(template)) if template is not None else 0
    ami = _ami(group)
    known = [machine for machine in machines if machine is not None]
    kinds = {machine.accelerator_kind for machine in known} if len(known) == len(machines) else {None}
    accelerators = _RESOURCES.get(str(kinds.pop())) if len(kinds) == 1 else None
    return NodeOffer(
        pool=group,
        machine_type=" or ".join(each.name for each in named),
        labels=_labels(group, [each.name for each in named], known if len(known) == len(machines) else [], ami),
        label_domains=("amazonaws.com", "k8s.aws"),
        other_labels=_kubelet_may_add_labels(template) or (template is not None and "imageId" in template),
        taints=tuple(
            NodeTaint(taint.text("key") or "", taint.text("value") or "", taint_effect(taint.text("effect")))
            for taint in group.blocks("taints")
        ),
        capacity=_capacity(known if len(known) == len(machines) else [], fabric),
        count=Ec2Pool(group, group).most(),
        accelerators=accelerators,
        fabric="efa" if fabric else None,
        networks=0,
        slice_hosts=1,
        brings_plugin=ami is not None
        and "gpu" in ami.accelerator_kinds
        and find_software("aws", "nvidia.com/gpu", ami.system).advertiser == "node",
        brings_driver=_brings_driver(ami, accelerators),
        brings_toolkit=ami is not None and "gpu" in ami.accelerator_kinds,
        admits_requests=False,
        ethernet=_ETHERNET if ami is not None and ami.system == "al2023" else "",
    )


def _labels(
    group: View, machine_types: list[str], machines: list[AwsMachine], ami: AmiType | None
) -> dict[str, frozenset[str] | None]:
    own = group.block("labels")
    given = {key: own.text(key) or "" for key in own} if own is not None else {}
    architectures = frozenset(ARCHITECTURES[machine.architecture] for machine in machines) or None
    system = None if ami is None or ami.system == "custom" else "windows" if ami.system == "windows" else "linux"
    systems = None if system is None else frozenset({system})
    types = frozenset(machine_types)
    zones = _zones(group)
    return {
        **kubelet_labels(architecture=architectures, operating_system=systems, instance_type=types, zone=zones),
        "eks.amazonaws.com/nodegroup": _name(group),
        "eks.amazonaws.com/capacityType": frozenset({group.text("capacityType") or "ON_DEMAND"}),
        **{key: frozenset({value}) for key, value in given.items()},
    }


def _zones(group: View) -> frozenset[str] | None:
    try:
        return frozenset(zones_of(group)) or None
    except NotKnown:
        return None


def _name(group: View) -> frozenset[str] | None:
    try:
        name = group.text("nodeGroupName") or group.outputs.text("nodeGroupName")
    except NotKnown:
        return None
    return frozenset({name}) if name else None


def _capacity(machines: list[AwsMachine], fabric: int) -> dict[str, Decimal | None]:
    """The most that any machine of the pool has; nothing is known of machines that the catalogue lacks."""
    capacity: dict[str, Decimal | None] = {_FABRIC: Decimal(fabric)}
    if not machines:
        return capacity | dict.fromkeys(("cpu", "memory", *_RESOURCES.values()))
    capacity["cpu"] = Decimal(max(machine.vcpu for machine in machines))
    capacity["memory"] = max(Decimal(machine.ram_gib) for machine in machines) * GIB
    for kind, resource in _RESOURCES.items():
        capacity[resource] = Decimal(
            max(machine.accelerators if machine.accelerator_kind == kind else 0 for machine in machines)
        )
    return capacity


def _ami(group: View) -> AmiType | None:
    name = group.text("amiType")
    try:
        return ami_types.find_ami_type(name) if name is not None else None
    except UnknownFact:
        return None


def _brings_driver(ami: AmiType | None, accelerators: str | None) -> bool | None:
    """Return whether an image has the driver; AWS' images without it are refused as such (aws-eks-ami-type-fits)."""
    kinds = ami.accelerator_kinds if ami is not None else ()
    return True if any(_RESOURCES[kind] == accelerators for kind in kinds) else None


def _kubelet_may_add_labels(template: View | None) -> bool:
    if template is None or "userData" not in template:
        return False
    try:
        return b"label" in base64.b64decode(template.text("userData") or "")
    except (NotKnown, binascii.Error):
        return True

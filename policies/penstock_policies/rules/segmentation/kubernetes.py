"""Segmentation on Kubernetes: which pods reach each other, and what the world reaches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, fail
from penstock.resources.view import Block, View
from penstock_policies import namespaces, open_world
from penstock_policies.checks import Absent, OneOf
from penstock_policies.helm_values import CHARTS, entries
from penstock_policies.namespaces import NAMESPACE
from penstock_policies.pods import WORKLOADS
from penstock_policies.rule import HIGH, LOW, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.SEGMENTATION)

_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
_SERVICE = "kubernetes:core/v1:Service"
_FOR_ALL = (
    "kubernetes:cilium.io/v2:CiliumClusterwideNetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy",
    "kubernetes:projectcalico.org/v3:GlobalNetworkPolicy",
    "kubernetes:crd.projectcalico.org/v1:GlobalNetworkPolicy",
)
_OF_NAMESPACE = {
    "kubernetes:cilium.io/v2:CiliumNetworkPolicy": "endpointSelector",
    "kubernetes:projectcalico.org/v3:NetworkPolicy": "selector",
    "kubernetes:crd.projectcalico.org/v1:NetworkPolicy": "selector",
}
"""Policies of one namespace in the language of a network plug-in, with what selects their pods."""
_ALL: tuple[Any, ...] = (None, "", "all()", {})
"""What selects all pods."""

_INTERNAL = {
    "service.beta.kubernetes.io/aws-load-balancer-scheme": ("internal",),
    "service.beta.kubernetes.io/aws-load-balancer-internal": ("true", "0.0.0.0/0"),
    "networking.gke.io/load-balancer-type": ("internal",),
    "cloud.google.com/load-balancer-type": ("internal",),
    "service.beta.kubernetes.io/azure-load-balancer-internal": ("true",),
}
"""Annotations, with the values by which a cloud makes a load balancer that only its own networks reach."""
_SCHEME = "service.beta.kubernetes.io/aws-load-balancer-scheme"
_TYPE = "service.beta.kubernetes.io/aws-load-balancer-type"
_RANGES = (
    "service.beta.kubernetes.io/load-balancer-source-ranges",
    "service.beta.kubernetes.io/azure-allowed-ip-ranges",
)
"""Annotations with ranges, as spec.loadBalancerSourceRanges has them."""
_INTERNAL_CLASSES = (
    "service.k8s.aws/nlb",
    "eks.amazonaws.com/nlb",
    "networking.gke.io/l4-regional-internal",
    "networking.gke.io/l4-regional-internal-legacy",
    "tailscale",
)
"""Controllers that make a load balancer internal unless they are told otherwise."""


@RULES.rule(
    "k8s-netpol-default-deny",
    on=NAMESPACE,
    reads=("metadata.name",),
    joins=True,
    weight=HIGH,
    why="Without one, each pod of the cluster reaches each pod of the namespace: a notebook of one team the database "
    "of another.",
    fix="Add a NetworkPolicy with an empty spec.podSelector and no spec.ingress to the namespace, and policies for "
    "what must come in; NCCL between pods needs one, too.",
    peers="CKV2_K8S_6 KSV-0038",
    cis=("EKS 4.3.2", "K8s 5.3.2"),
)
def _nothing_comes_in_by_default(namespace: View, _: Settings) -> Verdict:
    """A namespace has a network policy that lets nothing in but what others allow."""
    if namespace.site.of_type(*_FOR_ALL):
        return PASS  # one for the whole cluster may say it, and its language is its maker's
    if any(_is_of_all(policy) for policy in namespaces.inside(namespace, *_OF_NAMESPACE)):
        return PASS
    denied, doubt = False, False
    for policy in namespaces.inside(namespace, _POLICY):
        try:
            spec = _of_all_pods(policy)
            entries = [] if spec is None else [entry for entry in spec.blocks("ingress") if _is_open(entry)]
            if any(not entry.count("ports") for entry in entries):
                message = f"{policy.name} lets everybody in to all its pods, and no other policy takes that back"
                return fail(message, path="metadata.name")
            denied |= spec is not None and not entries
        except NotKnown:
            doubt = True
    if doubt:
        return UNKNOWN
    return allow(denied, "no NetworkPolicy of all its pods keeps others out", path="metadata.name")


def _is_of_all(policy: View) -> bool:
    spec = policy.block("spec")
    return spec is not None and spec.value(_OF_NAMESPACE[policy.type]) in _ALL


def _of_all_pods(policy: View) -> Block | None:
    """What a policy says of what comes in to all pods of its namespace; None where it is of some, or of going out."""
    spec = policy.block("spec")
    if spec is None:
        return None
    incoming = not spec.count("policyTypes") or "Ingress" in spec.texts("policyTypes")
    return spec if incoming and _selects_all(spec.block("podSelector")) else None


def _selects_all(selector: Block | None) -> bool:
    return selector is None or not any(selector.value(key) for key in ("matchLabels", "matchExpressions"))


def _is_open(entry: Block) -> bool:
    """Whether an entry is of everybody: it names nobody, every pod of every namespace, or the whole world."""
    if not entry.count("from"):
        return True
    peers = entry.blocks("from")
    ranges = [cidr for peer in peers if (block := peer.block("ipBlock")) is not None and (cidr := block.text("cidr"))]
    return open_world.open_range(ranges) is not None or any(_is_every_pod(peer) for peer in peers)


def _is_every_pod(peer: Block) -> bool:
    namespaces_ = peer.block("namespaceSelector")
    return namespaces_ is not None and _selects_all(namespaces_) and _selects_all(peer.block("podSelector"))


@RULES.rule(
    "k8s-svc-lb-internal",
    on=_SERVICE,
    reads=("spec.type", "spec.loadBalancerSourceRanges", "spec.loadBalancerClass", "metadata.annotations"),
    weight=HIGH,
    why="A LoadBalancer gets a public address unless told otherwise: an inference server or a dashboard is then on the "
    "internet, with whatever login it has.",
    fix="Set the cloud's annotation for an internal load balancer (aws-load-balancer-scheme: internal, "
    "networking.gke.io/load-balancer-type: Internal, azure-load-balancer-internal), or loadBalancerSourceRanges.",
)
def _load_balancer_is_internal(service: View, settings: Settings) -> Verdict:
    """A load balancer of a Service is internal, or open to named ranges only."""
    spec = service.block("spec")
    if spec is None or spec.text("type") != "LoadBalancer" or settings.parameters.public_load_balancers:
        return NOT_APPLICABLE
    if _are_narrow(spec.texts("loadBalancerSourceRanges")):
        return PASS
    metadata = service.block("metadata")
    annotations = None if metadata is None else metadata.block("annotations")
    told = Block({}, "metadata.annotations", service) if annotations is None else annotations
    is_inside = _is_internal(told, spec) or any(_are_narrow((told.text(key) or "").split(",")) for key in _RANGES)
    return allow(is_inside, "spec.type is LoadBalancer, and the world reaches it", path="spec.type")


def _are_narrow(ranges: list[str]) -> bool:
    """Whether ranges are given that leave most of the world out."""
    given = [each.strip() for each in ranges if each.strip()]
    return bool(given) and open_world.open_range(given) is None


def _is_internal(told: Block, spec: Block) -> bool:
    if any((told.text(key) or "").casefold() in values for key, values in _INTERNAL.items()):
        return True
    # AWS's own controller makes what it is in charge of internal, where no scheme says otherwise.
    by_default = spec.text("loadBalancerClass") in _INTERNAL_CLASSES or told.text(_TYPE) in ("external", "nlb-ip")
    return by_default and told.text(_SCHEME) is None


@RULES.rule(
    "k8s-helm-lb-internal",
    on=CHARTS,
    reads=("values",),
    weight=HIGH,
    why="What a chart puts behind a public address is often a dashboard or an API without a login of its own.",
    fix="Set the cloud's annotation for an internal load balancer, or loadBalancerSourceRanges, beside type in values; "
    "or leave type at ClusterIP.",
)
def _load_balancers_of_charts_are_internal(release: View, settings: Settings) -> Verdict:
    """A load balancer that the values of a chart ask for is internal, or open to named ranges only."""
    if settings.parameters.public_load_balancers:
        return NOT_APPLICABLE
    found = list(entries(release))
    asked_for = [each_.path for each_ in found if each_.key == "type" and each_.value == "LoadBalancer"]
    if not asked_for:
        return NOT_APPLICABLE
    values = Block(
        {each_.key: each_.value for each_ in found if not isinstance(each_.value, Mapping)}, "values", release
    )
    ranges = [
        each_.value for each_ in found if each_.key == "loadBalancerSourceRanges" and isinstance(each_.value, str)
    ]
    is_inside = _is_internal(values, values) or _are_narrow(ranges)
    return allow(is_inside, f"{asked_for[0]} is LoadBalancer, and the world reaches it", path=asked_for[0])


RULES.row(
    "k8s-svc-no-external-ip",
    "A Service claims no addresses of its own choice.",
    on=_SERVICE,
    check=Absent("spec.externalIPs"),
    weight=HIGH,
    why="Nodes then send what is meant for those addresses to the Service, be they anybody's: one team reads another's "
    "traffic (CVE-2020-8554).",
    fix="Remove spec.externalIPs, and let a load balancer give the address.",
    peers="KSV-0108",
)
RULES.row(
    "k8s-pv-no-hostpath",
    "A volume is no directory of a node.",
    on="kubernetes:core/v1:PersistentVolume",
    check=Absent("spec.hostPath"),
    weight=HIGH,
    why="A claim then mounts the node's file system past every rule on pods: kubelet's keys, the runtime's socket.",
    fix="Replace spec.hostPath by spec.csi, or by spec.local with the node's affinity for disks of the node.",
)
RULES.row(
    "k8s-ns-pss",
    "A namespace refuses privileged pods.",
    on=NAMESPACE,
    check=OneOf('metadata.labels."pod-security.kubernetes.io/enforce"', ("restricted", "baseline")),
    weight=HIGH,
    why="Whoever may make a pod in it may otherwise make a privileged one, and is root on a node with it.",
    fix="Set the label pod-security.kubernetes.io/enforce to restricted or baseline; pods that stand stay until they "
    "are made anew.",
    cis=("K8s 5.2.1†",),
)


@RULES.rule(
    "k8s-no-default-ns",
    on=WORKLOADS,
    reads=("metadata.namespace",),
    weight=LOW,
    why="Quotas, network policies and rights are given by namespace: what lies in default is under none of its own.",
    fix="Set metadata.namespace, or the namespace of the provider.",
    peers="CKV_K8S_21 KSV-0110",
    cis=("EKS 4.5.3",),
)
def _not_in_default(workload: View, _: Settings) -> Verdict:
    """A workload lies in a namespace of its own."""
    if workload.type.rpartition(":")[2].startswith("Cluster"):
        return NOT_APPLICABLE
    return allow(namespaces.of(workload) != "default", "metadata.namespace is default", path="metadata.namespace")

"""GPUDirect on GKE: pods that train together ask for the interfaces by which their GPUs reach each other."""

from __future__ import annotations

from decimal import Decimal

from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, fail
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules import gke_networks, landing
from penstock.kubernetes.rules.device_claims import claimed
from penstock.kubernetes.rules.node_offer import NodeOffer
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_CLASSES = ("mrdma.google.com", "netdev.google.com")
"""The device classes of GKE's network driver DRANET."""


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods run, and their GPUs communicate over fewer or slower interfaces.",
    fix=(
        "List all networks of the fabric in the annotation networking.gke.io/interfaces, or claim the devices in "
        "resourceClaims where the fabric uses claims."
    ),
    joins=True,
    sources=("GKE documentation, GPUDirect and multiple networks",),
)
def k8s_gke_pod_all_fabric_interfaces(pods: PodTemplate) -> Verdict:
    """Pods that train together on whole nodes with a fabric ask for all interfaces of that fabric."""
    if not (landing.span_nodes(pods) or gke_networks.interfaces(pods)) or pods.spec.flag("hostNetwork"):
        return NOT_APPLICABLE
    offer = landing.on_fabric(pods)
    if offer is None or offer.fabric_interfaces is None:
        return NOT_APPLICABLE
    wanted = _share(pods, offer, offer.fabric_interfaces)
    if not offer.networks:
        return _claims(pods, offer.fabric or "", wanted)
    asked = [
        each for each in gke_networks.interfaces(pods) or () if each.get("network") != gke_networks.DEFAULT_NETWORK
    ]
    return allow(
        len(asked) >= wanted,
        f"the pod asks for {len(asked)} interfaces beside its own, and its GPUs on {offer.machine_type} have {wanted}",
        hint=f"Name all of them in the annotation {gke_networks.ANNOTATION}.",
        path=pods.metadata.at("annotations") if pods.metadata is not None else pods.template.at("metadata"),
    )


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods are accepted, are on the network of the node, and get none of the interfaces.",
    fix="Leave hostNetwork out.",
    sources=("GKE documentation, set up multi-network support for pods",),
)
def k8s_gke_interfaces_no_host_network(pods: PodTemplate) -> Verdict:
    """Pods that ask for interfaces do not use hostNetwork."""
    if gke_networks.interfaces(pods) is None:
        return NOT_APPLICABLE
    return allow(
        not pods.spec.flag("hostNetwork"),
        "the pod asks for interfaces of its own, and is on the network of its node",
        path=pods.spec.at("hostNetwork"),
    )


def _claims(pods: PodTemplate, fabric: str, wanted: int) -> Verdict:
    """Return whether pods claim that many interfaces of a fabric."""
    path, classes = pods.spec.at("resourceClaims"), claimed(pods)
    counts = [classes[name] for name in _CLASSES if name in classes]
    if not counts:
        return fail(
            f"the interfaces of {fabric} are assigned by resource claims, and the pod has none",
            hint=f"Claim devices of the class {_CLASSES[0]}, or {_CLASSES[1]}, in resourceClaims.",
            path=path,
        )
    count = None if None in counts else sum(each_ or 0 for each_ in counts)
    return allow(
        count is None or count >= wanted,
        f"the pod claims {count} interfaces of {fabric}, and its GPUs have {wanted}",
        hint=f"Claim {wanted}.",
        path=path,
    )


def _share(pods: PodTemplate, offer: NodeOffer, interfaces: int) -> int:
    """The part of a node's interfaces that belongs to the accelerators of a pod."""
    accelerator = offer.accelerators or ""
    has = offer.capacity.get(accelerator)
    return interfaces if not has else int(interfaces * pods.requests.get(accelerator, Decimal(0)) // has)

"""Segmentation inside a Kubernetes cluster: whether a namespace is closed to the pods of others."""

from __future__ import annotations

from typing import Any

from penstock.model import namespaces
from penstock.model.endpoints import policy_clusters, policy_engine
from penstock.model.namespaces import NAMESPACE
from penstock.model.openings.addresses import open_range
from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Outcome, Verdict, allow, each, fail
from penstock.resources.view import Block, Site, View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
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
"""Selectors that select all pods."""
_FIRST_PORTS = range(1025)
_LAST_PORT = 65535
"""A range between them leaves out what no pod listens on without privileges."""


@RULES.rule(
    "k8s-netpol-default-deny",
    on=NAMESPACE,
    reads=("metadata.name",),
    joins=True,
    severity=MEDIUM,
    rationale=(
        "Without one, each pod of the cluster reaches each pod of the namespace: a notebook of one team the database "
        "of another."
    ),
    fix="Add a NetworkPolicy with an empty spec.podSelector and no spec.ingress to the namespace, and policies for "
    "what must come in; NCCL between pods needs one, too.",
    peers="C-0049 C-0054 C-0206",
    cis=("K8s 1.12: 5.3.2", "EKS 1.8: 4.3.2"),
)
def _nothing_comes_in_by_default(namespace: View, _: Settings) -> Verdict:
    """A namespace has a network policy that lets nothing in but what others allow."""
    others = [policy for policy in namespaces.objects_in(namespace, *_OF_NAMESPACE) if _is_of_all(policy)]
    said = _of_network_policies(namespace)
    if said.outcome is Outcome.FAIL and (others or namespace.site.of_type(*_FOR_ALL)):
        return UNKNOWN  # they may keep others out, and their language is their makers'
    return _of_engine(namespace) if said is PASS else said


def _of_engine(namespace: View) -> Verdict:
    """Judge the engine behind the policies of a namespace; reported once per cluster, at its first namespace."""
    site = namespace.site
    provider = site.graph.resources.get(namespace.resource.provider_urn)
    clusters = [] if provider is None else policy_clusters(View(provider, site))

    def check(cluster: View) -> Verdict:
        engine = policy_engine(cluster)
        if engine.name:
            return PASS
        if site.once(_first_namespaces).setdefault(cluster.urn, namespace.urn) != namespace.urn:
            return NOT_APPLICABLE
        message = f"the network policies of cluster {cluster.name} do not isolate {namespace.name}: {engine.reason}"
        return fail(message, hint=engine.fix, path=engine.path, urn=engine.urn)

    return each(clusters, check) if clusters else PASS


def _first_namespaces(_: Site) -> dict[str, str]:
    """The namespace at which each cluster without an engine is reported."""
    return {}


def _of_network_policies(namespace: View) -> Verdict:
    denied, undetermined = False, False
    for policy in namespaces.objects_in(namespace, _POLICY):
        try:
            spec = _of_all_pods(policy)
            entries = [] if spec is None else [entry for entry in spec.blocks("ingress") if _is_open(entry)]
            if any(_is_of_any_port(entry) for entry in entries):
                message = f"{policy.name} lets everybody in to all its pods, and no other policy takes that back"
                return fail(message, path="metadata.name")
            denied |= spec is not None and not entries
        except NotKnown:
            undetermined = True
    if undetermined:
        return UNKNOWN
    return allow(denied, "no NetworkPolicy of all its pods keeps others out", path="metadata.name")


def _is_of_all(policy: View) -> bool:
    spec = policy.block("spec")
    return spec is not None and spec.value(_OF_NAMESPACE[policy.type]) in _ALL


def _of_all_pods(policy: View) -> Block | None:
    """Return the ingress rules of a policy for all pods of its namespace; None where it is of some pods or egress."""
    spec = policy.block("spec")
    if spec is None:
        return None
    incoming = not spec.count("policyTypes") or "Ingress" in spec.texts("policyTypes")
    return spec if incoming and _selects_all(spec.block("podSelector")) else None


def _selects_all(selector: Block | None) -> bool:
    return selector is None or not any(selector.value(key) for key in ("matchLabels", "matchExpressions"))


def _is_open(entry: Block) -> bool:
    """Return whether an entry is of everybody: it names nobody, every pod of every namespace, or the whole world."""
    if not entry.count("from"):
        return True
    peers = entry.blocks("from")
    ranges = [cidr for peer in peers if (block := peer.block("ipBlock")) is not None and (cidr := block.text("cidr"))]
    return open_range(ranges) is not None or any(_is_every_pod(peer) for peer in peers)


def _is_of_any_port(entry: Block) -> bool:
    """Return whether an entry bounds no ports: it names none, or one of its ports is all of a protocol."""
    ports = entry.blocks("ports")
    return not ports or any(
        port.value("port") is None or (port.value("port") in _FIRST_PORTS and port.number("endPort") == _LAST_PORT)
        for port in ports
    )


def _is_every_pod(peer: Block) -> bool:
    namespaces_ = peer.block("namespaceSelector")
    return namespaces_ is not None and _selects_all(namespaces_) and _selects_all(peer.block("podSelector"))

"""Segmentation inside a Kubernetes cluster: whether a namespace is closed to the pods of others."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Outcome, Verdict, allow, each, fail
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.model.endpoints import policy_clusters, policy_engine
from penstock.model.openings.addresses import networks_of, open_range
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
    on=NAMESPACE,
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
def k8s_netpol_default_deny(namespace: View, _: Settings) -> Verdict:
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


_PORTS_OF_DATA = frozenset((1433, 1521, 2379, 3306, 5432, 6333, 6379, 7687, 8123, 9042, 9200, 11211, 19530, 27017))
"""Ports of databases, of caches and of stores of vectors."""
_METADATA = ip_address("169.254.169.254")
_LINK_LOCAL = 16
"""The length of the prefix of 169.254.0.0/16."""
_IDENTITY_OF_GKE = 'metadata.annotations."iam.gke.io/gcp-service-account"'


@RULES.rule(
    on=_POLICY,
    joins=True,
    severity=MEDIUM,
    rationale=(
        "One broken pod anywhere in the cluster reaches every port of these pods, and a database has only its password "
        "left."
    ),
    fix="Name the callers in namespaceSelector (kubernetes.io/metadata.name) and podSelector of from, and the ports in "
    "ports.",
    sources=(
        "Kubernetes docs, network policies <https://kubernetes.io/docs/concepts/services-networking/network-policies/>",
    ),
)
def k8s_netpol_no_every_pod(policy: View, _: Settings) -> Verdict:
    """A network policy admits the pods of all namespaces to a few ports only, and to no database."""
    spec = policy.block("spec")
    if spec is None or (namespaces.is_of_program(policy) and _selects_all(spec.block("podSelector"))):
        return NOT_APPLICABLE  # k8s-netpol-default-deny judges policies for a whole namespace

    def one(entry: Block) -> Verdict:
        if entry.count("from") and not any(_is_every_pod(peer) for peer in entry.blocks("from")):
            return PASS
        data = [port.value("port") for port in entry.blocks("ports") if port.value("port") in _PORTS_OF_DATA]
        if data:
            reached = f"port {data[0]}"
        elif _is_of_any_port(entry):
            reached = "any port"
        else:
            return PASS
        return fail(f"{entry.at('from')} admits every pod of the cluster to {reached}", path=entry.at("from"))

    return each(spec.blocks("ingress"), one)


@RULES.rule(
    on=_POLICY,
    joins=True,
    severity=MEDIUM,
    rationale=(
        "A pod that is broken into asks the metadata server for the node's credentials, and acts as the node in the "
        "cloud."
    ),
    fix="Remove the ipBlock, or add 169.254.0.0/16 to its except, and give pods an identity of their own. On GKE, "
    "whose pods get theirs from that address, exempt the policy.",
    sources=(
        (
            "EKS best practices, restrict access to the instance profile "
            "<https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html>"
        ),
        (
            "GKE docs, network policy and Workload Identity Federation "
            "<https://cloud.google.com/kubernetes-engine/docs/how-to/network-policy>"
        ),
    ),
)
def k8s_netpol_no_metadata(policy: View, _: Settings) -> Verdict:
    """No network policy opens a way to the nodes' metadata server, outside of GKE."""
    if policy.site.once(_is_on_google):
        return NOT_APPLICABLE

    def one(block: Block) -> Verdict:
        networks = networks_of(block.text("cidr") or "")
        if not any(_METADATA in network and network.prefixlen >= _LINK_LOCAL for network in networks):
            return NOT_APPLICABLE  # k8s-netpol-egress-named judges wide ranges
        left_out = [network for text in block.texts("except") for network in networks_of(text)]
        message = f"{block.at('cidr')} is {block.text('cidr')}, which has the metadata server"
        return allow(any(_METADATA in network for network in left_out), message, path=block.at("cidr"))

    return each(policy.blocks_at("spec.egress[].to[].ipBlock"), one)


def _is_on_google(site: Site) -> bool:
    """Return whether a program has resources of Google Cloud, or pods that get their identity from GKE."""
    if any(resource.type.startswith("gcp:") for resource in site.graph):
        return True
    accounts = site.of_type("kubernetes:core/v1:ServiceAccount")
    return any(place.value is not None for account in accounts for place in account.locations(_IDENTITY_OF_GKE))

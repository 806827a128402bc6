"""Segmentation on Kubernetes: ports of nodes, policies that admit the whole internet, and namespaces made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, asked, each, fail
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts.custom_kinds import is_custom
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.kubernetes.model.pods.containers import WORKLOADS, label_paths, makes_pods
from penstock.model.openings.addresses import open_range
from penstock.rules.checks import IsNot, NoneOf, OneOf
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_SERVICE = "kubernetes:core/v1:Service"
_CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
_OTHER_POLICIES = (
    "kubernetes:cilium.io/v2:CiliumClusterwideNetworkPolicy",
    "kubernetes:cilium.io/v2:CiliumNetworkPolicy",
    "kubernetes:crd.projectcalico.org/v1:GlobalNetworkPolicy",
    "kubernetes:crd.projectcalico.org/v1:NetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    "kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy",
    "kubernetes:projectcalico.org/v3:GlobalNetworkPolicy",
    "kubernetes:projectcalico.org/v3:NetworkPolicy",
)
_ENFORCED = 'metadata.labels."pod-security.kubernetes.io/enforce"'
_SYSTEM = ("kube-system", "kube-public", "kube-node-lease")
_DAEMON_SET = "kubernetes:apps/v1:DaemonSet"

RULES.row(
    "k8s-svc-no-nodeport",
    "A Service opens no port on every node.",
    on=_SERVICE,
    check=IsNot("spec.type", value="NodePort"),
    severity=LOW,
    rationale=(
        "Each node answers on that port, whatever network policies say of the pods: a firewall that admits the range "
        "30000-32767 publishes it."
    ),
    fix="Set spec.type to ClusterIP, and reach the pods by an Ingress or a Gateway whose load balancer has pods as "
    "targets.",
    peers="KICS:845acfbe",
)


@RULES.rule(
    on=_POLICY,
    severity=MEDIUM,
    rationale="A load balancer or a node port then leads anyone to these pods, past what other policies keep out.",
    fix="Name the ranges of load balancers and clients in cidr; where it shall be public, set the parameter "
    "public_load_balancers.",
    peers="KUBE-0001",
)
def k8s_netpol_no_world(policy: View, settings: Settings) -> Verdict:
    """No network policy admits the whole internet."""
    if settings.parameters.public_load_balancers:
        return NOT_APPLICABLE
    return each(policy.blocks_at("spec.ingress[].from[].ipBlock"), _is_narrow)


@RULES.rule(
    on=_POLICY,
    severity=LOW,
    rationale="A pod that is broken into sends prompts, weights and tokens anywhere.",
    fix="Name the ranges in cidr, or lead the traffic through a proxy that knows names.",
    peers="KUBE-0002",
)
def k8s_netpol_egress_named(policy: View, _: Settings) -> Verdict:
    """No network policy lets pods reach the whole internet."""
    return each(policy.blocks_at("spec.egress[].to[].ipBlock"), _is_narrow)


def _is_narrow(block: Block) -> Verdict:
    cidr = block.text("cidr")
    if cidr is None:
        return NOT_APPLICABLE
    return allow(open_range([cidr]) is None, f"{block.at('cidr')} is {cidr}", path=block.at("cidr"))


@RULES.rule(
    on=WORKLOADS,
    joins=True,
    severity=MEDIUM,
    rationale="Each pod of the cluster reaches the ports of these pods, and they reach whatever their nodes reach.",
    fix="Add a NetworkPolicy to the namespace that selects the pods, or create the namespace with its policies.",
    peers="CKV2_K8S_6 C-0030 C-0260",
)
def k8s_netpol_covers_pods(workload: View, _: Settings) -> Verdict:
    """A workload in a namespace that the program does not create has a network policy there."""
    if not _lies_in_a_namespace(workload) or namespaces.is_of_program(workload):
        return NOT_APPLICABLE  # k8s-netpol-default-deny judges namespaces of the program
    home = namespaces.namespace_of(workload)
    if home in _SYSTEM or home in workload.site.once(_namespaces):
        return NOT_APPLICABLE
    beside, perhaps = namespaces.objects_beside(workload, _POLICY)
    said = [asked(lambda policy: _covers(policy, workload), it) for it in beside]
    if PASS in said:
        return PASS
    if home != "default" or perhaps or UNKNOWN in said or workload.site.of_type(*_OTHER_POLICIES):
        return UNKNOWN  # policies may come with the namespace; only default exists without anyone who creates it
    return fail(f"no NetworkPolicy selects its pods in namespace {home}", path="metadata.namespace")


def _lies_in_a_namespace(workload: View) -> bool:
    """Return whether an object makes pods in its own namespace, as the runtimes of a whole cluster do not."""
    return makes_pods(workload) and not workload.type.rpartition(":")[2].startswith("Cluster")


def _covers(policy: View, workload: View) -> Verdict:
    """Return whether a policy selects the pods of a workload in its namespace."""
    selector = policy.block("spec.podSelector")
    if selector is None:
        return PASS
    wanted = selector.block("matchLabels")
    if selector.count("matchExpressions"):
        return UNKNOWN
    if wanted is None or not list(wanted):
        return PASS
    places = [place for path in label_paths(workload) for place in workload.locations(path) if place.value is not None]
    labels = [workload.within(place) for place in places]
    if not labels and is_custom(workload.type):
        return UNKNOWN  # its operator gives the labels
    selects = any(all(own.text(key) == wanted.text(key) for key in wanted) for own in labels)
    return PASS if selects else NOT_APPLICABLE


def _namespaces(site: Site) -> frozenset[str]:
    """The names of the namespaces that a program creates, where they are known."""

    def names() -> Iterator[str]:
        for namespace in site.of_type(NAMESPACE):
            try:
                yield namespaces.name_of(namespace)
            except NotKnown:
                continue

    return frozenset(names())


@RULES.rule(
    on=WORKLOADS,
    severity=LOW,
    rationale=(
        "Accounts, Secrets and priorities of the control plane are within reach there, and policies usually spare the "
        "namespace."
    ),
    fix="Set metadata.namespace to a namespace of the workload's own; agents of nodes may stay.",
    peers="KSV-0037 KICS:611ab018",
)
def k8s_no_system_ns(workload: View, _: Settings) -> Verdict:
    """Only agents of nodes are in the namespaces of the system."""
    if workload.type == _DAEMON_SET or not _lies_in_a_namespace(workload):
        return NOT_APPLICABLE
    try:
        home = namespaces.namespace_of(workload)
    except NotKnown:
        return PASS if namespaces.is_of_program(workload) else UNKNOWN
    return allow(home not in _SYSTEM, f"the workload is in the namespace {home}", path="metadata.namespace")


RULES.row(
    "k8s-ns-pss-restricted",
    "A namespace enforces the level restricted.",
    on=NAMESPACE,
    check=OneOf(_ENFORCED, ("restricted",)),
    severity=LOW,
    rationale="The level baseline admits pods that run as root, with the capabilities that a runtime gives by default.",
    fix="Set the label pod-security.kubernetes.io/enforce to restricted where no pod needs IPC_LOCK or hostPath; to "
    "see what would be refused, set warn first.",
    peers="C-0197 C-0198 C-0200 C-0201",
    cis=("K8s 1.12: 5.2.6", "K8s 1.12: 5.2.7", "K8s 1.12: 5.2.8", "K8s 1.12: 5.2.9", "K8s 1.12: 5.2.10"),
)
RULES.row(
    "k8s-nginx-snippets-off",
    "The controller of NGINX takes no snippets from Ingresses.",
    on=(_CONFIG_MAP, f"{_CONFIG_MAP}Patch"),
    check=NoneOf('data."allow-snippet-annotations"', ("true", True)),
    severity=MEDIUM,
    rationale=(
        "Whoever may create an Ingress then runs code in the controller, and reads the Secrets of all namespaces with "
        "its token (CVE-2021-25742)."
    ),
    fix='Set allow-snippet-annotations to "false" in data, which is the default since 1.9.',
    peers="C-0059",
)

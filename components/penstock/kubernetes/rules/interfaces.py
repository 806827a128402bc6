"""Network interfaces of pods: the variables that name them select one that the pod has."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.kubernetes.facts.interface_variables import InterfaceVariable, interface_variables
from penstock.kubernetes.model.pods.templates import PodTemplate, texts
from penstock.kubernetes.rules import gangs, gke_networks, landing, nodes, variables
from penstock.kubernetes.rules.types import EKS_ADDON, EKS_CLUSTER
from penstock.kubernetes.rules.variables import Setting
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_OWN = "eth0"
"""The interface name of a pod with its own network (CNI, CNI_IFNAME)."""

_LOOPBACK = "lo"
_MULTUS = "k8s.v1.cni.cncf.io/networks"
_NCCL = "NCCL_SOCKET_IFNAME"
_COMMON = ("lo", "docker", "virbr", "veth")
"""Interfaces that NCCL leaves out by itself, and one that lists for any network exclude."""

_AGENT = "eks-pod-identity-agent"
_LINK = "pod-id-link0"
"""The interface of the EKS Pod Identity agent on each node; its address reaches no other node."""


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale="The library finds no interface to meet the other processes on, and the job fails or hangs at its start.",
    fix="Name an interface of the pod, which is eth0 unless the pod asks for more, or leave the variable out.",
    joins=True,
    sources=(
        "NCCL user guide, environment variables",
        "NCCL source, src/misc/socket.cc",
        "CNI specification, CNI_IFNAME",
        "amazonlinux/amazon-linux-2023 issue 111",
        "aws/deep-learning-containers issue 4756",
        "aws-samples/aws-do-eks pull request 51",
    ),
)
def k8s_pod_interface_exists(workload: View) -> Verdict:
    """Variables such as NCCL_SOCKET_IFNAME select an interface of the pod, and not only the loopback interface."""
    return gangs.judged(workload, _exists)


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale="NCCL may connect to the address of that interface, which reaches no other node, and the job hangs.",
    fix="Add pod-id-link0 to the interfaces that NCCL_SOCKET_IFNAME excludes, or name the interface of the node.",
    joins=True,
    sources=("aws-samples/aws-do-eks pull request 54",),
)
def k8s_nccl_excludes_pod_identity(workload: View) -> Verdict:
    """On EKS nodes with the Pod Identity agent, pods on hostNetwork keep NCCL off the interface of the agent."""
    return gangs.judged(workload, _excludes_agent)


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale=(
        "The list was made for the interfaces of a node, so it selects no interface of the pod on purpose. On a node's "
        "network it misses newer ones, such as pod-id-link0 on EKS, over which jobs hang."
    ),
    fix="Leave the variable out, or set it to eth0.",
    joins=True,
    sources=("NCCL user guide, environment variables", "aws-samples/aws-do-eks pull request 54"),
)
def k8s_nccl_exclusions_of_pod(workload: View) -> Verdict:
    """Pods on a fabric with a network of their own exclude no interfaces from NCCL that only nodes have."""
    return gangs.judged(workload, _excludes_its_own)


def _exists(pods: PodTemplate) -> Verdict:
    found = _settings(pods)
    if not found:
        return NOT_APPLICABLE
    if pods.spec.flag("hostNetwork"):
        return each(found, lambda pair: _selects_of_node(pods, *pair))
    return each(found, lambda pair: _selects(pods, *pair))


def _selects_of_node(pods: PodTemplate, variable: InterfaceVariable, setting: Setting) -> Verdict:
    """Return whether a value may select an interface of the node, by how the node's system calls all of them."""
    value, pools = setting.value, landing.pools(pods)
    ethernet = pools[0].ethernet if len({pool.ethernet for pool in pools}) == 1 else ""
    if value is None or value.startswith("^") or "/" in value or not ethernet:
        raise NotKnown(setting.path)
    exact = variable.form != "prefixes" or value.startswith("=")
    items = [item.strip() for item in value.removeprefix("=").split(",")]
    if not exact and any(ethernet.startswith(item) for item in items if item):
        return PASS
    if any(item.startswith(ethernet) for item in items):
        raise NotKnown(setting.path)  # the rest of a name depends on the machine
    return fail(
        f"{setting.name} is {value}, and interfaces of nodes with Amazon Linux 2023 are called {ethernet}..., as ens5",
        hint=f"Leave it out, or set it to {'the name on the machine' if exact else ethernet}.",
        path=setting.path,
    )


def _selects(pods: PodTemplate, variable: InterfaceVariable, setting: Setting) -> Verdict:
    value, has = setting.value, names_of(pods)
    if value is None or has is None:
        raise NotKnown(setting.path)
    selected = variable.selected(value, has | {_LOOPBACK})
    if selected is None:
        raise NotKnown(setting.path)
    path = setting.path
    if not selected:
        return fail(
            f"{setting.name} is {value}, and the interfaces of the pod are {', '.join(sorted(has))}",
            hint=f"Set it to {_OWN}, or leave it out.",
            path=path,
        )
    if _LOOPBACK in selected and (selected == {_LOOPBACK} or value.startswith("^")):
        return allow(
            not landing.span_nodes(pods),
            f"{setting.name}={value} selects the loopback interface, which reaches no other pod",
            hint=f"Set it to {_OWN}." if selected == {_LOOPBACK} else f"Exclude {_LOOPBACK} too: ^{_LOOPBACK}.",
            path=path,
        )
    return PASS


def _excludes_agent(pods: PodTemplate) -> Verdict:
    excluding = [
        (variable, setting)
        for variable, setting in _settings(pods)
        if setting.name == _NCCL and (setting.value is None or setting.value.startswith("^"))
    ]
    if not excluding or not pods.spec.flag("hostNetwork") or not landing.span_nodes(pods):
        return NOT_APPLICABLE
    cluster = nodes.cluster(pods.workload)
    if cluster.type != EKS_CLUSTER:
        return NOT_APPLICABLE
    names = [addon.text("addonName") for addon in cluster.site.referrers(cluster, EKS_ADDON, "clusterName")]
    if _AGENT not in names:
        return NOT_APPLICABLE

    def leaves_it_out(pair: tuple[InterfaceVariable, Setting]) -> Verdict:
        variable, setting = pair
        if setting.value is None:
            raise NotKnown(setting.path)
        return allow(
            not variable.selected(setting.value, frozenset({_LINK})),
            f"{_NCCL}={setting.value} leaves in {_LINK}, the interface of the Pod Identity agent",
            hint=f"Add {_LINK} to the list.",
            path=setting.path,
        )

    return each(excluding, leaves_it_out)


def _excludes_its_own(pods: PodTemplate) -> Verdict:
    found = [pair for pair in _settings(pods) if pair[1].name == _NCCL]
    if not found or pods.spec.flag("hostNetwork") or not landing.span_nodes(pods) or not landing.fabric_of(pods):
        return NOT_APPLICABLE

    def names_its_own(pair: tuple[InterfaceVariable, Setting]) -> Verdict:
        (variable, setting), has = pair, names_of(pods)
        if setting.value is None or has is None:
            raise NotKnown(setting.path)
        if not setting.value.startswith("^") or not variable.selected(setting.value, has):
            return PASS  # a list that leaves nothing is reported by another rule
        names = [name for name in setting.value.lstrip("^=").split(",") if not name.startswith(_COMMON)]
        missing = [name for name in names if not any(each_.startswith(name) for each_ in has)]
        return allow(
            not missing,
            f"{_NCCL} excludes {', '.join(missing)}, which only nodes have; the pod has {', '.join(sorted(has))}",
            hint=f"Leave it out, or set it to {_OWN}.",
            path=setting.path,
        )

    return each(found, names_its_own)


def _settings(pods: PodTemplate) -> list[tuple[InterfaceVariable, Setting]]:
    """The variables of containers that name interfaces."""
    known = interface_variables()
    return [
        (known[setting.name], setting)
        for container in pods.containers
        for setting in variables.settings(pods, container)
        if setting.name in known
    ]


def names_of(pods: PodTemplate) -> frozenset[str] | None:
    """The interfaces of pods with a network of their own, without loopback; None where others add some to it."""
    annotations = texts(pods.metadata, "annotations")
    if _MULTUS in annotations or "resourceClaims" in pods.spec:
        return None
    asked = gke_networks.interfaces(pods) or []
    return frozenset({_OWN, *(str(each_["interfaceName"]) for each_ in asked if "interfaceName" in each_)})

"""Devices of a fabric in pods: who works together across nodes requests them, and may lock memory for them."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from decimal import Decimal

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, each, fail
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts import device_classes
from penstock.kubernetes.model.pods.containers import containers_as_run
from penstock.kubernetes.model.pods.templates import PodTemplate, requested, texts
from penstock.kubernetes.rules import gangs, landing, nodes, rdma_plugins
from penstock.kubernetes.rules.device_claims import claimed
from penstock.kubernetes.rules.types import CONFIG_MAP, DAEMON_SET
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TITLES = {"efa": "EFA", "infiniband": "InfiniBand"}
_MULTUS = "k8s.v1.cni.cncf.io/networks"
"""An annotation by which an admission webhook may add requests for devices (network-resources-injector)."""

_LOCKS = frozenset({"IPC_LOCK", "CAP_IPC_LOCK", "ALL"})
_LIMIT = "memlock"
"""Scripts that raise the limit of a node name it: LimitMEMLOCK of containerd's unit, memlock of limits.conf."""


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale="The pods run, their traffic between nodes goes over TCP, and the fabric of the nodes lies idle.",
    fix=(
        "Request the devices of the fabric: vpc.amazonaws.com/efa on EFA, or the resource that the RDMA device plugin "
        "advertises, such as rdma/ib, on InfiniBand."
    ),
    joins=True,
    sources=("EKS user guide, EFA", "Azure/aks-rdma-infiniband", "NVIDIA/aicr, fabric-attached training"),
)
def k8s_fabric_devices_requested(workload: View) -> Verdict:
    """Pods that work together on several nodes with a fabric request devices of the fabric."""
    return gangs.judged(workload, _requests_devices)


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale=(
        "The container may lock 8 MiB at most, adapters cannot register its buffers, and NCCL fails or falls back to "
        "TCP."
    ),
    fix="Add IPC_LOCK to securityContext.capabilities.add of the container, and run it as root.",
    joins=True,
    sources=(
        "NVIDIA/aicr, fabric-attached training",
        "Azure/aks-rdma-infiniband",
        "NVIDIA/nvidia-container-toolkit issue 2037",
        "kubernetes/kubernetes issue 56374",
    ),
)
def k8s_rdma_memory_lockable(workload: View) -> Verdict:
    """Containers with InfiniBand or RoCE devices may lock memory: by IPC_LOCK as root, or a limit of the node."""
    return gangs.judged(workload, _locks_memory)


def _requests_devices(pods: PodTemplate) -> Verdict:
    offer = landing.across_nodes(pods) if landing.users(pods) else None
    if offer is None or offer.fabric_interfaces is not None:
        return NOT_APPLICABLE  # another rule counts interfaces
    devices = [name for name, amount in pods.requests.items() if amount and _is_device(name, offer.fabric)]
    if devices or any(_is_privileged(container) for container in pods.spec.blocks("containers")):
        return PASS
    if _MULTUS in texts(pods.metadata, "annotations"):
        raise NotKnown
    classes = claimed(pods)
    if any(_is_device(device_classes.resource_of(name) or "", offer.fabric) for name in classes):
        return PASS
    if not all(device_classes.is_known(name) for name in classes):
        raise NotKnown  # it may be a class of adapters, or of anything else
    title = _TITLES.get(offer.fabric or "", offer.fabric)
    return fail(
        f"the pods work together on nodes of {offer.pool.name}, which have {title}, and request none of its devices",
        hint=_how_to_request(pods, offer.fabric),
        path=pods.spec.at("containers"),
    )


def _is_device(resource: str, fabric: str | None) -> bool:
    """Return whether a resource may be a fabric's device: on InfiniBand the plugin's configuration names it."""
    if fabric == "efa":
        return resource == landing.EFA
    return "/" in resource and resource not in landing.OVER_FABRIC


def _how_to_request(pods: PodTemplate, fabric: str | None) -> str:
    if fabric == "efa":
        return f"Request {landing.EFA}, as many as belong to the accelerators of the pod."
    advertised = rdma_plugins.advertised(pods.workload.site)
    if advertised:
        return f"Request {advertised[0].resource}."
    return "Install an RDMA device plugin, such as with NVIDIA's network operator, and request what it advertises."


def _locks_memory(pods: PodTemplate) -> Verdict:
    containers = [pods.spec.within(place) for place in containers_as_run(pods.spec, ("initContainers", "containers"))]
    found = [each_ for each_ in containers if any(_is_rdma(pods, name) for name, value in _devices(each_) if value)]
    if not found:
        return NOT_APPLICABLE
    return each(found, lambda container: _may_lock(pods.workload, container))


def _devices(container: Block) -> ItemsView[str, Decimal]:
    return requested(container).items()


def _is_rdma(pods: PodTemplate, resource: str) -> bool:
    named = {each_.resource for each_ in rdma_plugins.advertised(pods.workload.site)}
    return resource.startswith(landing.RDMA) or resource in named


def _may_lock(workload: View, container: Block) -> Verdict:
    security = container.block("securityContext")
    if security is not None and security.flag("privileged"):
        return PASS
    capabilities = security.block("capabilities") if security is not None else None
    adds = capabilities is not None and not _LOCKS.isdisjoint(name.upper() for name in capabilities.texts("add"))
    user = security.integer("runAsUser") if security is not None else None
    others = bool(user) or (user is None and security is not None and bool(security.flag("runAsNonRoot")))
    if adds and not others:
        return PASS
    if workload.site.once(_raise_limit):
        return PASS
    if not any(offer.fabric == "infiniband" for offer in nodes.offers(workload)):
        raise NotKnown  # whose nodes these are says nothing of the limit
    if adds:
        return fail(
            f"the container runs as {f'user {user}' if user else 'another user than root'}, whose processes do not get "
            "the added IPC_LOCK",
            hint="Run the container as root, or raise LimitMEMLOCK of containerd on the nodes.",
            path=container.at("securityContext"),
        )
    return fail(
        "the container has RDMA devices and may not lock memory for them",
        hint="Add IPC_LOCK to securityContext.capabilities.add.",
        path=container.at("securityContext"),
    )


def _raise_limit(site: Site) -> bool:
    """Return whether something in the program sets up the limit of locked memory on nodes, such as a DaemonSet."""
    return any(
        _LIMIT in text.casefold()
        for resource in site.graph.of_type(DAEMON_SET, CONFIG_MAP)
        for text in _texts(resource.inputs)
    )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _is_privileged(container: Block) -> bool:
    security = container.block("securityContext")
    return security is not None and bool(security.flag("privileged"))

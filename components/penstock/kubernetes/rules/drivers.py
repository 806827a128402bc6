"""Drivers of accelerators: each node has one owner of its driver, which is its image, its cloud or an installer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, each, fail
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts import device_plugins, driver_installers
from penstock.kubernetes.facts.charts import HELM_CHARTS, RELEASE
from penstock.kubernetes.facts.driver_installers import DriverInstaller
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules import advertisers, inventory, landing, matching, nodes, releases
from penstock.kubernetes.rules.advertisers import Advertiser
from penstock.kubernetes.rules.node_offer import NodeOffer
from penstock.kubernetes.rules.types import DAEMON_SET
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_OPT_OUT = ("nvidia.com/gpu.deploy.operands", "nvidia.com/gpu.deploy.driver")
"""Labels by which a node keeps the GPU Operator, or its driver, off (NVIDIA GPU Operator, installation)."""

_VERSION = "cloud.google.com/gke-gpu-driver-version"
_SYSTEM = "cloud.google.com/gke-os-distribution"
_WITHOUT_OPERATOR_DRIVER = frozenset({"cos"})
"""Systems that the GPU Operator builds no driver for (GKE documentation, NVIDIA GPU Operator)."""

_SUSPECTS = ("nvidia", "gpu", "amd", "rocm", "driver", "cuda")
"""Words in the names of charts that may install a driver."""

_OPAQUE = ("kubernetes:yaml", "kubernetes:kustomize", "command:")
"""Types of resources whose objects in the cluster no input shows."""

_DRIVER_OBJECTS = ("kubernetes:nvidia.com/v1alpha1:NVIDIADriver", "kubernetes:amd.com/v1alpha1:DeviceConfig")


@RULES.rule(
    on=(RELEASE, DAEMON_SET),
    severity=HIGH,
    rationale=(
        "Without the driver, the device plugin finds no accelerator on the node, and pods that request one stay "
        "Pending."
    ),
    fix=(
        "Let the cloud install the driver (AKS: gpuProfile.driver Install; GKE: gpuDriverVersion DEFAULT), or set "
        "driver.enabled of the GPU Operator to true."
    ),
    joins=True,
    sources=(
        "AKS documentation, skip GPU driver installation",
        "AKS documentation, use AMD GPUs",
        "GKE documentation, run GPUs: disabled driver installation",
        "GKE documentation, NVIDIA GPU Operator",
    ),
)
def k8s_accelerator_driver_installed(view: View) -> Verdict:
    """Nodes whose devices a plugin advertises have the driver from their cloud, their image or an installer."""
    resources = {mine.resource for mine in advertisers.made_by(view) if _speaks(mine)}
    offers = [offer for offer in nodes.offers(view) if offer.accelerators in resources] if resources else []
    path = "chart" if view.type == RELEASE else "spec.template.spec.containers"
    return each(offers, lambda offer: _has_driver(view, offer, path))


@RULES.rule(
    on=(RELEASE, DAEMON_SET),
    severity=MEDIUM,
    rationale="Two installers replace each other's kernel modules and libraries, and GPUs disappear from running pods.",
    fix="Keep one installer for each pool, or select the pools that need it by a label.",
    joins=True,
    sources=("GKE documentation, run GPUs: disabled driver installation", "GKE documentation, NVIDIA GPU Operator"),
)
def k8s_accelerator_driver_once(view: View) -> Verdict:
    """An installer of drivers runs on no node that gets the driver from its cloud or from another installer."""
    known, _ = view.site.once(_installers).get(inventory.server(view), ([], frozenset()))
    mine = next((each_ for each_ in known if each_.view.urn == view.urn), None)
    if mine is None:
        return NOT_APPLICABLE
    others = [other for other in known if other.facts.resource == mine.facts.resource and other.view.urn < view.urn]
    offers = [offer for offer in nodes.offers(view) if offer.accelerators == mine.facts.resource]
    return each(offers, lambda offer: _is_only_one(mine, others, offer))


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "GKE advertises the accelerators of a pool by itself, but without the driver no node has any, so the pods stay "
        "Pending."
    ),
    fix="Set gpuDriverVersion of the pool to DEFAULT, or install a driver from the program.",
    joins=True,
    sources=("GKE documentation, run GPUs: disabled driver installation",),
)
def k8s_pod_driver_installed(pods: PodTemplate) -> Verdict:
    """Pods find the driver of their accelerators on a node, where the cloud advertises these without a plugin."""
    wanted = advertisers.DEVICES & {name for name, amount in pods.requests.items() if amount}
    offers = [offer for offer in landing.pools(pods) if offer.accelerators in wanted] if wanted else []
    if not offers or any(not offer.brings_plugin for offer in offers):
        return NOT_APPLICABLE
    if any(advertisers.of(pods.workload, resource) for resource in wanted):
        return NOT_APPLICABLE  # judged at what advertises
    verdicts = [_has_driver(pods.workload, offer, pods.spec.at("containers")) for offer in offers]
    return next((verdict for verdict in verdicts if verdict is PASS), verdicts[0])


def _is_only_one(mine: _Installer, others: list[_Installer], offer: NodeOffer) -> Verdict:
    runs = _runs_on(mine, offer)
    if runs is False:
        return PASS
    if mine.pods is not None and _is_installed_by_cloud(offer):  # of the GPU Operator, another rule speaks
        owner = "their cloud or image"
    else:
        found = [(_runs_on(other, offer), other) for other in others]
        if any(reached is None for reached, _ in found):
            raise NotKnown
        owner = next((other.view.name for reached, other in found if reached), "")
    if not owner:
        return PASS
    if runs is None:
        raise NotKnown
    return fail(
        f"the nodes of {offer.pool.name} get a driver from {owner} already",
        hint="Keep one of the two, or keep this one off these nodes by a label.",
        path="chart" if mine.pods is None else "spec.template.spec",
    )


def _runs_on(installer: _Installer, offer: NodeOffer) -> bool | None:
    """Return whether an installer runs on the nodes of a pool, as `_reaches`, with the taints of the GPU Operator."""
    plugin = device_plugins.plugin_of_chart(installer.facts.name) if installer.pods is None else None
    if plugin is not None and advertisers.untolerated(installer.view, plugin, offer):
        return False
    return _reaches(installer, offer)


def _is_installed_by_cloud(offer: NodeOffer) -> bool:
    """Return whether nodes surely get a driver; GKE decides by its version where the pool does not say."""
    if not offer.brings_driver:
        return False
    if _VERSION in offer.labels and offer.labels[_VERSION] is None:
        raise NotKnown
    return True


def _has_driver(view: View, offer: NodeOffer, path: str) -> Verdict:
    if offer.brings_driver:
        return PASS
    known, others = view.site.once(_installers).get(inventory.server(view), ([], frozenset()))
    reached = [_reaches(each, offer) for each in known if each.facts.resource == offer.accelerators]
    if True in reached:
        return PASS
    if None in reached or offer.brings_driver is None or offer.accelerators in others:
        raise NotKnown
    if view.site.once(_may_hide_installers):
        raise NotKnown
    off = _is_operator(view) and all(each.view.urn != view.urn for each in known)
    return fail(
        f"nothing installs a driver for {offer.accelerators} on {offer.pool.name}: its nodes start without one, and "
        f"{'driver.enabled is false' if off else 'no installer runs there'}",
        hint="Set driver.enabled to true, or let the cloud install the driver." if off else _advice(offer),
        path="values.driver.enabled" if off else path,
    )


def _advice(offer: NodeOffer) -> str:
    if _systems(offer) & _WITHOUT_OPERATOR_DRIVER:
        return "Set gpuDriverVersion to DEFAULT, or install Google's driver installer, a DaemonSet."
    return "Let the cloud install the driver, or install an operator that does."


def _speaks(mine: Advertiser) -> bool:
    """Return whether an advertiser is the one of its resource at which a missing driver is reported."""
    every = advertisers.of(mine.view, mine.resource)
    return (
        min(every, key=lambda each: (each.chart != advertisers.GPU_OPERATOR, each.view.urn)).view.urn == mine.view.urn
    )


def _is_operator(view: View) -> bool:
    return view.type == RELEASE and releases.chart(view) == advertisers.GPU_OPERATOR


class _Installer(NamedTuple):
    """A chart or a DaemonSet that installs drivers, with the pods of the latter."""

    view: View
    facts: DriverInstaller
    pods: PodTemplate | None


def _reaches(installer: _Installer, offer: NodeOffer) -> bool | None:
    """Return whether an installer installs the driver on the nodes of a pool; None where undetermined."""
    if installer.pods is not None:
        if matching.untolerated(offer, installer.pods):
            return False
        return matching.has_labels(offer, installer.pods.spec)
    if installer.facts.name != advertisers.GPU_OPERATOR:
        return True
    return not opts_out(offer) and not _systems(offer) & _WITHOUT_OPERATOR_DRIVER


def opts_out(offer: NodeOffer) -> bool:
    """Return whether the labels of a pool keep the GPU Operator's driver off its nodes."""
    return any(offer.labels.get(label) == frozenset({"false"}) for label in _OPT_OUT)


def _systems(offer: NodeOffer) -> frozenset[str]:
    return offer.labels.get(_SYSTEM) or frozenset()


def _installers(site: Site) -> dict[str, tuple[list[_Installer], frozenset[str]]]:
    """For each cluster, the installers of drivers, and the resources whose drivers something else may install."""
    found: dict[str, tuple[list[_Installer], set[str]]] = {}
    for view in _candidates(site):
        known, others = found.setdefault(inventory.server(view), ([], set()))
        try:
            for installer in _of_chart(view) if view.type in HELM_CHARTS else _of_daemon_set(view):
                if isinstance(installer, _Installer):
                    known.append(installer)
                else:
                    others.add(installer)
        except NotKnown:
            others |= advertisers.DEVICES
        except TypeMismatch:
            continue
    return {server: (known, frozenset(others)) for server, (known, others) in found.items()}


def _may_hide_installers(site: Site) -> bool:
    return any(resource.type.startswith((*_OPAQUE, *_DRIVER_OBJECTS)) for resource in site.graph)


def _candidates(site: Site) -> list[View]:
    return site.of_type(*HELM_CHARTS, DAEMON_SET)


def _of_chart(view: View) -> Iterator[_Installer | str]:
    """The installer that a chart is; the resources whose drivers it may install where that is not known."""
    chart = releases.chart(view)
    facts = driver_installers.installer_of_chart(chart)
    if facts is None:
        if not advertisers.is_known_chart(chart) and any(word in chart for word in _SUSPECTS):
            yield from advertisers.DEVICES
        return
    given = releases.value(view, facts.enabled_by) if facts.enabled_by is not None else None
    if given is None and facts.default is None:
        yield facts.resource
    elif given is True or (given is None and facts.default):
        yield _Installer(view, facts, None)


def _of_daemon_set(view: View) -> Iterator[_Installer | str]:
    """The installer that a DaemonSet is; a privileged one may install any driver."""
    for pods in templates(view):
        found = [driver_installers.installer_of_image(_name_of_image(each)) for each in pods.containers]
        facts = next((each for each in found if each is not None), None)
        if facts is not None:
            yield _Installer(view, facts, pods)
        elif any(map(_is_privileged, pods.containers)):
            yield from advertisers.DEVICES


def _name_of_image(container: Block) -> str:
    return (container.text("image") or "").partition("@")[0].rpartition("/")[2].partition(":")[0]


def _is_privileged(container: Block) -> bool:
    security = container.block("securityContext")
    return security is not None and security.flag("privileged") is True

"""Device plugins: one advertiser for each device, on every node that has it, at a version that works there."""

from __future__ import annotations

from penstock.core import versions
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import View
from penstock.kubernetes.facts import device_plugins
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules import advertisers, drivers, nodes, releases
from penstock.kubernetes.rules.advertisers import Advertiser
from penstock.kubernetes.rules.node_offer import NodeOffer
from penstock.kubernetes.rules.types import DAEMON_SET
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GPU = "nvidia.com/gpu"
_GPU_PRESENT = "nvidia.com/gpu.present"
_FABRIC = "vpc.amazonaws.com/efa"

_NVIDIA_PLUGIN = "nvidia-device-plugin"
_EFA_PLUGIN = "aws-efa-k8s-device-plugin"
_FINDS_NODES_BY_LABEL_SINCE = (0, 17, 0)
_TAKES_EFA_DEVICES = ((0, 19, 0), (0, 19, 3))
"""From the first of these versions of NVIDIA's plugin to before the second, MOFED is on by default."""
_COUNTS_P6_RIGHT = (0, 5, 10)
"""The first version of the EFA plugin's chart that counts eight devices on p6-b200, and not ten."""


@RULES.rule(
    on=(RELEASE, DAEMON_SET),
    severity=HIGH,
    rationale="Two advertisers hand out the same device twice, to two pods.",
    fix=(
        "Keep a single advertiser; with the GPU Operator, set devicePlugin.enabled to false or leave the other plugin "
        "out."
    ),
    joins=True,
    sources=(
        "NVIDIA GPU Operator, platform support",
        "AICR documentation on AKS: two advertisers admit too many pods",
        "EKS user guide, manage EFA devices",
    ),
)
def k8s_device_single_advertiser(view: View) -> Verdict:
    """Each device of a node is advertised by a single device plugin or driver."""
    mine = list(advertisers.made_by(view))
    if not mine:
        return NOT_APPLICABLE
    return together(_alone(advertiser) for advertiser in mine)


@RULES.rule(
    on=RELEASE,
    severity=MEDIUM,
    rationale="The release is accepted, and two plugins compete for the GPUs of the same nodes.",
    fix=(
        "Leave the plugin out, set devicePlugin.enabled to false in the GPU Operator, or on GKE label the node pool "
        "gke-no-default-nvidia-gpu-device-plugin=true."
    ),
    joins=True,
    sources=("EKS user guide, Bottlerocket accelerated AMIs", "GKE documentation, NVIDIA GPU Operator"),
)
def k8s_gpu_plugin_not_in_image(release: View) -> Verdict:
    """No GPU device plugin is installed for nodes whose image brings one, such as Bottlerocket and GKE."""
    if not any(advertiser.resource == _GPU for advertiser in advertisers.made_by(release)):
        return NOT_APPLICABLE
    offers = _with_gpus(release)
    if not offers:
        return NOT_APPLICABLE
    own = [offer for offer in offers if offer.brings_plugin]
    if own and any(releases.has_value(release, path) for path in ("affinity", "nodeSelector")):
        raise NotKnown
    return allow(
        not own,
        f"the nodes of {own[0].pool.name if own else ''} advertise their GPUs already",
        hint="Leave the plugin out, or with the GPU Operator set devicePlugin.enabled to false; on GKE, the label "
        "gke-no-default-nvidia-gpu-device-plugin=true on the pool keeps GKE's own plugin off.",
        path="chart",
    )


@RULES.rule(
    on=RELEASE,
    severity=MEDIUM,
    rationale=(
        "The release is accepted, and the operator installs a second driver or toolkit beside the one of the image."
    ),
    fix="Set driver.enabled to false, and toolkit.enabled to false where the node image has the toolkit too.",
    joins=True,
    sources=(
        "EKS user guide, accelerated AMIs",
        "GKE documentation, NVIDIA GPU Operator",
        "NVIDIA GPU Operator, installation with pre-installed drivers",
    ),
)
def k8s_gpu_operator_driver_off(release: View) -> Verdict:
    """The GPU Operator installs no driver and no container toolkit on nodes whose image has them."""
    if releases.chart(release) != advertisers.GPU_OPERATOR:
        return NOT_APPLICABLE
    offers = [offer for offer in _with_gpus(release) if not drivers.opts_out(offer)]
    owned = [offer for offer in offers if offer.brings_driver]
    if not owned:
        return NOT_APPLICABLE
    if len(owned) < len(offers):
        owned = [offer for offer in owned if _is_tolerated(release, offer)]
        if not owned:
            return PASS
        return allow(
            not releases.flag(release, "driver.enabled", default=True),
            f"driver.enabled is on, and the nodes of {owned[0].pool.name} have another driver already",
            hint=f"Label {owned[0].pool.name} nvidia.com/gpu.deploy.operands=false, and give it a device plugin.",
            path="values.driver.enabled",
        )
    there = ["driver.enabled"]
    if all(offer.brings_toolkit for offer in owned):
        there.append("toolkit.enabled")
    return each(there, lambda path: _off(release, path))


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale=(
        "The plugin does not run on the nodes of that pool, so they advertise no devices and pods that request them "
        "stay Pending."
    ),
    fix="Set the tolerations of the chart to [{operator: Exists}].",
    joins=True,
    sources=("Values and templates of the charts in catalog/data/device_plugins.csv",),
)
def k8s_device_plugin_tolerates_taints(release: View) -> Verdict:
    """A device plugin tolerates the taints of every node pool that has its devices."""
    found = [advertiser for advertiser in advertisers.made_by(release) if advertiser.plugin is not None]
    if not found:
        return NOT_APPLICABLE
    return each(found, _tolerates)


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="The plugin runs on no node of the pool, so the GPUs are not advertised.",
    fix="Set gfd.enabled to true, or label the node pool nvidia.com/gpu.present=true.",
    joins=True,
    sources=("NVIDIA/k8s-device-plugin 0.20.0, values.yaml: affinity",),
)
def k8s_nvidia_plugin_node_labels(release: View) -> Verdict:
    """GPU node pools have the label that NVIDIA's device plugin selects, or feature discovery adds it."""
    if releases.chart(release) != _NVIDIA_PLUGIN:
        return NOT_APPLICABLE
    version = versions.exact(release.text("version"))
    if version is not None and version < _FINDS_NODES_BY_LABEL_SINCE:
        return NOT_APPLICABLE
    if any(releases.has_value(release, path) for path in ("affinity", "nodeSelector")):
        return NOT_APPLICABLE
    if releases.flag(release, "gfd.enabled", default=False) or _discovers_features(release):
        return PASS
    offers = _with_gpus(release)
    lacking = [offer for offer in offers if offer.labels.get(_GPU_PRESENT) != frozenset({"true"})]
    if any(offer.other_labels for offer in lacking):
        raise NotKnown
    if not offers:
        return NOT_APPLICABLE
    return allow(
        not lacking,
        f"the plugin runs on no node of {lacking[0].pool.name if lacking else ''}: they lack the label {_GPU_PRESENT}",
        hint=f"Set gfd.enabled to true, or label the pool {_GPU_PRESENT}=true.",
        path="values.gfd.enabled",
    )


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="The plugin mounts every RDMA device into pods with GPUs, which conflicts with the EFA device plugin.",
    fix="Use version 0.19.3 or newer, or set mofedEnabled to false.",
    joins=True,
    sources=("NVIDIA/k8s-device-plugin issue 1692",),
)
def k8s_nvidia_plugin_leaves_efa(release: View) -> Verdict:
    """On nodes with EFA, NVIDIA's device plugin has a version or setting that does not mount EFA devices."""
    version = versions.exact(release.text("version")) if releases.chart(release) == _NVIDIA_PLUGIN else None
    if version is None:
        return NOT_APPLICABLE
    first, fixed = _TAKES_EFA_DEVICES
    if not first <= version < fixed or releases.value(release, "mofedEnabled") is False:
        return PASS
    return allow(
        not any(offer.fabric == "efa" for offer in nodes.offers(release)),
        f"version {release.text('version')} takes every RDMA device, those of EFA included",
        hint="Use 0.19.3 or newer, or set mofedEnabled to false.",
        path="version",
    )


@RULES.rule(
    on=RELEASE,
    severity=MEDIUM,
    rationale=(
        "An older plugin advertises ten EFA devices on a node with eight, and NCCL fails in pods that get a device of "
        "another kind."
    ),
    fix="Set version to v0.5.10 or newer.",
    joins=True,
    sources=("sagemaker-hyperpod-cli pull request 282", "The EKS user guide names 0.5.6"),
)
def k8s_efa_plugin_version_p6(release: View) -> Verdict:
    """On nodes of p6-b200, the EFA device plugin has version v0.5.10 or newer."""
    version = versions.exact(release.text("version")) if releases.chart(release) == _EFA_PLUGIN else None
    if version is None:
        return NOT_APPLICABLE
    if version >= _COUNTS_P6_RIGHT:
        return PASS
    return allow(
        not any("p6-b200" in offer.machine_type for offer in nodes.offers(release)),
        f"version {release.text('version')} offers ten EFA devices on p6-b200, which has eight",
        hint="Use v0.5.10 or newer.",
        path="version",
    )


def _alone(mine: Advertiser) -> Verdict:
    others = [each for each in advertisers.of(mine.view, mine.resource) if each.view.urn < mine.view.urn]
    return each(others, lambda other: _apart(mine, other)) if others else PASS


def _apart(mine: Advertiser, other: Advertiser) -> Verdict:
    """Judge two advertisers of one resource: they run on no node together."""
    pools = _pools_of(mine)
    shared = [_both(advertisers.reaches(mine, pool), advertisers.reaches(other, pool)) for pool in pools]
    if pools and not any(shared):
        if None in shared:
            raise NotKnown
        return PASS
    if not pools and (mine.chooses_nodes or other.chooses_nodes):
        raise NotKnown
    where = next((pool.pool.name for pool, both in zip(pools, shared, strict=True) if both), None)
    return fail(
        f"{other.view.name} ({other.chart}) advertises {mine.resource} on the same nodes"
        f"{f', those of {where}' if where is not None else ''}",
        hint=f"Keep one of them; with the GPU Operator, devicePlugin.enabled decides who advertises {_GPU}.",
        path="chart" if mine.view.type == RELEASE else "spec.template.spec.containers",
    )


def _pools_of(mine: Advertiser) -> list[NodeOffer]:
    """The pools with the devices of an advertiser; none where they are not known."""
    try:
        return [offer for offer in nodes.offers(mine.view) if _has(offer, mine.resource)]
    except NotKnown:
        return []


def _both(first: bool | None, second: bool | None) -> bool | None:  # noqa: FBT001 - two answers of three values
    return False if False in (first, second) else None if None in (first, second) else True


def _with_gpus(release: View) -> list[NodeOffer]:
    return [offer for offer in nodes.offers(release) if offer.accelerators == _GPU]


def _off(release: View, path: str) -> Verdict:
    return allow(
        not releases.flag(release, path, default=True),
        f"{path} is on, and each GPU node brings its own",
        hint=f"Set {path} to false.",
        path=f"values.{path}",
    )


def _tolerates(advertiser: Advertiser) -> Verdict:
    release, plugin = advertiser.view, advertiser.plugin
    assert plugin is not None  # noqa: S101 - only plugins come here
    offers = [offer for offer in nodes.offers(release) if _has(offer, plugin.resource) and not offer.brings_plugin]
    offers = [offer for offer in offers if not _is_served_by_others(advertiser, offer)]
    if not offers:
        return NOT_APPLICABLE
    for offer in offers:
        for taint in advertisers.untolerated(release, plugin, offer):
            return fail(
                f"the plugin does not tolerate {taint}, so that {offer.pool.name} offers no {plugin.resource}",
                hint=f"Set {plugin.tolerations_at} to [{{operator: Exists}}].",
                path=f"values.{plugin.tolerations_at}",
            )
    return PASS


def _is_served_by_others(advertiser: Advertiser, offer: NodeOffer) -> bool:
    """Return whether another advertiser of the same resource runs on a pool."""
    every = advertisers.of(advertiser.view, advertiser.resource)
    return any(advertisers.reaches(each, offer) for each in every if each.view.urn != advertiser.view.urn)


def _is_tolerated(release: View, offer: NodeOffer) -> bool:
    """Return whether the daemons of the GPU Operator tolerate the taints of a pool."""
    plugin = device_plugins.plugin_of_chart(advertisers.GPU_OPERATOR)
    return plugin is not None and not advertisers.untolerated(release, plugin, offer)


def _has(offer: NodeOffer, resource: str) -> bool:
    return offer.fabric == "efa" if resource == _FABRIC else offer.accelerators == resource


def _discovers_features(release: View) -> bool:
    """Return whether feature discovery labels nodes: by itself, or as part of another chart."""
    charts = [releases.chart(other) for other in release.site.of_type(RELEASE)]
    return releases.flag(release, "nfd.enabled", default=False) or any(
        chart in ("node-feature-discovery", advertisers.GPU_OPERATOR, "gpu-feature-discovery", "network-operator")
        for chart in charts
    )

"""Advertisers of devices to Kubernetes: device plugins, by chart or by hand, and drivers that take claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.facts import device_classes, device_plugins
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.facts.device_plugins import DevicePlugin
from penstock.kubernetes.model.pods.templates import PodTemplate, templates
from penstock.kubernetes.rules import inventory, matching, releases
from penstock.kubernetes.rules.device_claims import published_by
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint
from penstock.kubernetes.rules.types import DAEMON_SET

_IMAGES = {
    "k8s-device-plugin": "nvidia.com/gpu",
    "aws-efa-k8s-device-plugin": "vpc.amazonaws.com/efa",
    "neuron-device-plugin": "aws.amazon.com/neuron",
}
"""The resources that a DaemonSet's image advertises, by the last part of its name."""

_OF_AMD, _AMD = "rocm/k8s-device-plugin", "amd.com/gpu"
"""The image of AMD's plugin, which is called like that of NVIDIA."""

GPU_OPERATOR = "gpu-operator"
_OPT_OUT = ("nvidia.com/gpu.deploy.operands", "nvidia.com/gpu.deploy.device-plugin")
"""Labels by which a node keeps all software of the GPU Operator off, or its device plugin."""
_FALSE = frozenset({"false"})

DEVICES = frozenset((*_IMAGES.values(), _AMD, "google.com/tpu"))
"""The resources that the rules know an advertiser of; TPU chips are advertised by GKE alone."""


@dataclass(frozen=True, slots=True)
class Advertiser:
    """One resource that offers devices, the plugin of its chart if it is one, and whether it keeps to some nodes.

    A DaemonSet has its pods.
    """

    view: View
    resource: str
    chart: str
    plugin: DevicePlugin | None
    chooses_nodes: bool
    pods: PodTemplate | None = None


def of(near: View, resource: str) -> list[Advertiser]:
    """The advertisers of a resource in the cluster of an object.

    Raises:
        NotKnown: the workloads that may advertise it are not known.
    """
    found, unknown = near.site.once(_advertisers)
    if inventory.server(near) in unknown:
        raise NotKnown
    return found.get((inventory.server(near), resource), [])


def made_by(view: View) -> Iterator[Advertiser]:
    """The advertisers that a release or a DaemonSet itself is.

    Raises:
        NotKnown: the workloads that may advertise a resource are not known.
    """
    for resource in sorted(DEVICES):
        yield from (each for each in of(view, resource) if each.view.urn == view.urn)


def reaches(advertiser: Advertiser, offer: NodeOffer) -> bool | None:
    """Return whether an advertiser runs on some node of a pool, by labels and taints; None where undetermined."""
    if advertiser.pods is not None:
        return (
            False if matching.untolerated(offer, advertiser.pods) else matching.has_labels(offer, advertiser.pods.spec)
        )
    if advertiser.chart == GPU_OPERATOR and any(offer.labels.get(label) == _FALSE for label in _OPT_OUT):
        return False
    if advertiser.plugin is not None and untolerated(advertiser.view, advertiser.plugin, offer):
        return False
    values = advertiser.view.block("values") if advertiser.chooses_nodes else None
    return matching.has_labels(offer, values) if values is not None else True


def untolerated(release: View, plugin: DevicePlugin, offer: NodeOffer) -> list[NodeTaint]:
    """The taints of a pool that keep the pods of a chart off.

    Raises:
        NotKnown: the taints are not known, or it is not known which of them the chart tolerates by default.
    """
    if offer.taints is None:
        raise NotKnown
    outer, _, key = f"values.{plugin.tolerations_at}".rpartition(".")
    given = next((found.blocks(key) for found in release.blocks_at(outer) if key in found), None)
    if given is None and "tolerated_keys" in plugin.unverified and offer.taints:
        raise NotKnown
    return [
        taint
        for taint in offer.taints
        if taint.effect != "PreferNoSchedule"
        and not (
            taint.key in plugin.tolerated_keys
            if given is None
            else any(matching.tolerates(each, taint) for each in given)
        )
    ]


def is_known_chart(chart: str) -> bool:
    """Return whether it is known of a chart what it advertises."""
    return device_plugins.plugin_of_chart(chart) is not None or bool(device_classes.classes_of_chart(chart))


def by_claims(advertiser: Advertiser) -> bool:
    """Return whether an advertiser hands devices out by resource claims and not as a plugin."""
    return bool(device_classes.classes_of_chart(advertiser.chart))


def _advertisers(site: Site) -> tuple[dict[tuple[str, str], list[Advertiser]], frozenset[str]]:
    found: dict[tuple[str, str], list[Advertiser]] = {}
    unknown = set()
    for view in site.of_type(RELEASE, DAEMON_SET):
        try:
            for advertiser in _of_release(view) if view.type == RELEASE else _of_daemon_set(view):
                found.setdefault((inventory.server(view), advertiser.resource), []).append(advertiser)
        except NotKnown:
            unknown.add(inventory.server(view))
        except TypeMismatch:
            continue
    return found, frozenset(unknown)


def _of_release(release: View) -> Iterator[Advertiser]:
    chart = releases.chart(release)
    chooses = any(releases.has_value(release, path) for path in ("nodeSelector", "affinity"))
    plugin = device_plugins.plugin_of_chart(chart)
    if plugin is not None and (
        plugin.advertises_if is None or releases.flag(release, plugin.advertises_if, default=True)
    ):
        yield Advertiser(release, plugin.resource, chart, plugin, chooses)
    for published in published_by(release):
        if published.resource is not None:
            yield Advertiser(release, published.resource, chart, None, chooses)


def _of_daemon_set(view: View) -> Iterator[Advertiser]:
    for pods in templates(view):
        chooses = "nodeSelector" in pods.spec or "affinity" in pods.spec
        for container in pods.spec.blocks("containers"):
            folder, _, image = (container.text("image") or "").partition("@")[0].rpartition("/")
            image = image.partition(":")[0]
            if image in _IMAGES:
                resource = _AMD if f"{folder}/{image}".endswith(_OF_AMD) else _IMAGES[image]
                yield Advertiser(view, resource, image, None, chooses, pods)

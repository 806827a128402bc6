"""Advertisers of devices to Kubernetes: device plugins, by chart or by hand, and drivers that take claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from penstock.catalog.kubernetes import device_classes, device_plugins
from penstock.catalog.kubernetes.device_plugins import DevicePlugin
from penstock.model.pods.templates import templates
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Site, View
from penstock.rules.kubernetes import inventory, releases
from penstock.rules.kubernetes.device_claims import published_by
from penstock.rules.kubernetes.types import DAEMON_SET, RELEASE

_IMAGES = {
    "k8s-device-plugin": "nvidia.com/gpu",
    "aws-efa-k8s-device-plugin": "vpc.amazonaws.com/efa",
    "neuron-device-plugin": "aws.amazon.com/neuron",
}
"""The resources that a DaemonSet's image advertises, by the last part of its name."""

_OF_AMD = "rocm/k8s-device-plugin"
"""Called like the plugin of NVIDIA, whose GPUs it does not advertise."""

DEVICES = frozenset((*_IMAGES.values(), "google.com/tpu"))
"""The resources that the rules know an advertiser of; TPU chips are advertised by GKE alone."""


@dataclass(frozen=True, slots=True)
class Advertiser:
    """One resource that offers devices, the plugin of its chart if it is one, and whether it keeps to some nodes."""

    view: View
    resource: str
    chart: str
    plugin: DevicePlugin | None
    chooses_nodes: bool


def of(near: View, resource: str) -> list[Advertiser]:
    """The advertisers of a resource in the cluster of an object.

    Raises:
        NotKnown: the workloads that may advertise it are not known.
    """
    found, unknown = near.site.once(_advertisers)
    if inventory.server(near) in unknown:
        raise NotKnown
    return found.get((inventory.server(near), resource), [])


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
            if image in _IMAGES and not f"{folder}/{image}".endswith(_OF_AMD):
                yield Advertiser(view, _IMAGES[image], image, None, chooses)

"""Containers as they will run, with what their pods say for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock.graph.property_path import Location
from penstock.graph.values import UNKNOWN as UNKNOWN_VALUE
from penstock.graph.values import Secret, Unknown
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts.pod_homes import UNLISTED, partial_containers, partial_specs, whole_specs
from penstock.kubernetes.model.pods.places import homes_of, places_of
from penstock.kubernetes.model.pods.templates import template_paths

CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")

INHERITED: Final = (
    "appArmorProfile",
    "runAsGroup",
    "runAsNonRoot",
    "runAsUser",
    "seLinuxOptions",
    "seccompProfile",
    "windowsOptions",
)
"""Fields that containers take from their pod's security context where their own says nothing (Kubernetes API)."""


RAY_CLUSTERS: Final = {
    "kubernetes:ray.io/v1:RayCluster": "spec",
    "kubernetes:ray.io/v1:RayJob": "spec.rayClusterSpec",
    "kubernetes:ray.io/v1:RayService": "spec.rayClusterConfig",
}
"""Objects of KubeRay, which makes Services and workers for them, with the place of their cluster (KubeRay API v1)."""

_SYSTEM_LABEL: Final = "kubernetes.io/os"
"""The label that kubelet gives its node; pods of Windows select it, and many name no system beside."""
WITH_PODS: Final = tuple(dict.fromkeys((*whole_specs(), *partial_specs(), UNLISTED)))
"""The types that hold pods, whole or in part."""

WORKLOADS: Final = tuple(dict.fromkeys((*WITH_PODS, *partial_containers())))
"""The types that make pods."""


def specs(workload: View) -> Iterator[Location]:
    """The places of the pod specs of a workload that are given, be they known or not, whole or in part."""
    places = places_of(workload)
    yield from places.whole
    yield from places.parts


def makes_pods(workload: View) -> bool:
    """Return whether a resource of a custom kind, too, is known to hold pods or containers."""
    homes = homes_of(workload)
    return bool(homes.whole or homes.parts or homes.containers)


def annotation_paths(workload: View) -> Iterator[str]:
    """The paths of the annotations of pods in a workload, where it takes any."""
    return _metadata_paths(workload, "annotations")


def label_paths(workload: View) -> Iterator[str]:
    """The paths of the labels of pods in a workload, where it takes any."""
    return _metadata_paths(workload, "labels")


def _metadata_paths(workload: View, key: str) -> Iterator[str]:
    for path in template_paths(workload.type, homes_of(workload)):
        yield f"{path}.metadata.{key}" if path else f"metadata.{key}"


def containers(workload: View) -> list[Block]:
    """Every container of a workload, as it will run as far as the workload says.

    Raises:
        NotKnown: a pod or a list of containers is not known.
    """
    pods = list(specs(workload))
    within = [workload.within(place) for pod in pods for place in containers_at(workload, pod, CONTAINERS)]
    return [*within, *(workload.within(place) for place in places_of(workload).containers)]


def is_of_windows(pod: Block) -> bool:
    """Say whether a pod is of Windows, where privileges, capabilities and profiles of Linux are refused."""
    system, selector = pod.block("os"), pod.block("nodeSelector")
    named = None if system is None else system.text("name")
    return (named or (None if selector is None else selector.text(_SYSTEM_LABEL))) == "windows"


def containers_as_run(pod: Block, kinds: tuple[str, ...]) -> tuple[Location, ...]:
    """The containers of a pod in these lists, as they will run: with what its security context adds."""
    (shared,) = (place.value for place in pod.locations("securityContext"))
    return tuple(
        Location(path, _as_run(value, shared) if isinstance(value, Mapping) else value)
        for kind in kinds
        for path, value in pod.locations(f"{kind}[]")
    )


def containers_at(workload: View, pod: Location, kinds: tuple[str, ...]) -> tuple[Location, ...]:
    """The containers of the pod at a place of a workload, as they will run.

    Raises:
        NotKnown: the pod is not known.
    """
    run = workload.site.once(_run)
    key = workload.urn, pod.path, kinds
    if key not in run:
        run[key] = containers_as_run(workload.within(pod), kinds)
    return run[key]


def _run(_: Site) -> dict[tuple[str, str, tuple[str, ...]], tuple[Location, ...]]:
    """Containers by resource, pod and lists: each rule of containers asks for the same ones."""
    return {}


def _as_run(container: Mapping[str, Any], shared: Any) -> Mapping[str, Any]:
    own = container.get("securityContext") or {}
    if not isinstance(own, Mapping):
        return container
    if isinstance(shared, Unknown | Secret):
        inherited = dict.fromkeys(INHERITED, UNKNOWN_VALUE)
    else:
        given = shared if isinstance(shared, Mapping) else {}
        inherited = {key: value for key, value in given.items() if key in INHERITED}
    said = {key: value for key, value in own.items() if value is not None}
    return {**container, "securityContext": {**inherited, **said}}

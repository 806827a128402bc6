"""The places of pods in an object: by the table of kinds, or by the shape of what a kind outside it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from penstock.graph.graph import Resource
from penstock.graph.property_path import HIDDEN, Location, PropertyPath, Step
from penstock.graph.values import MAPPING
from penstock.graph.view import Site, View
from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.facts.custom_kinds import is_custom, makes_no_pods
from penstock.kubernetes.facts.pod_homes import Homes

_NONE: Final = Homes()
_NOT_SPECIFIED: Final = frozenset({"apiVersion", "kind", "metadata", "status"})


def homes_of(workload: View) -> Homes:
    """The paths of the pods of a resource.

    A kind outside the table holds a pod where a list of containers with names and images is, and a whole object where
    one with its API version and kind is. Its operator may add to such a pod, so that it counts as a part.
    """
    listed = pod_homes.homes(workload.type)
    if listed is not None:
        return listed
    if not is_custom(workload.type) or makes_no_pods(workload.type):
        return _NONE
    found = workload.site.once(_found)
    if workload.urn not in found:
        found[workload.urn] = by_shape(workload.resource.inputs)
    return found[workload.urn]


class Places(NamedTuple):
    """The places where a resource has something of pods: whole specs, parts of specs, and parts of containers."""

    whole: tuple[Location, ...]
    parts: tuple[Location, ...]
    containers: tuple[Location, ...]


def places_of(workload: View) -> Places:
    """The places of the pods of a resource that are given, be they known or not."""
    found = workload.site.once(_places)
    if workload.urn not in found:
        homes = homes_of(workload)
        found[workload.urn] = Places(
            *(_given(workload, paths) for paths in (homes.whole, homes.parts, homes.containers))
        )
    return found[workload.urn]


def _given(workload: View, paths: tuple[str, ...]) -> tuple[Location, ...]:
    return tuple(place for path in paths for place in workload.locations(path) if place.value is not None)


def is_unread(resource: Resource) -> bool:
    """Return whether a resource is of a custom kind that may run pods, and no rule knows which."""
    return (
        is_custom(resource.type)
        and pod_homes.homes(resource.type) is None
        and not makes_no_pods(resource.type)
        and by_shape(resource.inputs) == _NONE
    )


def by_shape(inputs: Mapping[str, Any]) -> Homes:
    """The paths of what looks like pods in the inputs of an object."""
    specified = {key: value for key, value in inputs.items() if key not in _NOT_SPECIFIED}
    return _of_all(_below(value, (key,)) for key, value in specified.items()) or _NONE


def _below(value: Any, steps: tuple[Step, ...]) -> Homes | None:
    """The paths below a place; None, as nearly everywhere, where there are none."""
    if isinstance(value, MAPPING):
        inside = _of_object(value)
        if inside is not None:
            return inside.below(str(PropertyPath(steps)))
        if _is_pod(value):
            return Homes(parts=(str(PropertyPath(steps)),))
        return _of_all(_below(item, (*steps, key)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return _of_all(_below(item, (*steps, index)) for index, item in enumerate(value))
    return None


def _of_all(found: Iterable[Homes | None]) -> Homes | None:
    """The paths of several places together; None where none has any."""
    those = [each for each in found if each is not None]
    return sum(those, _NONE) if those else None


def _of_object(value: Mapping[str, Any]) -> Homes | None:
    """The paths inside a whole object of a listed kind, such as a Job in what queues it."""
    version, kind = value.get("apiVersion"), value.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str):
        return None
    return pod_homes.homes(f"kubernetes:{version if '/' in version else f'core/{version}'}:{kind}")


def _is_pod(value: Mapping[str, Any]) -> bool:
    containers = value.get("containers")
    if not isinstance(containers, list | tuple):
        return False
    known = [each for each in containers if not isinstance(each, HIDDEN)]
    return bool(known) and all(isinstance(each, MAPPING) and "name" in each and "image" in each for each in known)


def _found(_: Site) -> dict[str, Homes]:
    """Paths by resource: each rule of pods asks for the same ones."""
    return {}


def _places(_: Site) -> dict[str, Places]:
    """Places by resource, likewise."""
    return {}

"""Volumes of Kubernetes, and claims to them, whose data stays when they go."""

from __future__ import annotations

from typing import Any, Final

from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import PropertyPath

_CLAIM: Final = "kubernetes:core/v1:PersistentVolumeClaim"
_VOLUME: Final = "kubernetes:core/v1:PersistentVolume"
_NAME: Final = PropertyPath.parse("metadata.name")
_NAME_OF_VOLUME: Final = PropertyPath.parse("spec.volumeName")
_POLICY: Final = PropertyPath.parse("spec.persistentVolumeReclaimPolicy")
_RETAIN: Final = "Retain"


def is_retained(resource: Resource, graph: Graph) -> bool:
    """Return whether a resource is a volume that Kubernetes leaves alone, or a claim to one of the same program."""
    if resource.type == _VOLUME:
        return bool(_POLICY.get(resource.inputs) == _RETAIN)
    named: Any = _NAME_OF_VOLUME.get(resource.inputs) if resource.type == _CLAIM else None
    volumes = graph.of_type(_VOLUME) if named is not None else ()
    return any(_NAME.get(each.inputs) == named and _POLICY.get(each.inputs) == _RETAIN for each in volumes)

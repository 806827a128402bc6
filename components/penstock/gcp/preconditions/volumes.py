"""Disks that the driver of persistent disks creates for claims of Kubernetes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from penstock.catalog.records import keyed
from penstock.core.quantities import GIB
from penstock.gcp.model.disks import PersistentDisk
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site
from penstock.model.quantities import amount

_CLAIM = "kubernetes:core/v1:PersistentVolumeClaim"
_SETS = "kubernetes:apps/v1:StatefulSet"
_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"
_DRIVERS = ("pd.csi.storage.gke.io", "kubernetes.io/gce-pd")
_USUAL_CLASS = "standard-rwo"
_USUAL_TYPE = "pd-standard"
"""What the driver takes of a class without a type (GKE documentation, persistent volumes)."""


@dataclass(frozen=True, slots=True)
class _StorageClass:
    name: str
    disk_type: str


def claimed_disks(site: Site) -> Iterator[tuple[PersistentDisk, int]]:
    """Yield the disks that claims bring, and how many of each; those of classes that are not known are left out."""
    classes = site.once(_disk_types)
    for claim in site.of_type(_CLAIM):
        yield from _disks(claim, 1, classes)
    for workload in site.of_type(_SETS):
        try:
            spec = workload.block("spec")
            count = spec.integer("replicas") if spec is not None else None
            templates = spec.blocks("volumeClaimTemplates") if spec is not None else []
        except (NotKnown, TypeMismatch):
            continue
        for template in templates:
            yield from _disks(template, 1 if count is None else count, classes)


def _disks(claim: Block, count: int, classes: Mapping[str, str]) -> Iterator[tuple[PersistentDisk, int]]:
    try:
        spec = claim.block("spec")
        if spec is None or spec.text("volumeName"):
            return
        named = spec.text("storageClassName")
        type_ = classes.get(_USUAL_CLASS if named is None else named)
        requests = spec.blocks_at("resources.requests")
        size = amount(requests[0], "storage") if requests else None
    except (NotKnown, TypeMismatch):
        return
    if type_ is not None and size is not None and count:
        yield PersistentDisk(type_, ceil(size / GIB)), count


def _disk_types(site: Site) -> dict[str, str]:
    """The types of the disks of each class: of GKE's own, and of those that the program describes."""
    found = {name: each.disk_type for name, each in keyed(_StorageClass, "gcp/storage_classes").items()}
    for view in site.of_type(_CLASS):
        try:
            metadata, parameters = view.block("metadata"), view.block("parameters")
            name = metadata.text("name") if metadata is not None else None
            driven = view.text("provisioner") in _DRIVERS
            type_ = parameters.text("type") if parameters is not None else None
        except (NotKnown, TypeMismatch):
            continue
        if name is not None:
            found[name] = (type_ or _USUAL_TYPE) if driven else ""
    return {name: type_ for name, type_ in found.items() if type_}

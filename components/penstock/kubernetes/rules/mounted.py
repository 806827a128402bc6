"""The volumes of pods: which driver mounts them, and what it mounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.mounts import MountSemantics, mounts_of_driver
from penstock.kubernetes.model.pods.templates import PodTemplate
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.types import CLAIM, STORAGE_CLASS, VOLUME

_MOUNTPOINT: Final = "mountpoint-s3"
_DIRECTORY_BUCKET: Final = "aws:s3/directoryBucket:DirectoryBucket"
_BUCKETS: Final = ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2")
_OF_DIRECTORY: Final = "--x-s3"
"""The end of each name of a directory bucket (S3 user guide, directory bucket naming rules)."""


@dataclass(frozen=True, slots=True)
class VolumeSource:
    """The source of a pod's volume: a driver, or what Kubernetes mounts itself; `holder` has its attributes."""

    driver: str
    holder: Block | None = None
    read_only: bool = False


def source_of(pods: PodTemplate, volume: Block) -> VolumeSource | None:
    """The source of a volume; None where it names none.

    Raises:
        NotKnown: its claim or volume lies outside the program, or is not known yet.
    """
    csi, claim = volume.block("csi"), volume.block("persistentVolumeClaim")
    if csi is not None:
        return VolumeSource(csi.text("driver") or "", csi, csi.flag("readOnly") is True)
    if claim is not None:
        return _claimed(pods.workload, claim)
    return next((VolumeSource(key) for key in volume if key != "name" and key in volume), None)


def semantics_of_driver(source: VolumeSource) -> tuple[MountSemantics, ...]:
    """The kinds of mounts that the driver of a source makes; empty for one that the catalogue does not have."""
    return mounts_of_driver(source.driver)


def semantics_of(source: VolumeSource) -> MountSemantics | None:
    """The operations of a mount; None for a driver that the catalogue does not have.

    Raises:
        NotKnown: they depend on the kind of a bucket or an account that is not known.
    """
    found = semantics_of_driver(source)
    if not found:
        return None
    if len({each.rename_file == "no" for each in found}) == 1:
        return found[0]
    on_directory = _is_directory_bucket(source)
    return next(each for each in found if (each.mount == _MOUNTPOINT) != on_directory)


def mount_of(container: Block, folder: str) -> Block | None:
    """The mount that a folder is on: of several, the deepest."""
    mounts = [
        (path.rstrip("/"), mount)
        for mount in container.blocks("volumeMounts")
        if (path := mount.text("mountPath")) and f"{folder}/".startswith(f"{path.rstrip('/')}/")
    ]
    return max(mounts, key=lambda pair: len(pair[0]))[1] if mounts else None


def _claimed(workload: View, claim: Block) -> VolumeSource:
    namespace = inventory.namespace(workload)
    found = inventory.find(workload, CLAIM, namespace, claim.text("claimName") or "")
    spec = found.block("spec") if found is not None else None
    if found is None or spec is None:
        raise NotKnown
    volume = _bound(found, spec, namespace)
    if volume is None:
        return VolumeSource(_provisioner(workload, spec))
    held = volume.block("spec")
    if held is None:
        raise NotKnown
    read_only = (
        claim.flag("readOnly") is True
        or held.texts("accessModes") == ["ReadOnlyMany"]
        or "read-only" in held.texts("mountOptions")
    )
    csi = held.block("csi")
    if csi is not None:
        return VolumeSource(csi.text("driver") or "", csi, read_only)
    local = next((key for key in ("hostPath", "local", "nfs") if key in held), None)
    if local is None:
        raise NotKnown
    return VolumeSource(local, None, read_only)


def _bound(claim: View, spec: Block, namespace: str) -> View | None:
    """The volume of the program that a claim gets; None where a class makes one."""
    if "volumeName" in spec:
        sources = claim.sources("spec", VOLUME)
        try:
            found = inventory.find(claim, VOLUME, "", spec.text("volumeName") or "")
        except NotKnown:
            found = None
        if found is None and len(sources) == 1:
            found = sources[0]
        if found is None:
            raise NotKnown
        return found
    called = inventory.name(claim)
    kept = [volume for volume in claim.site.of_type(VOLUME) if _is_kept_for(volume, namespace, called)]
    return kept[0] if len(kept) == 1 else None


def _is_kept_for(volume: View, namespace: str, claim: str) -> bool:
    try:
        spec = volume.block("spec")
        kept = spec.block("claimRef") if spec is not None else None
        return kept is not None and (kept.text("namespace"), kept.text("name")) == (namespace, claim)
    except (NotKnown, TypeMismatch):
        return False


def _provisioner(near: View, spec: Block) -> str:
    named = spec.text("storageClassName")
    found = inventory.find(near, STORAGE_CLASS, "", named) if named else None
    provisioner = found.text("provisioner") if found is not None else None
    if not provisioner:
        raise NotKnown
    return provisioner


def _is_directory_bucket(source: VolumeSource) -> bool:
    attributes = source.holder.block("volumeAttributes") if source.holder is not None else None
    if attributes is None or "bucketName" not in attributes:
        raise NotKnown
    try:
        return (attributes.text("bucketName") or "").endswith(_OF_DIRECTORY)
    except NotKnown:
        owner = attributes.owner
        if owner.sources("spec", _DIRECTORY_BUCKET) and not owner.sources("spec", *_BUCKETS):
            return True
        if owner.sources("spec", *_BUCKETS) and not owner.sources("spec", _DIRECTORY_BUCKET):
            return False
        raise

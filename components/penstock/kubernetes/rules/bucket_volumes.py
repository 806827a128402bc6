"""Volumes by GKE's drivers: the cluster has the driver, and pods with buckets have what mounts them."""

from __future__ import annotations

import re

from penstock.core.spelling import MISSPELT_WITH_AFFIX, near_matches, suggestion
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, TypeMismatch, Verdict, allow, each
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates, texts
from penstock.kubernetes.rules import nodes
from penstock.kubernetes.rules.types import CLAIM, GKE_CLUSTER, GOOGLE_BUCKET, STORAGE_CLASS, VOLUME
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_FUSE = "gcsfuse.csi.storage.gke.io"
_ADDONS = {
    _FUSE: "gcsFuseCsiDriverConfig",
    "lustre.csi.storage.gke.io": "lustreCsiDriverConfig",
    "filestore.csi.storage.gke.io": "gcpFilestoreCsiDriverConfig",
    "parallelstore.csi.storage.gke.io": "parallelstoreCsiDriverConfig",
}
"""The drivers that GKE brings, by the add-on of a cluster that turns each on."""

_FILESTORE_CLASSES = ("standard-rwx", "premium-rwx", "enterprise-rwx", "enterprise-multishare-rwx", "zonal-rwx")
"""Classes of storage that come with the driver for Filestore (GKE documentation, Filestore CSI driver)."""

_ANNOTATION = "gke-gcsfuse/volumes"
_SIDECAR = "gke-gcsfuse-sidecar"
_BUCKET = re.compile(r"_|[a-z0-9][a-z0-9._-]*[a-z0-9]")


@RULES.rule(
    on=(*RUNNING_WORKLOADS, VOLUME, CLAIM, STORAGE_CLASS),
    severity=HIGH,
    rationale="No driver in the cluster provisions or mounts the volume, so the pods that use it never start.",
    fix="Set enabled to true for the add-on of the driver in addonsConfig of the GKE cluster.",
    joins=True,
    sources=(
        "GKE documentation, Cloud Storage FUSE CSI driver",
        "Kubernetes Engine API v1, discovery document, AddonsConfig",
    ),
)
def k8s_gke_csi_driver_enabled(view: View) -> Verdict:
    """A volume of a GKE CSI driver is in a cluster with the add-on of that driver enabled."""
    named = [(driver, path) for driver, path in _drivers(view) if driver in _ADDONS]
    if not named:
        return NOT_APPLICABLE
    cluster = nodes.cluster(view)
    if cluster.type != GKE_CLUSTER or cluster.flag("enableAutopilot"):
        raise NotKnown

    def check(use: tuple[str, str]) -> Verdict:
        driver, path = use
        addon = _ADDONS[driver]
        addons = cluster.block("addonsConfig")
        config = addons.block(addon) if addons is not None else None
        on = config is not None and config.flag("enabled")
        hint = f"Set addonsConfig.{addon}.enabled of {cluster.name} to true."
        return allow(on, f"{cluster.name} has no driver {driver}", hint=hint, path=path)

    return each(named, check)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="GKE injects no sidecar container to mount the bucket, so the pod does not start.",
    fix='Annotate the pod template with gke-gcsfuse/volumes: "true".',
    sources=("GKE documentation, Cloud Storage FUSE CSI driver",),
)
def k8s_gcsfuse_annotation(pods: PodTemplate) -> Verdict:
    """Pods with a Cloud Storage FUSE volume have the annotation gke-gcsfuse/volumes: "true"."""
    if not any(_driver(volume) == _FUSE for volume in pods.spec.blocks("volumes")):
        return NOT_APPLICABLE
    if any(container.text("name") == _SIDECAR for container in pods.containers):
        return NOT_APPLICABLE
    return allow(
        texts(pods.metadata, "annotations").get(_ANNOTATION) == "true",
        "the pod mounts a bucket, and has no annotation for the sidecar of Cloud Storage FUSE",
        hint=f'Annotate the pod with {_ANNOTATION}: "true".',
        path=pods.metadata.at("annotations") if pods.metadata is not None else pods.template.at("metadata"),
    )


def _buckets(view: View) -> list[tuple[Block, str]]:
    """Where an object names the buckets that GKE's driver mounts."""
    found: list[tuple[Block, str]] = []
    for volume in _volumes(view):
        source = volume.block("csi")
        if source is None or source.text("driver") != _FUSE:
            continue
        attributes = source.block("volumeAttributes")
        if view.type == VOLUME:
            found.append((source, "volumeHandle"))
        elif attributes is not None:
            found.append((attributes, "bucketName"))
    return found


@RULES.rule(
    on=(*RUNNING_WORKLOADS, VOLUME),
    each_of=_buckets,
    severity=HIGH,
    rationale="The driver finds no bucket of that name, so the mount fails and the pod does not start.",
    fix=(
        "Set bucketName (volumeHandle of a PersistentVolume) to the name of the bucket, and a folder in mountOptions "
        "as only-dir=FOLDER."
    ),
    sources=("GKE documentation, Cloud Storage FUSE CSI driver",),
)
def k8s_gcsfuse_bucket_name_valid(named: tuple[Block, str]) -> Verdict:
    """A Cloud Storage FUSE volume names the bucket alone, without gs:// and without a folder."""
    block, key = named
    name = block.text(key)
    if name is None:
        return NOT_APPLICABLE
    right = name.removeprefix("gs://").partition("/")[0]
    hint = f"Write {right}; a folder goes into mountOptions, as only-dir=FOLDER."
    return allow(_BUCKET.fullmatch(name), f"{name!r} is not a name of a bucket", hint=hint, path=block.at(key))


@RULES.rule(
    on=(*RUNNING_WORKLOADS, VOLUME),
    severity=MEDIUM,
    rationale="The object is accepted, and the mount fails or shows another bucket.",
    fix="Take bucketName (volumeHandle of a PersistentVolume) from the name of the bucket resource.",
    joins=True,
    sources=("GKE documentation, Cloud Storage FUSE CSI driver",),
)
def k8s_gcsfuse_bucket_spelling(view: View) -> Verdict:
    """The bucket of a Cloud Storage FUSE volume is not a misspelling of a bucket of the program."""

    def check(named: tuple[Block, str]) -> Verdict:
        block, key = named
        name, made = block.text(key), view.site.once(_made)
        if name is None:
            return NOT_APPLICABLE
        near = [] if name in made else near_matches(name, made, likeness=MISSPELT_WITH_AFFIX)
        return allow(not near, f"the program has no bucket called {name}", hint=suggestion(near), path=block.at(key))

    return each(_buckets(view), check)


def _made(site: Site) -> list[str]:
    """The names of the program's buckets, as far as they are known."""
    found = []
    for bucket in site.of_type(GOOGLE_BUCKET):
        try:
            found += [name for block in (bucket, bucket.outputs) if (name := block.text("name"))]
        except (NotKnown, TypeMismatch):
            continue
    return found


def _driver(volume: Block) -> str | None:
    source = volume.block("csi")
    return source.text("driver") if source is not None else None


def _drivers(view: View) -> list[tuple[str, str]]:
    """The drivers that an object names, each with its path; a class that comes with one counts."""
    if view.type == STORAGE_CLASS:
        return [(view.text("provisioner") or "", "provisioner")]
    if view.type == CLAIM:
        spec = view.block("spec")
        known = spec is not None and spec.text("storageClassName") in _FILESTORE_CLASSES
        return [("filestore.csi.storage.gke.io", "spec.storageClassName")] if known else []
    return [(_driver(volume) or "", volume.at("csi.driver")) for volume in _volumes(view)]


def _volumes(view: View) -> list[Block]:
    if view.type == VOLUME:
        spec = view.block("spec")
        return [] if spec is None else [spec]
    return [volume for pods in templates(view) for volume in pods.spec.blocks("volumes")]

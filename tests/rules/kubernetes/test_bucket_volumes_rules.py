"""Volumes by the drivers that GKE brings."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gkemanifests import gke
from tests.manifests import pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import BUCKET, CLUSTER
from penstock.rules.kubernetes.types import CLAIM, STORAGE_CLASS, VOLUME

FUSE = "gcsfuse.csi.storage.gke.io"
ANNOTATED = {"name": "it", "annotations": {"gke-gcsfuse/volumes": "true"}}


def mounting(bucket: Any = "acme-data", driver: Any = FUSE, metadata: dict[str, Any] | None = None) -> Program:
    """A pod that mounts a bucket."""
    volume = {"name": "data", "csi": {"driver": driver, "volumeAttributes": {"bucketName": bucket}}}
    return pod(metadata=ANNOTATED if metadata is None else metadata, volumes=[volume])


def inside(program: Program, **addons: bool) -> Program:
    """The same in a cluster of GKE with some of its drivers."""
    found = {**gke(), **program}
    config = {"addonsConfig": {name: {"enabled": on} for name, on in addons.items()}}
    return {key: (type_, {**inputs, **(config if type_ == CLUSTER else {})}) for key, (type_, inputs) in found.items()}


def claim(of: str) -> Program:
    """A claim of a class of storage."""
    return {"it": (CLAIM, {"metadata": {"name": "it"}, "spec": {"storageClassName": of}})}


def volume(handle: str) -> Program:
    """A volume that is a bucket."""
    return {"it": (VOLUME, {"metadata": {"name": "it"}, "spec": {"csi": {"driver": FUSE, "volumeHandle": handle}}})}


def beside(bucket: str, program: Program) -> Program:
    """The same in a program that makes a bucket."""
    return {"bucket": (BUCKET, {"name": bucket}), **program}


NAMED = "spec.volumes[0].csi.volumeAttributes.bucketName"
LUSTRE = {"it": (STORAGE_CLASS, {"metadata": {"name": "it"}, "provisioner": "lustre.csi.storage.gke.io"})}

CASES = [
    Case("k8s-gke-csi-driver-enabled", Outcome.PASS, inside(mounting(), gcsFuseCsiDriverConfig=True)),
    Case("k8s-gke-csi-driver-enabled", Outcome.PASS, inside(claim("zonal-rwx"), gcpFilestoreCsiDriverConfig=True)),
    Case(
        "k8s-gke-csi-driver-enabled",
        Outcome.FAIL,
        inside(mounting(), gcsFuseCsiDriverConfig=False),
        "spec.volumes[0].csi.driver",
        "gcsFuseCsiDriverConfig",
    ),
    Case("k8s-gke-csi-driver-enabled", Outcome.FAIL, inside(LUSTRE), "provisioner", "lustreCsiDriverConfig"),
    Case(
        "k8s-gke-csi-driver-enabled", Outcome.FAIL, inside(claim("zonal-rwx")), "spec.storageClassName", "gcpFilestore"
    ),
    Case("k8s-gke-csi-driver-enabled", Outcome.UNKNOWN, mounting()),
    Case("k8s-gke-csi-driver-enabled", Outcome.NOT_APPLICABLE, inside(claim("standard-rwo"))),
    Case("k8s-gcsfuse-annotation", Outcome.PASS, mounting()),
    Case(
        "k8s-gcsfuse-annotation",
        Outcome.FAIL,
        mounting(metadata={"name": "it", "annotations": {"gke-gcsfuse/volumes": "false"}}),
        "metadata.annotations",
        '"true"',
    ),
    Case(
        "k8s-gcsfuse-annotation", Outcome.FAIL, mounting(metadata={"name": "it"}), "metadata.annotations", "gke-gcsfuse"
    ),
    Case("k8s-gcsfuse-annotation", Outcome.UNKNOWN, mounting(driver=UNKNOWN)),
    Case("k8s-gcsfuse-annotation", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-gcsfuse-bucket-name-valid", Outcome.PASS, mounting()),
    Case("k8s-gcsfuse-bucket-name-valid", Outcome.PASS, mounting("_")),
    Case(
        "k8s-gcsfuse-bucket-name-valid",
        Outcome.FAIL,
        mounting("gs://acme-data/models"),
        "spec.volumes[0].csi.volumeAttributes.bucketName",
        "Write acme-data",
    ),
    Case(
        "k8s-gcsfuse-bucket-name-valid",
        Outcome.FAIL,
        volume("gs://acme-data"),
        "spec.csi.volumeHandle",
        "Write acme-data",
    ),
    Case("k8s-gcsfuse-bucket-name-valid", Outcome.UNKNOWN, mounting(UNKNOWN)),
    Case("k8s-gcsfuse-bucket-name-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-gcsfuse-bucket-spelling", Outcome.PASS, beside("acme-data", mounting("acme-data"))),
    Case("k8s-gcsfuse-bucket-spelling", Outcome.PASS, beside("acme-data", mounting("common-crawl"))),
    Case(
        "k8s-gcsfuse-bucket-spelling", Outcome.FAIL, beside("acme-data", mounting("acme-date")), NAMED, "mean acme-data"
    ),
    Case(
        "k8s-gcsfuse-bucket-spelling",
        Outcome.FAIL,
        beside("acme-data", volume("acmedata")),
        "spec.csi.volumeHandle",
        "acme-data",
    ),
    Case("k8s-gcsfuse-bucket-spelling", Outcome.UNKNOWN, beside("acme-data", mounting(UNKNOWN))),
    Case("k8s-gcsfuse-bucket-spelling", Outcome.NOT_APPLICABLE, beside("acme-data", pod())),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_volume_that_nothing_mounts_is_told(case: Case) -> None:
    check(case)

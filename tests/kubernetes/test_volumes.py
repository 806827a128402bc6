"""What a ready volume promises: one claim may have it, many pods mount it, and its storage outlives it."""

from __future__ import annotations

from penstock.graph.graph import Graph
from penstock.kubernetes import Volume
from penstock.testing import rehearse


def built(*mount_options: str) -> Graph:
    return rehearse(
        lambda: Volume(
            "platform-scratch",
            claim="scratch",
            driver="lustre.csi.storage.gke.io",
            handle="project/zone/scratch",
            gib=36000,
            attributes={"ip": "10.1.0.2", "filesystem": "lustrefs"},
            mount_options=mount_options,
        )
    ).graph


def test_the_claim_and_the_volume_are_for_each_other() -> None:
    graph = built()
    (volume,) = graph.of_type("kubernetes:core/v1:PersistentVolume")
    (claim,) = graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")

    assert volume.inputs["spec"]["claimRef"] == {"namespace": "default", "name": "scratch"}
    assert claim.inputs["spec"]["volumeName"] == volume.inputs["metadata"]["name"]
    assert (volume.inputs["spec"]["storageClassName"], claim.inputs["spec"]["storageClassName"]) == ("", "")
    assert volume.urn in claim.dependencies


def test_storage_that_grows_asks_nothing_of_its_claim_that_kubernetes_refuses() -> None:
    graph = built()
    (volume,) = graph.of_type("kubernetes:core/v1:PersistentVolume")
    (claim,) = graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")

    assert "spec.capacity" in volume.options.ignore_changes
    assert "spec.resources" in claim.options.ignore_changes


def test_many_pods_mount_it_and_its_storage_outlives_it() -> None:
    (volume,) = built().of_type("kubernetes:core/v1:PersistentVolume")

    assert volume.inputs["spec"]["accessModes"] == ["ReadWriteMany"]
    assert volume.inputs["spec"]["persistentVolumeReclaimPolicy"] == "Retain"
    assert volume.inputs["spec"]["capacity"] == {"storage": "36000Gi"}
    assert volume.inputs["spec"]["csi"]["volumeAttributes"] == {"ip": "10.1.0.2", "filesystem": "lustrefs"}


def test_nodes_mount_it_as_the_storage_asks() -> None:
    (volume,) = built("flock", "noatime").of_type("kubernetes:core/v1:PersistentVolume")
    (plain,) = built().of_type("kubernetes:core/v1:PersistentVolume")

    assert volume.inputs["spec"]["mountOptions"] == ["flock", "noatime"]
    assert "mountOptions" not in plain.inputs["spec"]

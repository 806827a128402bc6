"""NFS servers that exist: a claim for jobs without a team, one for each team, and jobs that write checkpoints there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, changed

from penstock.description import parse
from penstock.graph.graph import Graph
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

NFS = [{"name": "checkpoints", "kind": "nfs", "server": "nfs.lan", "path": "/exports/shared"}]
TEAMS = [{"name": "vision", "namespace": "ml-vision"}, {"name": "speech"}]
MOUNTED = changed("storage", NFS, ONPREM_TRAINING)
SHARED = changed("addons", {"queueing": {"teams": TEAMS}}, MOUNTED)


def built(description: Mapping[str, Any]) -> Graph:
    return rehearse(lambda: Platform(parse(description))).graph


def test_each_namespace_has_a_volume_of_its_own_on_the_same_export() -> None:
    graph = built(SHARED)

    volumes = [each.inputs["spec"] for each in graph.of_type("kubernetes:core/v1:PersistentVolume")]
    claims = {
        each.inputs["metadata"]["namespace"] for each in graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")
    }
    assert claims == {each["claimRef"]["namespace"] for each in volumes} == {"default", "ml-vision", "speech"}
    assert len({each["csi"]["volumeHandle"] for each in volumes}) == 3
    assert [each["csi"]["volumeAttributes"] for each in volumes] == [
        {"server": "nfs.lan", "share": "/exports/shared"}
    ] * 3
    assert {each["persistentVolumeReclaimPolicy"] for each in volumes} == {"Retain"}


def test_a_claim_of_a_team_waits_for_its_namespace() -> None:
    graph = built(SHARED)
    (home,) = (
        each for each in graph.of_type("kubernetes:core/v1:Namespace") if each.inputs["metadata"]["name"] == "speech"
    )
    (claim,) = (
        each
        for each in graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")
        if each.inputs["metadata"]["namespace"] == "speech"
    )

    assert home.urn in claim.dependencies


def test_the_driver_comes_from_the_mirror_and_deletes_nothing_of_the_server() -> None:
    def values(description: Mapping[str, Any]) -> dict[str, Any]:
        releases = built(description).of_type("kubernetes:helm.sh/v3:Release")
        (found,) = (each.inputs["values"] for each in releases if each.inputs["chart"] == "csi-driver-nfs")
        return dict(found)

    assert values(MOUNTED)["controller"]["defaultOnDeletePolicy"] == "retain"
    mirrored = values(changed("network", {"image_mirror": "registry.lan/mirror"}, MOUNTED))["image"]
    assert mirrored == {
        "baseRepo": "registry.lan/mirror",
        "nfs": {"repository": "registry.lan/mirror/sig-storage/nfsplugin"},
    }


def test_names_that_join_to_the_same_text_stay_apart() -> None:
    teams = [{"name": "a-b"}, {"name": "a"}]
    storage = [{**NFS[0], "name": "c"}, {**NFS[0], "name": "b-c", "path": "/other"}]

    graph = built(changed("storage", storage, changed("addons", {"queueing": {"teams": teams}}, MOUNTED)))

    volumes = graph.of_type("kubernetes:core/v1:PersistentVolume")
    assert len({each.inputs["metadata"]["name"] for each in volumes}) == len(volumes) == 6


def test_a_driver_that_the_cluster_has_is_not_installed_again() -> None:
    graph = built(changed("cluster.existing", {"name": "it", "installed": ["nfs"]}, MOUNTED))

    assert "csi-driver-nfs" not in {each.inputs["chart"] for each in graph.of_type("kubernetes:helm.sh/v3:Release")}
    assert graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")


def test_without_storage_there_is_no_driver() -> None:
    releases = built(ONPREM_TRAINING).of_type("kubernetes:helm.sh/v3:Release")

    assert "csi-driver-nfs" not in {each.inputs["chart"] for each in releases}


@pytest.mark.parametrize("training", [{}, {"training": {}}], ids=["plain", "trainer"])
@pytest.mark.parametrize(("namespace", "mounts"), [("ml-vision", True), ("default", True), ("elsewhere", False)])
def test_jobs_of_teams_write_checkpoints_to_their_claim(namespace: str, mounts: bool, training: Any) -> None:
    described = parse(changed("addons", {"queueing": {"teams": TEAMS}, **training}, MOUNTED))

    printed = str(job_manifests(described, JobRequest(namespace=namespace)))

    assert ("'claimName': 'checkpoints'" in printed) is mounts
    assert ("'/checkpoints'" in printed) is mounts

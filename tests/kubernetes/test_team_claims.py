"""Claims of teams on storage that a cloud created: all file systems, and the buckets that let the team in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, TRAINING, changed, findings

from penstock.description import parse
from penstock.graph.graph import Graph
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

TEAMS = {"queueing": {"teams": [{"name": "vision", "namespace": "ml-vision"}, {"name": "speech"}]}}
POLICY = "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy"
VOLUME = "kubernetes:core/v1:PersistentVolume"


def with_teams(description: Mapping[str, Any]) -> dict[str, Any]:
    """A platform with a bucket that one team reads and the other writes, a second one for nobody, Lustre and NFS."""
    described = changed("addons", TEAMS, description)
    described["storage"][0] |= {"readers": ["ml-vision/trainer"], "writers": ["speech/trainer"]}
    return changed(f"storage.{len(described['storage'])}", {"name": "closed", "kind": "bucket"}, described)


CLOUDS = pytest.mark.parametrize("described", [with_teams(TRAINING), with_teams(GCP_TRAINING)], ids=["aws", "gcp"])


def built(described: Mapping[str, Any]) -> Graph:
    return rehearse(lambda: Platform(parse(described))).graph


@CLOUDS
def test_each_team_has_claims_on_file_systems_and_on_its_buckets(described: dict[str, Any]) -> None:
    files = {each["name"] for each in described["storage"] if each["kind"] in ("lustre", "nfs")}
    bucket = described["storage"][0]["name"]

    bound = [each.inputs["spec"] for each in built(described).of_type(VOLUME)]

    for home in ("ml-vision", "speech"):
        claims = {each["claimRef"]["name"] for each in bound if each["claimRef"]["namespace"] == home}
        assert claims == files | {bucket}


@CLOUDS
def test_volumes_of_teams_mount_what_those_of_all_mount(described: dict[str, Any]) -> None:
    found: dict[str, list[dict[str, Any]]] = {}
    for each in built(described).of_type(VOLUME):
        found.setdefault(each.inputs["spec"]["claimRef"]["name"], []).append(each.inputs["spec"])

    for name, volumes in found.items():
        assert {str(each["csi"].get("volumeAttributes")) for each in volumes} == {
            str(volumes[0]["csi"].get("volumeAttributes"))
        }
        assert {str(each.get("mountOptions")) for each in volumes} == {str(volumes[0].get("mountOptions"))}
        handles = {each["csi"]["volumeHandle"] for each in volumes}
        # Mountpoint wants a handle for each volume, and finds the bucket by an attribute; other handles name storage.
        by_attributes = volumes[0]["csi"]["driver"] == "s3.csi.aws.com"
        assert len(handles) == (len(volumes) if by_attributes else 1), name


@CLOUDS
@pytest.mark.parametrize(("namespace", "writes"), [("ml-vision", False), ("speech", True)])
def test_a_job_of_a_team_writes_where_the_team_may(described: dict[str, Any], namespace: str, writes: bool) -> None:
    if described["cloud"]["provider"] == "gcp":  # pods on its RDMA mount directories of the node, which teams may not
        described = changed("node_pools.1.fabric", "none", described)

    printed = job_manifests(parse(described), JobRequest(namespace=namespace))

    bucket = described["storage"][0]["name"]
    (pod,) = (each["spec"]["template"]["spec"] for each in printed if each["kind"] == "Job")
    mounts = {each["name"]: each for each in pod["containers"][0]["volumeMounts"]}
    assert mounts[bucket].get("readOnly", False) is not writes
    assert mounts["home"]["mountPath"] == "/home"
    assert "closed" not in mounts


@CLOUDS
def test_the_policy_on_claims_lets_those_of_the_platform_pass(described: dict[str, Any]) -> None:
    graph = built(described)

    policies = {each.inputs["metadata"]["name"]: each for each in graph.of_type(POLICY)}
    (rule,) = policies["penstock-claims"].inputs["spec"]["validations"]
    teams = {"ml-vision": "vision", "speech": "speech"}
    prefix = rule["expression"].partition("startsWith('")[2].partition("'")[0]
    for claim in graph.of_type("kubernetes:core/v1:PersistentVolumeClaim"):
        home = claim.inputs["metadata"]["namespace"]
        if home in teams:
            assert claim.inputs["spec"]["volumeName"].startswith(f"{prefix}{teams[home]}--")


def test_a_bucket_names_the_namespace_of_a_team() -> None:
    assert findings(with_teams(TRAINING)) == []

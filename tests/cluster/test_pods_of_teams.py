"""Namespaces of teams on a real API server: no pod of a team jumps the queue, or outranks those of the system."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.cluster.api import Refused
from tests.cluster.control_plane import ControlPlane
from tests.cluster.objects import manifests
from tests.descriptions import ONPREM_TRAINING, changed

from penstock import description
from penstock.platform import Platform
from penstock.testing import rehearse

pytestmark = pytest.mark.cluster

TEAMS = {"teams": [{"name": "vision", "groups": ["ml-vision"]}]}
PATIENCE_S = 30
KINDS = ("Namespace", "ResourceQuota", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")
CLASS = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "huge"}, "value": 10**6}


@pytest.fixture(scope="module")
def teams(bare_cluster: ControlPlane) -> ControlPlane:
    """A server with what Penstock sets up for the namespaces of teams."""
    described = changed("addons.queueing", TEAMS, ONPREM_TRAINING)
    graph = rehearse(lambda: Platform(description.parse(described))).graph
    bare_cluster.api.apply(CLASS)
    for kind in KINDS:
        for _, manifest in manifests(graph):
            if manifest["kind"] == kind:
                bare_cluster.api.apply(dict(manifest))
    return bare_cluster


def job(namespace: str, **pod: Any) -> dict[str, Any]:
    containers = [{"name": "main", "image": "busybox:1.37", "securityContext": {"allowPrivilegeEscalation": False}}]
    template = {"spec": {"restartPolicy": "Never", "containers": containers, **pod}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "it", "namespace": namespace},
        "spec": {"template": template},
    }


def test_a_job_of_a_team_names_no_class_of_the_scheduler(teams: ControlPlane) -> None:
    refused = job("vision", priorityClassName="huge")

    assert soon(lambda: "Pods of teams name no priorityClassName" in words_on(teams, refused))
    teams.api.create(job("vision"), dry_run=True)
    teams.api.create(job("default", priorityClassName="huge"), dry_run=True)


def test_no_pod_of_a_team_is_critical_for_the_system(teams: ControlPlane) -> None:
    pod = pod_of("vision", priorityClassName="system-node-critical")

    assert soon(lambda: "exceeded quota: critical-pods" in words_on(teams, pod))


@pytest.mark.parametrize(
    "volume",
    [
        {"nfs": {"server": "10.0.0.9", "path": "/exports/shared/speech"}},
        {"csi": {"driver": "nfs.csi.k8s.io", "volumeAttributes": {"server": "10.0.0.9", "share": "/exports"}}},
    ],
    ids=["nfs", "csi"],
)
def test_a_pod_of_a_team_mounts_no_server(teams: ControlPlane, volume: dict[str, Any]) -> None:
    pod = pod_of("vision", volumes=[{"name": "data", **volume}])

    assert soon(lambda: "Pods of teams mount claims" in words_on(teams, pod))


def test_a_pod_of_a_team_mounts_claims(teams: ControlPlane) -> None:
    claim = {"persistentVolumeClaim": {"claimName": "checkpoints"}}
    pod = pod_of("vision", volumes=[{"name": "data", **claim}, {"name": "cache", "emptyDir": {}}])

    assert words_on(teams, pod) == ""


@pytest.mark.parametrize("volume", ["platform-prod-queueing-night-vision--home", "pvc-of-somebody"])
def test_a_claim_of_a_team_names_no_volume_of_others(teams: ControlPlane, volume: str) -> None:
    assert soon(lambda: "Claims of teams name no volume of others" in words_on(teams, claim_of("vision", volume)))
    assert words_on(teams, claim_of("default", volume)) == ""


@pytest.mark.parametrize("volume", ["platform-prod-queueing-vision--home", None])
def test_a_claim_of_a_team_names_its_volume_or_none(teams: ControlPlane, volume: str | None) -> None:
    assert words_on(teams, claim_of("vision", volume)) == ""


def test_a_service_of_a_team_takes_no_address_of_others(teams: ControlPlane) -> None:
    addresses = ["10.0.0.9"]

    assert soon(lambda: "Services of teams have no externalIPs" in words_on(teams, service_of("vision", addresses)))
    assert words_on(teams, service_of("vision", None)) == ""
    assert words_on(teams, service_of("default", addresses)) == ""


def service_of(namespace: str, addresses: list[str] | None) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "it", "namespace": namespace},
        "spec": {"ports": [{"port": 443}], **({"externalIPs": addresses} if addresses else {})},
    }


def claim_of(namespace: str, volume: str | None) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": namespace},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "resources": {"requests": {"storage": "1Gi"}},
            **({"volumeName": volume} if volume else {}),
        },
    }


def pod_of(namespace: str, **spec: Any) -> dict[str, Any]:
    template = job(namespace, **spec)["spec"]["template"]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "it", "namespace": namespace}, **template}


def words_on(cluster: ControlPlane, manifest: dict[str, Any]) -> str:
    """Why the server does not take an object; empty where it does."""
    try:
        cluster.api.create(manifest, dry_run=True)
    except Refused as refused:
        return str(refused)
    return ""


def soon(holds: Callable[[], bool]) -> bool:
    """Return whether something holds before long: policies and quotas take effect a moment after they are there."""
    last = time.monotonic() + PATIENCE_S
    while time.monotonic() < last:
        if holds():
            return True
        time.sleep(0.5)
    return False

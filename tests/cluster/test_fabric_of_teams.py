"""Pods of teams on a real API server use their fabric, and do no more than that of what Pod Security refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest
from tests.cluster.control_plane import ControlPlane
from tests.cluster.objects import manifests
from tests.cluster.test_pods_of_teams import KINDS, TEAMS, soon, words_on
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, changed

from penstock.description import Spec, parse
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

pytestmark = pytest.mark.cluster


def on_google(machine_type: str) -> Mapping[str, Any]:
    pool = {"name": "train", "accelerator": "h100", "machine_type": machine_type, "nodes": 2, "capacity": "spot"}
    return changed("node_pools", [pool | {"zone": "us-central1-a"}], GCP_TRAINING)


H200 = {"name": "train", "accelerator": "h200", "nodes": 2, "capacity": "spot", "zone": "us-central1-b"}
DESCRIBED: Mapping[str, Mapping[str, Any]] = {
    "tcpx": on_google("a3-highgpu-8g"),
    "tcpxo": on_google("a3-megagpu-8g"),
    "gib": changed("node_pools", [H200], GCP_TRAINING),
    "roce": ONPREM_TRAINING,
}
HOST = {"name": "node", "hostPath": {"path": "/etc"}}


def with_team(description: Mapping[str, Any]) -> Spec:
    return parse(changed("addons", {"queueing": TEAMS}, description))


def pod(description: Mapping[str, Any]) -> dict[str, Any]:
    """A pod of the job that is printed for a team."""
    *_, job = job_manifests(with_team(description), JobRequest(namespace="vision", nodes=2))
    template = deepcopy(job["spec"]["template"])
    metadata = {"name": "it", "namespace": "vision", **template.get("metadata", {})}
    # Runtime classes come with add-ons that are not here.
    template["spec"].pop("runtimeClassName", None)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def guarded(cluster: ControlPlane, fabric: str) -> ControlPlane:
    graph = rehearse(lambda: Platform(with_team(DESCRIBED[fabric]))).graph
    for kind in KINDS:
        for _, manifest in manifests(graph):
            if manifest["kind"] == kind:
                cluster.api.apply(dict(manifest))
    broken = pod(DESCRIBED[fabric])
    broken["metadata"].setdefault("annotations", {})["devices.gke.io/container.node"] = f"- path: /dev/{fabric}\n"
    assert soon(lambda: "name no device of the node" in words_on(cluster, broken))
    return cluster


@pytest.mark.parametrize("fabric", DESCRIBED)
def test_the_job_that_is_printed_for_a_team_is_taken(bare_cluster: ControlPlane, fabric: str) -> None:
    cluster = guarded(bare_cluster, fabric)

    assert soon(lambda: words_on(cluster, pod(DESCRIBED[fabric])) == "")


@pytest.fixture(scope="module")
def gpudirect(bare_cluster: ControlPlane) -> ControlPlane:
    cluster = guarded(bare_cluster, "tcpx")
    assert soon(lambda: words_on(cluster, pod(DESCRIBED["tcpx"])) == "")
    return cluster


def daemon(it: dict[str, Any]) -> dict[str, Any]:
    (found,) = it["spec"]["initContainers"]
    return dict(found)


def with_daemon(**fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(it: dict[str, Any]) -> None:
        it["spec"]["initContainers"] = [daemon(it) | fields]

    return change


def with_container(**fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(it: dict[str, Any]) -> None:
        it["spec"]["containers"][0] |= fields

    return change


def with_pod(**fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(it: dict[str, Any]) -> None:
        it["spec"] |= fields

    return change


def mounting(container: str, **mount: Any) -> Callable[[dict[str, Any]], None]:
    def change(it: dict[str, Any]) -> None:
        it["spec"][container][0]["volumeMounts"].append(mount)

    return change


def with_volume(**volume: Any) -> Callable[[dict[str, Any]], None]:
    def change(it: dict[str, Any]) -> None:
        it["spec"]["volumes"].append(volume)

    return change


def its_libraries(it: dict[str, Any]) -> None:
    """Libraries of the job's own, which the daemon would load."""
    it["spec"]["volumes"].append({"name": "evil", "emptyDir": {}})
    for mount in it["spec"]["initContainers"][0]["volumeMounts"]:
        if mount["mountPath"] == "/usr/local/nvidia/lib64":
            mount["name"] = "evil"


def written_libraries(it: dict[str, Any]) -> None:
    for mount in it["spec"]["containers"][0]["volumeMounts"]:
        mount.pop("readOnly", None)


def capable(*names: str) -> dict[str, Any]:
    return {"allowPrivilegeEscalation": False, "capabilities": {"add": list(names)}}


BROKEN: Mapping[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a directory of the node": (with_volume(**HOST), "no directory of the node"),
    "libraries that it writes": (written_libraries, "readOnly and whole"),
    "what the daemon alone sees": (mounting("containers", name="proc-sys", mountPath="/x"), "readOnly and whole"),
    "a capability of the daemon": (with_container(securityContext=capable("NET_ADMIN")), "add no capability"),
    "another image as the daemon": (with_daemon(image="busybox:1.37"), "one that `penstock jobs` prints"),
    "another command of the daemon": (with_daemon(command=["/bin/sh", "-c", "id"]), "one that `penstock jobs` prints"),
    "arguments of the daemon": (with_daemon(args=["x"]), "one that `penstock jobs` prints"),
    "a hook of the daemon": (
        with_daemon(lifecycle={"postStart": {"exec": {"command": ["id"]}}}),
        "one that `penstock jobs` prints",
    ),
    "a variable of the daemon": (
        with_daemon(env=[{"name": "LD_PRELOAD", "value": "/run/tcpx/it.so"}]),
        "one that `penstock jobs` prints",
    ),
    "more of the daemon": (with_daemon(securityContext=capable("SYS_ADMIN")), "one that `penstock jobs` prints"),
    "libraries for the daemon": (its_libraries, "one that `penstock jobs` prints"),
    "a script for the daemon": (
        mounting("initContainers", name="shared--memory", mountPath="/tcpgpudmarxd"),
        "one that `penstock jobs` prints",
    ),
    "processes with the daemon": (with_pod(shareProcessNamespace=True), "one that `penstock jobs` prints"),
    "the network of the node": (with_pod(hostNetwork=True), "no namespace of their node"),
    "processes of the node": (with_pod(hostPID=True), "no namespace of their node"),
    "privileges": (with_container(securityContext={"privileged": True}), "not privileged"),
    "a port of the node": (with_container(ports=[{"containerPort": 80, "hostPort": 80}]), "no hostPort"),
    "a probe of another host": (
        with_container(livenessProbe={"tcpSocket": {"port": 80, "host": "10.0.0.1"}}),
        "probe no other host",
    ),
    "no seccomp": (with_pod(securityContext={"seccompProfile": {"type": "Unconfined"}}), "confined by seccomp"),
    "no AppArmor": (
        with_container(securityContext={"appArmorProfile": {"type": "Unconfined"}}),
        "confined by AppArmor",
    ),
    "SELinux": (with_pod(securityContext={"seLinuxOptions": {"type": "spc_t"}}), "SELinux"),
    "all of proc": (with_container(securityContext={"procMount": "Unmasked"}), "procMount"),
    "a sysctl": (with_pod(securityContext={"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}), "sysctls"),
}


def test_the_printed_job_of_a_team_is_taken_before_it_is_changed(gpudirect: ControlPlane) -> None:
    assert words_on(gpudirect, pod(DESCRIBED["tcpx"])) == ""


@pytest.mark.parametrize("case", BROKEN)
def test_whatever_does_more_is_refused(gpudirect: ControlPlane, case: str) -> None:
    change, says = BROKEN[case]
    it = pod(DESCRIBED["tcpx"])
    change(it)

    assert says in words_on(gpudirect, it)

"""The gate of new nodes on a real API server: whoever tests a node lets work onto it, and may do nothing else to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from tests.cluster.api import Object, Refused
from tests.cluster.control_plane import ControlPlane
from tests.cluster.nodes import join
from tests.cluster.objects import manifests
from tests.descriptions import ONPREM_TRAINING, changed
from tests.kubernetes.clusters import cluster_of

from penstock import description
from penstock.addons.health import node_check, node_mark
from penstock.addons.health.node_check import node_checks
from penstock.description.nodes.startup import UNCHECKED
from penstock.platform import Platform
from penstock.testing import rehearse

pytestmark = pytest.mark.cluster

KINDS: Final = (
    "ServiceAccount",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "DaemonSet",
)
TAINT: Final = {"key": UNCHECKED, "value": "true", "effect": "NoSchedule"}
OTHER: Final = {"key": "example.com/team", "value": "vision", "effect": "NoSchedule"}
PRODUCT: Final = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
PATIENCE_S: Final = 30


@pytest.fixture(scope="module")
def gate(bare_cluster: ControlPlane) -> ControlPlane:
    """A server with the gate, and two new nodes with GPUs."""
    described = changed("addons.health", {"gate": True}, ONPREM_TRAINING)
    graph = rehearse(lambda: Platform(description.parse(described))).graph
    objects = [dict(manifest) for _, manifest in manifests(graph)]
    for kind in KINDS:
        for manifest in objects:
            if manifest["kind"] == kind and "check" in manifest["metadata"]["name"]:
                bare_cluster.api.apply(manifest)
    bare_cluster.api.apply(marks(described))
    join(bare_cluster.api, [node("new-0"), node("new-1")])
    soon(lambda: len(checks(bare_cluster)) == 2)
    return bare_cluster


def marks(described: Mapping[str, Any]) -> Object:
    """What labels nodes where no kubelet does, as on GKE."""
    (check,) = node_checks(cluster_of(described))
    labels = {"app.kubernetes.io/name": node_mark.name_of(check)}
    template = {"metadata": {"labels": labels}, "spec": node_mark.pod(check, "example.com/pytorch")}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": node_mark.name_of(check), "namespace": "kube-system"},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    }


def node(name: str) -> Object:
    offered = {"cpu": "224", "memory": "2Ti", "pods": "110", "nvidia.com/gpu": "8"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**PRODUCT, UNCHECKED: "true", "kubernetes.io/hostname": name}},
        "spec": {"taints": [OTHER, TAINT]},
        "status": {"capacity": offered, "allocatable": offered},
    }


def checks(cluster: ControlPlane, called: str = "node-check-") -> dict[str, Object]:
    """The pods that test nodes, or those that are called otherwise, by node, once they run."""
    pods = cluster.api.objects("v1", "Pod", "kube-system")
    its = [each for each in pods if each["metadata"]["name"].startswith(called)]
    return {each["spec"]["nodeName"]: each for each in its if each["status"].get("phase") == "Running"}


def found(cluster: ControlPlane, name: str) -> Object:
    existing = cluster.api.get("v1", "Node", name)
    assert existing is not None
    return existing


def soon(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE_S
    while not (held := holds()) and time.monotonic() < until:
        time.sleep(0.3)
    return held


def refusal(cluster: ControlPlane, name: str, change: Mapping[str, Any], *, by: str) -> str:
    """The words with which the server refuses that the pod on one node changes another; empty where it does not."""
    account = cluster.api.as_who_has(cluster.api.token_of(checks(cluster)[by]))
    try:
        account.try_merge({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}, change)
    except Refused as refused:
        return str(refused)
    return ""


def test_the_test_waits_on_every_new_node_and_has_all_its_gpus(gate: ControlPlane) -> None:
    assert set(checks(gate)) == {"new-0", "new-1"}


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"taints": [TAINT]}},
        {"spec": {"taints": []}},
        {"spec": {"taints": [OTHER, {**TAINT, "effect": "NoExecute"}]}},
        {"spec": {"taints": [OTHER, {**TAINT, "key": "example.com/mine"}]}},
        {"spec": {"unschedulable": True}},
        {"spec": {"providerID": "aws:///us-east-1a/i-0"}},
        {"metadata": {"labels": {"node-role.kubernetes.io/control-plane": ""}}},
        {"metadata": {"labels": {"nvidia.com/gpu.product": None}}},
        {"metadata": {"labels": {UNCHECKED: "false"}}},
        {"metadata": {"labels": {"example.com/mine": "1"}}},
        {"metadata": {"annotations": {"example.com/mine": "1"}}},
        {"metadata": {"finalizers": ["example.com/mine"]}},
    ],
    ids=json.dumps,
)
def test_the_account_changes_nothing_but_what_keeps_work_off(gate: ControlPlane, change: Mapping[str, Any]) -> None:
    assert soon(lambda: "node-check" in refusal(gate, "new-0", change, by="new-0"))


def test_the_account_lets_work_onto_its_own_node_only(gate: ControlPlane) -> None:
    change = {"spec": {"taints": [OTHER]}, "metadata": {"labels": {UNCHECKED: None}}}

    assert refusal(gate, "new-0", change, by="new-0") == ""
    assert soon(lambda: "the node that its pod is on" in refusal(gate, "new-1", change, by="new-0"))


def run_check(gate: ControlPlane, folder: Path, name: str, *, gpus: int) -> subprocess.Popen[str]:
    """The program of the pod on a node, beside programs that report what those of its image should."""
    programs = folder / "bin"
    programs.mkdir()
    listing = "\n".join(f"GPU {index}: NVIDIA H100 80GB HBM3" for index in range(gpus))
    for called, text in (("nvidia-smi", f"cat <<'EOF'\n{listing}\nEOF"), ("torchrun", 'echo "$@"')):
        (programs / called).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (programs / called).chmod(0o755)
    return run(gate, folder, node_check.SCRIPT, checks(gate)[name])


def run(gate: ControlPlane, folder: Path, script: str, pod: Object) -> subprocess.Popen[str]:
    """A program of the ConfigMap, with the rights of a pod."""
    (folder / node_check.SCRIPT).write_text(node_check.script(), encoding="utf-8")
    (folder / node_mark.SCRIPT).write_text(node_mark.script(), encoding="utf-8")
    (folder / "token").write_text(gate.api.token_of(pod), encoding="utf-8")
    certificate = gate.kubeconfig.parent / "certs" / "apiserver.crt"
    (folder / "ca.crt").write_text(certificate.read_text(encoding="utf-8"), encoding="utf-8")
    env = {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "API": gate.api.server,
        "ACCOUNT": str(folder),
        "FAILED": str(folder / "failed"),
        "NODE": pod["spec"]["nodeName"],
        "GPUS": "8",
        "TAINT": UNCHECKED,
        "PAUSE_S": "0.2",
    }
    command = [sys.executable, str(folder / script)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_a_node_that_fails_takes_no_work_however_often_it_is_tried(gate: ControlPlane, tmp_path: Path) -> None:
    failed = run_check(gate, tmp_path, "new-1", gpus=7)

    assert "new-1 takes no work: 7 of 8 GPUs are visible" in failed.communicate(timeout=60)[0]
    assert failed.returncode == 1
    assert (tmp_path / "failed").read_text(encoding="utf-8") == "7 of 8 GPUs are visible"
    assert found(gate, "new-1")["spec"]["taints"] == [OTHER, TAINT]


def test_a_node_with_the_taint_alone_is_marked_for_its_test(gate: ControlPlane, tmp_path: Path) -> None:
    labels = {**PRODUCT, "kubernetes.io/hostname": "new-2"}
    join(gate.api, [{**node("new-2"), "metadata": {"name": "new-2", "labels": labels}}])
    assert soon(lambda: "new-2" in checks(gate, "node-mark-"))
    assert "new-2" not in checks(gate)

    marking = run(gate, tmp_path, node_mark.SCRIPT, checks(gate, "node-mark-")["new-2"])
    try:
        assert soon(lambda: "new-2" in checks(gate))
    finally:
        marking.terminate()
        words = marking.communicate(timeout=60)[0]
    assert words == "new-2 waits for its test\n"
    assert found(gate, "new-2")["metadata"]["labels"][UNCHECKED] == "true"
    assert found(gate, "new-2")["spec"]["taints"] == [OTHER, TAINT]


def test_a_node_that_passes_takes_work_and_has_its_gpus_back(gate: ControlPlane, tmp_path: Path) -> None:
    passed = run_check(gate, tmp_path, "new-0", gpus=8)
    try:
        assert soon(lambda: found(gate, "new-0")["spec"]["taints"] == [OTHER])
        assert UNCHECKED not in found(gate, "new-0")["metadata"]["labels"]
        assert soon(lambda: "new-0" not in checks(gate))
    finally:
        passed.terminate()
        words = passed.communicate(timeout=60)[0]
    assert "--nproc-per-node=8" in words
    assert "new-0 passes, and takes work" in words

"""Pods that wait, with Karpenter itself and its simulated machines: which it starts for the pools of a platform."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.cluster import binaries
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import rendered
from tests.cluster.stand_ins import MIRROR
from tests.descriptions import GONE, changed

from penstock import spec
from penstock.jobs import JobRequest, job_manifests
from penstock.kubernetes.job_pods import CONTAINER
from penstock.spec.nodes import PoolNodes, nodes_of
from penstock.testing import rehearse

PROGRAM, CHART = "karpenter-kwok", "karpenter-crd"
LACKING = "" if binaries.find(PROGRAM) and binaries.find("helm") else f"{PROGRAM} and helm are not both there"
if not LACKING and not (MIRROR and Path(MIRROR, CHART).is_dir()):
    LACKING = f"PENSTOCK_CHARTS names no folder with the chart {CHART}"

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

MOST = 2
ON_DEMAND = changed("node_pools.1.capacity", "on_demand", changed("node_pools.1.reservation", GONE))
DESCRIPTION = changed("cluster.autoscaling", "karpenter", changed("node_pools.1.nodes.max", MOST, ON_DEMAND))
NODE_CLASS = {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "default"}
GPU = "nvidia.com/gpu"
PATIENCE_S = 90


def pool() -> PoolNodes:
    (found,) = (each for each in nodes_of(spec.parse(DESCRIPTION)) if each.accelerators)
    return found


@pytest.fixture(scope="module")
def karpenter(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with Karpenter, the pools of a platform, and machines as the catalogue knows them."""
    folder = tmp_path_factory.mktemp("karpenter")
    for each in rendered(CHART, "kube-system", {}, folder):
        if each["kind"] == "CustomResourceDefinition":
            asked_cluster.api.apply(each, strict=False)
            asked_cluster.api.await_kind(f"{each['spec']['group']}/{served(each)}", each["spec"]["names"]["kind"])
    asked_cluster.api.apply(definition())
    asked_cluster.api.await_kind("karpenter.kwok.sh/v1alpha1", "KWOKNodeClass")
    asked_cluster.api.apply(node_class())
    machines = folder / "machines.json"
    machines.write_text(json.dumps([machine(pool())]), encoding="utf-8")
    asked_cluster.start(
        PROGRAM,
        f"--instance-types-file-path={machines}",
        f"--metrics-port={free_port()}",
        f"--health-probe-port={free_port()}",
        "--disable-leader-election=true",
        "--feature-gates=NodeOverlay=true",
        variables={"SYSTEM_NAMESPACE": "kube-system"},
    )
    for found in rehearse(DESCRIPTION).graph:
        if found.type in ("kubernetes:karpenter.sh/v1:NodePool", "kubernetes:karpenter.sh/v1alpha1:NodeOverlay"):
            asked_cluster.api.apply(on_simulated_machines(dict(found.inputs)))
    return asked_cluster


def served(definition_: Object) -> str:
    return str(next(each["name"] for each in definition_["spec"]["versions"] if each["served"]))


def definition() -> Object:
    """The kind of the simulated machines, without fields of its own."""
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": "v1alpha1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": free},
    }
    names = {
        "kind": "KWOKNodeClass",
        "plural": "kwoknodeclasses",
        "singular": "kwoknodeclass",
        "listKind": "KWOKNodeClassList",
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kwoknodeclasses.karpenter.kwok.sh"},
        "spec": {"group": "karpenter.kwok.sh", "names": names, "scope": "Cluster", "versions": [version]},
    }


def node_class() -> Object:
    """The class of the simulated machines; ready, as the provider of a cloud would say of its own."""
    ready = {
        "type": "Ready",
        "status": "True",
        "reason": "Simulated",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
        "observedGeneration": 1,
    }
    return {
        "apiVersion": "karpenter.kwok.sh/v1alpha1",
        "kind": "KWOKNodeClass",
        "metadata": {"name": "default"},
        "status": {"conditions": [ready]},
    }


def machine(nodes: PoolNodes) -> dict[str, Any]:
    """A machine of a pool as the simulated provider sells it: on demand, in one zone."""
    sold = {"karpenter.sh/capacity-type": "on-demand", "topology.kubernetes.io/zone": "us-east-1a"}
    wanted = [{"key": key, "operator": "In", "values": [value]} for key, value in sold.items()]
    offered = {name: str(count) for name, count in nodes.devices.items()}
    return {
        "name": nodes.machine_type,
        "architecture": "amd64",
        "operatingSystems": ["linux"],
        "offerings": [{"Price": 98.32, "Available": True, "Requirements": wanted}],
        "resources": {"cpu": str(nodes.vcpu), "memory": f"{int(nodes.memory_gib or 0)}Gi", "pods": "110", **offered},
    }


def on_simulated_machines(manifest: Object) -> Object:
    """A pool whose machines are simulated, in place of those of EC2."""
    if manifest["kind"] != "NodePool":
        return manifest
    template = manifest["spec"]["template"]
    of_pool = {**template["spec"], "nodeClassRef": NODE_CLASS}
    return {**manifest, "spec": {**manifest["spec"], "template": {**template, "spec": of_pool}}}


def pod(name: str) -> Object:
    """A pod as printed jobs have it on the pool, without claims."""
    plain = spec.parse(changed("storage", [], DESCRIPTION))
    (job,) = (each for each in job_manifests(plain, JobRequest(nodes=1)) if each["kind"] == "Job")
    its = dict(job["spec"]["template"]["spec"])
    its.pop("subdomain", None)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"}, "spec": its}


def started(cluster: ControlPlane) -> list[Object]:
    return [each for each in cluster.api.objects("v1", "Node") if "karpenter.sh/nodepool" in each["metadata"]["labels"]]


def awaited(cluster: ControlPlane, count: int) -> list[Object]:
    for _ in range(PATIENCE_S):
        if len(found := started(cluster)) >= count:
            return found
        time.sleep(1)
    raise AssertionError(cluster.log(PROGRAM))


def place(cluster: ControlPlane, name: str) -> str:
    """The node of a pod; empty where the scheduler finds none."""
    for _ in range(PATIENCE_S):
        found = cluster.api.get("v1", "Pod", name, "default")
        if found is not None and (node := found["spec"].get("nodeName")):
            return str(node)
        time.sleep(1)
    return ""


def test_a_plain_pod_starts_no_machine_with_accelerators(karpenter: ControlPlane) -> None:
    container = {"name": CONTAINER, "image": "busybox:1.37"}
    plain = {"containers": [container], "nodeSelector": {"kubernetes.io/os": "linux"}}
    karpenter.api.create(
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "plain", "namespace": "default"}, "spec": plain}
    )

    time.sleep(15)

    assert started(karpenter) == []


def test_a_job_gets_a_machine_with_all_that_the_pool_promises(karpenter: ControlPlane) -> None:
    karpenter.api.create(pod("first"))

    (node,) = awaited(karpenter, 1)
    assert place(karpenter, "first") == node["metadata"]["name"]
    (node,) = started(karpenter)  # Karpenter adds labels and taints as the machine joins

    promised = pool()
    assert promised.selector.items() <= node["metadata"]["labels"].items()
    assert node["metadata"]["labels"]["node.kubernetes.io/instance-type"] == promised.machine_type
    offered = node["status"]["allocatable"]
    assert {name: offered[name] for name in promised.devices} == {
        name: str(count) for name, count in promised.devices.items()
    }
    taints = {(each["key"], each.get("value"), each["effect"]) for each in node["spec"]["taints"]}
    assert {(each.key, each.value, each.effect) for each in promised.taints} <= taints


def test_no_more_machines_start_than_the_pool_may_have(karpenter: ControlPlane) -> None:
    for name in ("second", "third", "fourth"):
        karpenter.api.create(pod(name))

    awaited(karpenter, MOST)
    time.sleep(20)

    assert len(started(karpenter)) == MOST

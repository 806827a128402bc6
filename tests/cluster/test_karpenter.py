"""Pods that wait, with Karpenter itself and its simulated machines: which it starts for the pools of a platform."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.cluster import simulated_machines
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane
from tests.cluster.simulated_machines import PROGRAM, on_simulated_machines, started
from tests.descriptions import GONE, changed

from penstock import description
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.jobs import JobRequest, job_manifests
from penstock.kubernetes.components.job_pods import CONTAINER
from penstock.testing import rehearse

LACKING = simulated_machines.missing()

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

MOST = 2
ON_DEMAND = changed("node_pools.1.capacity", "on_demand", changed("node_pools.1.reservation", GONE))
DESCRIPTION = changed("cluster.autoscaling", "karpenter", changed("node_pools.1.nodes.max", MOST, ON_DEMAND))
GPU = "nvidia.com/gpu"
PATIENCE_S = 90


def pool() -> PoolNodes:
    (found,) = (each for each in nodes_of(description.parse(DESCRIPTION)) if each.accelerators)
    return found


@pytest.fixture(scope="module")
def karpenter(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with Karpenter, the pools of a platform, and machines as the catalogue knows them."""
    simulated_machines.start(asked_cluster, tmp_path_factory.mktemp("karpenter"), [machine(pool())])
    for found in rehearse(DESCRIPTION).graph:
        if found.type in ("kubernetes:karpenter.sh/v1:NodePool", "kubernetes:karpenter.sh/v1alpha1:NodeOverlay"):
            asked_cluster.api.apply(on_simulated_machines(dict(found.inputs)))
    return asked_cluster


def machine(nodes: PoolNodes) -> dict[str, Any]:
    """A machine of a pool as the simulated provider sells it: on demand, in one zone."""
    offered = {name: str(count) for name, count in nodes.devices.items()}
    resources = {"cpu": str(nodes.vcpu), "memory": f"{int(nodes.memory_gib or 0)}Gi", **offered}
    assert nodes.machine_type is not None
    return simulated_machines.machine(nodes.machine_type, resources, ways=["on-demand"], zones=["us-east-1a"])


def pod(name: str) -> Object:
    """A pod as printed jobs have it on the pool, without claims."""
    plain = description.parse(changed("storage", [], DESCRIPTION))
    (job,) = (each for each in job_manifests(plain, JobRequest(nodes=1)) if each["kind"] == "Job")
    its = dict(job["spec"]["template"]["spec"])
    its.pop("subdomain", None)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"}, "spec": its}


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

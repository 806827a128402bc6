"""Jobs in a queue, performed: Kueue admits some, the scheduler places them on the right machines, the rest waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.cluster.contents import clear_nodes
from tests.cluster.control_plane import STAYS, ControlPlane
from tests.cluster.controllers import KUEUE
from tests.cluster.nodes import join, machines

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(KUEUE.missing()), reason=KUEUE.missing())]

GPU = "nvidia.com/gpu"
POOL = "penstock.dev/pool"
PATIENCE_S = 60


@pytest.fixture
def queue(kueue: ControlPlane) -> Iterator[ControlPlane]:
    """The machines of `aws-train`, and a queue that hands out eight of its GPUs."""
    join(kueue.api, machines("aws-train"))
    taint = {"key": GPU, "value": "present", "effect": "NoSchedule"}
    preemption = {"withinClusterQueue": "LowerPriority"}
    group = {
        "coveredResources": [GPU],
        "flavors": [{"name": "train", "resources": [{"name": GPU, "nominalQuota": 8}]}],
    }
    objects = [
        manifest("ResourceFlavor", "train", spec={"nodeLabels": {POOL: "train"}, "nodeTaints": [taint]}),
        manifest(
            "ClusterQueue",
            "team",
            spec={"resourceGroups": [group], "namespaceSelector": {}, "preemption": preemption},
        ),
        manifest("LocalQueue", "jobs", namespace="default", spec={"clusterQueue": "team"}),
        manifest("WorkloadPriorityClass", "urgent", value=1000),
    ]
    for each in objects:
        kueue.api.apply(each)
    yield kueue
    for name in ("first", "second"):
        kueue.api.delete(job(name, 0))
    for each in reversed(objects):
        kueue.api.delete(each)
    clear_nodes(kueue.api)


def test_a_second_job_waits_until_the_first_has_gone(queue: ControlPlane) -> None:
    queue.api.create(job("first", 6))
    assert soon(lambda: nodes_of(queue, "first"))
    queue.api.create(job("second", 6))
    assert soon(lambda: "insufficient unused quota" in waiting(queue, "second"))
    assert nodes_of(queue, "second") == set()

    queue.api.delete(job("first", 6))

    assert soon(lambda: nodes_of(queue, "second"))


def test_an_urgent_job_takes_the_machines_and_the_other_comes_back(queue: ControlPlane) -> None:
    queue.api.create(job("first", 6))
    assert soon(lambda: nodes_of(queue, "first"))

    queue.api.create(job("second", 6, priority="urgent"))

    assert soon(lambda: nodes_of(queue, "second") and not nodes_of(queue, "first"))
    queue.api.delete(job("second", 6))
    assert soon(lambda: nodes_of(queue, "first"))


def test_pods_land_on_machines_of_the_pool_that_the_flavor_names(queue: ControlPlane) -> None:
    queue.api.create(job("first", 8))

    assert soon(lambda: nodes_of(queue, "first"))
    (name,) = nodes_of(queue, "first")
    node = queue.api.get("v1", "Node", name)
    assert node is not None
    assert node["metadata"]["labels"][POOL] == "train"


def manifest(kind: str, name: str, *, namespace: str = "", **fields: Any) -> dict[str, Any]:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": metadata, **fields}


def job(name: str, gpus: int, *, priority: str = "") -> dict[str, Any]:
    labels = {"kueue.x-k8s.io/queue-name": "jobs"} | ({"kueue.x-k8s.io/priority-class": priority} if priority else {})
    container = {"name": "main", "image": "busybox:1.37", "resources": {"limits": {GPU: gpus}}}
    spec = {"restartPolicy": "Never", "containers": [container], "tolerations": [{"key": GPU, "operator": "Exists"}]}
    pods = {"metadata": {"labels": {STAYS: "on"}}, "spec": spec}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": labels},
        "spec": {"suspend": True, "template": pods},
    }


def nodes_of(cluster: ControlPlane, name: str) -> set[str]:
    """The machines that the pods of a job run on."""
    return {
        pod["spec"]["nodeName"]
        for pod in cluster.api.objects("v1", "Pod", "default")
        if pod["metadata"]["labels"].get("job-name") == name
        and pod["spec"].get("nodeName")
        and "deletionTimestamp" not in pod["metadata"]
    }


def waiting(cluster: ControlPlane, name: str) -> str:
    """Why Kueue keeps a job waiting, in its words."""
    return " ".join(
        condition["message"]
        for each in cluster.api.objects("kueue.x-k8s.io/v1beta2", "Workload", "default")
        if each["metadata"]["ownerReferences"][0]["name"] == name
        for condition in each.get("status", {}).get("conditions", [])
    )


def soon(holds: Callable[[], object]) -> bool:
    """Return whether something holds within a minute."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False

"""Answers of a cluster that exists, by kubectl, in the form of the Kubernetes API."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.environments import rehearsed
from tests.graphs import graph_of, resource
from tests.preflight.asking import about, described, replies
from tests.preflight.clusterserver import REVIEWS, ClusterServer, forbidden, kubectl_in, node

from penstock.core.errors import CannotAsk
from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.kubernetes.preflight import ClusterInquiry
from penstock.kubernetes.preflight.cluster import open_cluster
from penstock.preflight import Reply, Status

ONPREM, COREWEAVE, EDGE = "onprem-train", "coreweave-train", "edge"
H100 = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
SYSTEM = {"node-role.example.com/system": "true"}
WHOLE = {"nvidia.com/gpu": 8, "rdma/roce": 8}
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
DAEMON_SETS = "/apis/apps/v1/daemonsets"
DEFAULT = "storageclass.kubernetes.io/is-default-class"


@pytest.fixture(autouse=True)
def _kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", kubectl_in(tmp_path))


def answers(cluster: ClusterServer, folder: Path, stack: str = ONPREM, graph: Graph | None = None) -> dict[str, Reply]:
    graph = rehearsed(stack).graph if graph is None else graph
    there = open_cluster(str(cluster.kubeconfig(folder)), "test")
    platform = described(stack)
    return dict(replies("kubernetes", ClusterInquiry(there, Site(graph), platform), graph, platform))


def trained(count: int = 32, devices: Mapping[str, int] = WHOLE, **more: Any) -> list[dict[str, Any]]:
    """The nodes of the pool `train`."""
    return [node(f"train-{number}", H100, devices, **more) for number in range(count)]


def default_classes(*names: str) -> dict[str, Any]:
    """Storage classes that are all defaults."""
    return {"items": [{"metadata": {"name": name, "annotations": {DEFAULT: "true"}}} for name in names]}


def plugin(name: str, image: str, namespace: str = "kube-system") -> dict[str, Any]:
    """A daemon set with a device plugin."""
    volumes = [{"name": "p", "hostPath": {"path": "/var/lib/kubelet/device-plugins"}}]
    pod = {"containers": [{"name": "p", "image": image}], "volumes": volumes}
    return {"metadata": {"name": name, "namespace": namespace}, "spec": {"template": {"spec": pod}}}


@pytest.mark.slow
@pytest.mark.parametrize("stack", [ONPREM, COREWEAVE, EDGE])
def test_every_precondition_of_a_rehearsal_is_answered(cluster: ClusterServer, tmp_path: Path, stack: str) -> None:
    found = answers(cluster, tmp_path, stack)

    assert {each.what for each in rehearsed(stack).preconditions} <= set(found)
    assert about(found, "A cluster that exists").status is Status.MET


def test_nothing_is_sent_but_reads_and_reviews(cluster: ClusterServer, tmp_path: Path) -> None:
    answers(cluster, tmp_path)

    assert {(each.method, each.path) for each in cluster.requests if each.method != "GET"} == {("POST", REVIEWS)}


@pytest.mark.parametrize(
    ("nodes", "status", "shown"),
    [
        (trained(), Status.MET, "32 nodes"),
        (trained(31), Status.NOT_MET, "31 nodes have the labels; 32 are described"),
        (trained(devices={"rdma/roce": 8}), Status.MET, "once the platform has installed"),
        (trained(devices={**WHOLE, "nvidia.com/gpu": 4}), Status.NOT_MET, "4 nvidia.com/gpu, not 8"),
        (trained(taints=["team=vision:NoSchedule"]), Status.NOT_MET, "team=vision:NoSchedule"),
        (trained(taints=["nvidia.com/gpu=present:NoSchedule"]), Status.MET, "32 nodes"),
        (trained(ready=False), Status.NOT_MET, "0 of 32 nodes are ready"),
        ([*trained(0), node("a", {"nvidia.com/gpu.product": "A100"}, {})], Status.NOT_MET, "A100 (1)"),
    ],
)
def test_nodes_are_held_to_their_pool(
    cluster: ClusterServer, tmp_path: Path, nodes: list[dict[str, Any]], status: Status, shown: str
) -> None:
    cluster.has_nodes(*nodes)

    reply = about(answers(cluster, tmp_path), "of pool train")

    assert (reply.status, shown in reply.found) == (status, True), reply.found


def test_devices_that_the_cluster_brings_must_be_there(cluster: ClusterServer, tmp_path: Path) -> None:
    labels = {"node.kubernetes.io/instance-type": "gd-8xh100ib-i128"}
    cluster.has_nodes(*(node(f"n{number}", labels, {"rdma/ib": 1}) for number in range(16)))

    reply = about(answers(cluster, tmp_path, COREWEAVE), "of pool train")

    assert reply.status is Status.NOT_MET
    assert "16 of them offer 0 nvidia.com/gpu" in reply.found


@pytest.mark.parametrize(
    ("plugins", "status"),
    [
        ([], Status.MET),
        ([plugin("efa", "public.ecr.aws/eks/aws-efa-k8s-device-plugin:1")], Status.MET),
        ([plugin("nvidia", "nvcr.io/nvidia/k8s-device-plugin:v0.17")], Status.NOT_MET),
    ],
)
def test_a_second_advertiser_is_found(
    cluster: ClusterServer, tmp_path: Path, plugins: list[dict[str, Any]], status: Status
) -> None:
    cluster.answers[DAEMON_SETS] = {"items": plugins}

    assert about(answers(cluster, tmp_path), "A single advertiser of nvidia.com/gpu").status is status


@pytest.mark.parametrize(("count", "status"), [(1, Status.MET), (2, Status.NOT_MET)])
def test_a_cluster_that_brings_devices_has_one_advertiser(
    cluster: ClusterServer, tmp_path: Path, count: int, status: Status
) -> None:
    image = "nvcr.io/nvidia/k8s-device-plugin:v0.17"
    cluster.answers[DAEMON_SETS] = {"items": [plugin(f"nvidia-{number}", image) for number in range(count)]}

    assert about(answers(cluster, tmp_path, COREWEAVE), "A single advertiser of nvidia.com/gpu").status is status


@pytest.mark.parametrize(
    ("there", "own", "status"),
    [
        ((), False, Status.MET),
        (("a",), False, Status.MET),
        (("a", "b"), False, Status.NOT_MET),
        (("a",), True, Status.NOT_MET),
    ],
)
def test_default_storage_classes_are_counted_with_the_programs_own(
    cluster: ClusterServer, tmp_path: Path, there: tuple[str, ...], own: bool, status: Status
) -> None:
    cluster.answers[CLASSES] = default_classes(*there)
    metadata = {"name": "own", "annotations": {DEFAULT: "true"}}
    ours = resource("kubernetes:storage.k8s.io/v1:StorageClass", "own", inputs={"metadata": metadata})

    found = answers(cluster, tmp_path, EDGE, graph_of(*([ours] if own else [])))

    assert about(found, "default storage class").status is status


def test_a_class_that_a_claim_names_is_asked_for(cluster: ClusterServer, tmp_path: Path) -> None:
    claim = {"metadata": {"name": "c"}, "spec": {"storageClassName": "fast"}}
    graph = graph_of(resource("kubernetes:core/v1:PersistentVolumeClaim", "c", inputs=claim))
    assert about(answers(cluster, tmp_path, EDGE, graph), "Storage class fast").status is Status.NOT_MET

    cluster.answers[f"{CLASSES}/fast"] = {"metadata": {"name": "fast"}, "provisioner": "csi.example.com"}

    reply = about(answers(cluster, tmp_path, EDGE, graph), "Storage class fast")
    assert (reply.status, "csi.example.com" in reply.found) == (Status.MET, True)


def test_custom_kinds_without_a_chart_are_asked_for(cluster: ClusterServer, tmp_path: Path) -> None:
    queue = resource("kubernetes:kueue.x-k8s.io/v1beta2:LocalQueue", "q", inputs={"metadata": {"name": "q"}})
    graph = graph_of(queue)
    assert about(answers(cluster, tmp_path, EDGE, graph), "custom kinds").status is Status.NOT_MET

    kinds = {"resources": [{"name": "localqueues", "kind": "LocalQueue"}, {"name": "localqueues/status", "kind": "x"}]}
    cluster.answers["/apis/kueue.x-k8s.io/v1beta2"] = kinds

    assert about(answers(cluster, tmp_path, EDGE, graph), "custom kinds").status is Status.MET


def test_rights_are_reviewed_by_kind_for_those_who_may_not_do_everything(
    cluster: ClusterServer, tmp_path: Path
) -> None:
    config = resource("kubernetes:core/v1:ConfigMap", "c", inputs={"metadata": {"name": "c"}})
    graph = graph_of(config)
    cluster.answers["/api/v1"] = {"resources": [{"name": "configmaps", "kind": "ConfigMap"}]}
    assert about(answers(cluster, tmp_path, EDGE, graph), "Rights to create").found == "The caller may do everything."

    cluster.lacks = {"* */*"}
    assert about(answers(cluster, tmp_path, EDGE, graph), "Rights to create").status is Status.MET
    cluster.lacks = {"* */*", "create /configmaps"}

    reply = about(answers(cluster, tmp_path, EDGE, graph), "Rights to create")
    assert reply.status is Status.NOT_MET
    assert "ConfigMap" in reply.found


@pytest.mark.parametrize(("version", "status"), [("v1.35.2+k3s1", Status.MET), ("v1.34.9", Status.NOT_MET)])
def test_the_version_of_the_server_is_that_of_the_description(
    cluster: ClusterServer, tmp_path: Path, version: str, status: Status
) -> None:
    cluster.version = version

    assert about(answers(cluster, tmp_path), "Kubernetes 1.35 on the cluster").status is status


def test_a_runtime_class_that_pods_name_is_asked_for(cluster: ClusterServer, tmp_path: Path) -> None:
    assert about(answers(cluster, tmp_path, EDGE), "Runtime class nvidia").status is Status.NOT_MET

    cluster.answers["/apis/node.k8s.io/v1/runtimeclasses/nvidia"] = {
        "metadata": {"name": "nvidia"},
        "handler": "nvidia",
    }

    assert about(answers(cluster, tmp_path, EDGE), "Runtime class nvidia").status is Status.MET


def test_who_may_not_list_nodes_is_told(cluster: ClusterServer, tmp_path: Path) -> None:
    cluster.answers["/api/v1/nodes"] = forbidden('nodes is forbidden: User "dev" cannot list resource "nodes"')

    reply = about(answers(cluster, tmp_path), "of pool train")

    assert reply.status is Status.NOT_ASKED
    assert 'User "dev" cannot list' in reply.found


def test_a_server_that_is_not_reached_is_told(cluster: ClusterServer, tmp_path: Path) -> None:
    file = cluster.kubeconfig(tmp_path)
    file.write_text(file.read_text().replace(cluster.url, "http://127.0.0.1:9"))

    with pytest.raises(CannotAsk, match="not reached"):
        open_cluster(str(file), "test")


def test_without_kubectl_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))

    with pytest.raises(CannotAsk, match="kubectl on the PATH"):
        open_cluster("", "test")

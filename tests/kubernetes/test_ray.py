"""Ray: its operator runs where no accelerator is wasted, and its templates fit the pools and the queues."""

from __future__ import annotations

import json
from typing import Any

import pulumi
import pytest
from pulumi_kubernetes.apiextensions import CustomResource
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed

from penstock.addons.queueing.block import QueueingSpec, TeamSpec
from penstock.addons.ray import template
from penstock.description import parse
from penstock.description.addons import AddonsSpec
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.graph.graph import Graph
from penstock.platform import Platform
from penstock.testing import rehearse

EVERYWHERE = pytest.mark.parametrize(
    "description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"]
)
KUEUE = AddonsSpec.model_validate({"queueing": QueueingSpec(teams=(TeamSpec(name="vision"),))})
MAP = "kubernetes:core/v1:ConfigMap"


def values(graph: Graph) -> Any:
    (operator,) = (
        each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "kuberay-operator"
    )
    return operator.inputs["values"]


def accelerated(description: Any) -> PoolNodes:
    return next(pool for pool in nodes_of(parse(description)) if pool.accelerators)


@EVERYWHERE
def test_the_operator_comes_with_templates_for_each_pool_with_accelerators(description: Any) -> None:
    run = rehearse(changed("addons.ray", {}, description))

    maps = [each for each in run.graph.of_type(MAP) if each.inputs["metadata"].get("namespace") == "ray-system"]
    assert [each.inputs["metadata"]["name"] for each in maps] == ["ray-train"]
    assert {*maps[0].inputs["data"]} == {"raycluster.json", "rayjob.json"}
    assert json.loads(maps[0].inputs["data"]["rayjob.json"])["kind"] == "RayJob"
    assert run.findings == ()


@EVERYWHERE
def test_templates_are_accepted_beside_their_platform(description: Any) -> None:
    parsed = parse(changed("addons.ray", {}, description))

    def program() -> None:
        Platform(parsed)
        pool = accelerated(description)
        for index, make in enumerate((template.cluster, template.job)):
            written = make(pool, image=None, addons=parsed.addons)
            CustomResource(
                f"ray-{index}",
                api_version=written["apiVersion"],
                kind=written["kind"],
                metadata={"name": f"ray-{index}", "namespace": "default", "labels": written["metadata"]["labels"]},
                spec=written["spec"],
                opts=pulumi.ResourceOptions(),
            )

    ours = {"ray-0", "ray-1"}
    assert [each for each in rehearse(program).findings if any(name in str(each) for name in ours)] == []


def test_workers_take_whole_nodes_of_their_pool() -> None:
    pool = accelerated(TRAINING)

    (workers,) = template.cluster(pool, image=None, addons=AddonsSpec())["spec"]["workerGroupSpecs"]

    pod = workers["template"]["spec"]
    limits = pod["containers"][0]["resources"]["limits"]
    assert pod["nodeSelector"] == {"penstock.dev/pool": "train"}
    assert [each["key"] for each in pod["tolerations"]] == ["nvidia.com/gpu"]
    assert (limits["nvidia.com/gpu"], limits["vpc.amazonaws.com/efa"], limits["hugepages-2Mi"]) == (
        "8",
        "32",
        "5120Mi",
    )
    assert int(limits["memory"].removesuffix("Gi")) < 2048
    assert pod["volumes"][0]["emptyDir"]["medium"] == "Memory"


def test_a_cluster_changes_its_size_only_where_no_queue_admitted_it_as_a_whole() -> None:
    pool = accelerated(TRAINING)

    free = template.cluster(pool, image=None, addons=AddonsSpec())["spec"]
    queued = template.cluster(pool, image=None, addons=KUEUE)

    assert free["enableInTreeAutoscaling"] is True
    assert (free["workerGroupSpecs"][0]["minReplicas"], free["workerGroupSpecs"][0]["maxReplicas"]) == (0, 16)
    assert free["headGroupSpec"]["template"]["spec"]["automountServiceAccountToken"] is True
    assert "enableInTreeAutoscaling" not in queued["spec"]
    assert queued["metadata"]["labels"] == {"kueue.x-k8s.io/queue-name": "default"}


def test_no_head_takes_a_node_with_accelerators_where_there_are_others() -> None:
    head = template.cluster(accelerated(ONPREM_TRAINING), image="example.com/ray:1", addons=KUEUE)["spec"]

    pod = head["headGroupSpec"]["template"]["spec"]
    (preferred,) = pod["affinity"]["nodeAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"]
    assert preferred["preference"]["matchExpressions"][0]["operator"] == "NotIn"
    assert pod["containers"][0]["image"] == "example.com/ray:1"
    assert "rayVersion" not in head


def test_the_operator_leaves_other_namespaces_alone() -> None:
    everywhere = values(rehearse(changed("addons.ray", {}, ONPREM_TRAINING)).graph)
    bound = values(rehearse(changed("addons.ray", {"namespaces": ["team-a"]}, ONPREM_TRAINING)).graph)

    assert "watchNamespace" not in everywhere
    assert bound["watchNamespace"] == ["team-a"]


def test_in_a_closed_network_the_image_comes_from_its_mirror() -> None:
    description = changed("network.image_mirror", "registry.example.com/mirror", ONPREM_TRAINING)

    graph = rehearse(changed("addons.ray", {}, description)).graph

    assert values(graph)["image"]["repository"] == "registry.example.com/mirror/kuberay/operator"
    (found,) = (each for each in graph.of_type(MAP) if each.inputs["metadata"]["name"] == "ray-train")
    assert "registry.example.com/mirror/rayproject/ray:2.52.0" in found.inputs["data"]["rayjob.json"]


def test_workers_use_the_fabric_of_their_pool() -> None:
    pool = accelerated(ONPREM_TRAINING)

    (workers,) = template.cluster(pool, image=None, addons=AddonsSpec())["spec"]["workerGroupSpecs"]

    pod = workers["template"]["spec"]
    (container,) = pod["containers"]
    assert pool.rdma is not None
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"], "add": ["IPC_LOCK"]}
    assert pod["securityContext"]["runAsUser"] == 0
    assert pool.nccl.items() <= {each["name"]: each["value"] for each in container["env"]}.items()


def test_workers_bring_the_daemon_of_their_fabric() -> None:
    mega = {"name": "train", "accelerator": "h100", "nodes": 2, "capacity": "spot"}
    pool = accelerated(changed("node_pools.1", mega, GCP_TRAINING))

    (workers,) = template.cluster(pool, image=None, addons=AddonsSpec())["spec"]["workerGroupSpecs"]

    assert pool.fabric == "tcpxo"
    assert [each["name"] for each in workers["template"]["spec"]["initContainers"]] == ["tcpxo-daemon"]


def test_the_operator_reaches_heads_in_namespaces_of_teams() -> None:
    described = changed("addons", {"ray": {}, "queueing": {"teams": [{"name": "vision"}]}}, ONPREM_TRAINING)

    policies = rehearse(described).graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")

    opened = [
        opening
        for each in policies
        if each.inputs["metadata"]["namespace"] == "vision"
        for opening in each.inputs["spec"].get("ingress", ())
    ]
    assert any(
        opening["from"][0].get("namespaceSelector") == {"matchLabels": {"kubernetes.io/metadata.name": "ray-system"}}
        and opening["ports"][0]["port"] == 8265
        for opening in opened
    )

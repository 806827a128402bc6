"""What the pools of a cluster bring into it: one advertiser for each device, set up for what its nodes lack."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, GONE, ONPREM_TRAINING, TRAINING, changed

from penstock.description import parse
from penstock.graph.graph import Graph, Resource
from penstock.kubernetes.facts.node_drivers import find_driver
from penstock.platform import Platform
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"
POLICY = "kubernetes:mellanox.com/v1alpha1:NicClusterPolicy"


LABELS = {"example.com/pool": "train"}


def run(description: Mapping[str, Any]) -> Rehearsal:
    return rehearse(lambda: Platform(parse(description)))


def on(profile: str, **pool: object) -> dict[str, Any]:
    """One pool on a kind of cluster."""
    description = changed("cloud.profile", profile, ONPREM_TRAINING)
    description["node_pools"][0] |= {"fabric": "none", "labels": LABELS, **pool}
    return description


def releases(graph: Graph) -> dict[str, Resource]:
    return {each.inputs["name"]: each for each in graph.of_type(RELEASE)}


@pytest.mark.parametrize(
    ("profile", "advertiser"),
    [
        ("generic", {"gpu-operator"}),
        ("dgx", {"gpu-operator"}),
        ("nebius", {"gpu-operator"}),
        ("k3s", {"nvidia-device-plugin"}),
        ("coreweave", set[str]()),
        ("oke", set[str]()),
    ],
)
def test_gpus_have_one_advertiser_and_nodes_that_bring_theirs_get_none(profile: str, advertiser: set[str]) -> None:
    rehearsal = run(on(profile))

    assert set(releases(rehearsal.graph)) == advertiser
    assert rehearsal.findings == ()


def test_gpus_of_amd_get_their_plugin_and_those_of_nvidia_theirs() -> None:
    both = [
        {"name": "green", "nodes": 1, "accelerator": "h100", "labels": {"rack": "a"}},
        {"name": "red", "nodes": 1, "accelerator": "mi300x", "labels": {"rack": "b"}},
    ]

    rehearsal = run(changed("node_pools", both, on("generic")))

    assert set(releases(rehearsal.graph)) == {"gpu-operator", "amd-gpu"}
    assert rehearsal.findings == ()
    # An agent of a node is there whatever taint keeps jobs off it, and its closed namespace lets it use the node.
    values = releases(rehearsal.graph)["amd-gpu"].inputs["values"]
    assert values["tolerations"] == [{"operator": "Exists"}]
    assert values["dp"]["resources"]["limits"]["memory"]


def test_amd_gpus_of_azure_get_their_driver_before_the_plugin_that_looks_for_it_once() -> None:
    pools = [
        {"name": "system", "machine_type": "Standard_D8ds_v5", "nodes": 3},
        {"name": "red", "nodes": 2, "accelerator": "mi300x"},
        {"name": "green", "nodes": 1, "machine_type": "Standard_NC24ads_A100_v4"},
    ]
    description = changed(
        "cloud.region", "westus3", changed("addons", {}, changed("node_pools", pools, AZURE_TRAINING))
    )

    rehearsal = run(changed("network.image_mirror", "mirror.example.com/public", description))

    agents = rehearsal.graph.of_type("kubernetes:apps/v1:DaemonSet")
    (pod,) = [each.inputs["spec"]["template"]["spec"] for each in agents if "amd" in each.name]
    (driver,), (plugin,) = pod["initContainers"], pod["containers"]
    assert driver["securityContext"]["privileged"] is True
    assert plugin["securityContext"]["allowPrivilegeEscalation"] is False
    assert driver["image"] == plugin["image"]
    assert re.fullmatch(
        r"mirror\.example\.com/public/rocm/k8s-device-plugin:1\.31\.0\.11@sha256:[0-9a-f]{64}", plugin["image"]
    )
    # Each plugin keeps to the nodes whose GPUs it offers.
    assert _pools_of(pod) == ["red"]
    assert _pools_of(releases(rehearsal.graph)["nvidia-device-plugin"].inputs["values"]) == ["green"]
    assert rehearsal.findings == ()


def _pools_of(agent: Mapping[str, Any]) -> list[str]:
    terms = agent["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    return [value for term in terms for each in term["matchExpressions"] for value in each["values"]]


def test_a_plugin_for_amd_that_the_cluster_has_is_not_installed_again() -> None:
    its = {"name": "red", "nodes": 1, "accelerator": "mi300x", "labels": {"rack": "b"}}
    existing = {"name": "it", "installed": ["amd"]}
    description = changed("cluster.existing", existing, changed("node_pools", [its], on("generic")))

    assert releases(run(description).graph) == {}


@pytest.mark.parametrize("pool", [{"accelerator": "gaudi3"}, {"devices": {"groq.com/lpu": 8}}])
def test_what_has_no_plugin_of_ours_is_advertised_by_whoever_runs_the_cluster(pool: Mapping[str, Any]) -> None:
    its = {"name": "other", "nodes": 1, "labels": {"rack": "a"}, **pool}

    assert releases(run(changed("node_pools", [its], on("generic"))).graph) == {}


def test_what_the_cluster_has_is_not_installed_again() -> None:
    existing = {"name": "it", "installed": ["gpu-operator", "network-operator"]}
    description = changed("cluster.existing", existing, on("generic", fabric="infiniband"))

    assert releases(run(description).graph) == {}


def test_the_operator_installs_what_the_nodes_lack_and_no_more() -> None:
    bare = releases(run(on("generic")).graph)["gpu-operator"].inputs["values"]
    dgx = releases(run(on("dgx")).graph)["gpu-operator"].inputs["values"]

    assert (bare["driver"]["enabled"], bare["toolkit"]["enabled"]) == (True, True)
    assert (dgx["driver"], dgx["toolkit"]["enabled"]) == ({"enabled": False}, False)
    unprivileged = {"name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED", "value": "false"}
    assert unprivileged in bare["toolkit"]["env"]
    assert bare["devicePlugin"]["resources"]["limits"]["memory"]


def test_another_version_of_the_chart_leaves_the_driver_of_running_nodes_alone() -> None:
    driver = releases(run(on("generic")).graph)["gpu-operator"].inputs["values"]["driver"]

    assert driver["version"] == find_driver("nvidia").version
    assert driver["upgradePolicy"] == {"autoUpgrade": False}


def test_the_fabric_comes_before_the_driver_that_is_built_on_it() -> None:
    graph = run(on("generic", fabric="infiniband")).graph
    operators = releases(graph)
    gpus, nics = operators["gpu-operator"], operators["network-operator"]
    (policy,) = graph.of_type(POLICY)

    assert gpus.inputs["values"]["driver"]["rdma"] == {"enabled": True, "useHostMofed": False}
    assert {nics.urn, policy.urn} <= _all_before(graph, gpus)
    assert (nics.inputs["values"]["nfd"]["enabled"], gpus.inputs["values"]["nfd"]["enabled"]) == (True, False)
    assert policy.inputs["metadata"]["name"] == "nic-cluster-policy"
    assert "ofedDriver" in policy.inputs["spec"]


def test_adapters_are_offered_by_the_names_that_pods_request() -> None:
    graph = run(on("dgx", fabric="rdma")).graph
    (policy,) = graph.of_type(POLICY)
    (rules,) = graph.of_type("kubernetes:nfd.k8s-sigs.io/v1alpha1:NodeFeatureRule")

    (resource,) = json.loads(policy.inputs["spec"]["sriovDevicePlugin"]["config"])["resourceList"]
    assert (resource["resourcePrefix"], resource["resourceName"]) == ("rdma", "roce")
    assert resource["selectors"] == {"vendors": ["15b3"], "linkTypes": ["ether"], "isRdma": True}
    assert "ofedDriver" not in policy.inputs["spec"]
    (feature,) = rules.inputs["spec"]["rules"][0]["matchFeatures"]
    assert feature["matchExpressions"]["class"]["value"] == ["0200"]


def test_pods_on_k3s_and_its_plugin_use_the_runtime_of_nvidia() -> None:
    plugin = releases(run(on("k3s", accelerator="rtx-4090")).graph)["nvidia-device-plugin"].inputs["values"]

    assert plugin["runtimeClassName"] == "nvidia"
    assert plugin["resources"]["limits"]["memory"]
    (terms,) = plugin["affinity"]["nodeAffinity"].values()
    assert [each["values"] for term in terms["nodeSelectorTerms"] for each in term["matchExpressions"]] == [
        list(LABELS.values())
    ]


def test_shared_gpus_are_configured_where_they_are_advertised() -> None:
    sliced = releases(run(on("dgx", sharing={"time_slicing": 4})).graph)["gpu-operator"].inputs["values"]
    parted = releases(run(on("dgx", sharing={"mig": "1g.10gb"})).graph)["gpu-operator"].inputs["values"]
    edge = releases(run(on("k3s", sharing={"time_slicing": 2})).graph)["nvidia-device-plugin"].inputs["values"]

    config = sliced["devicePlugin"]["config"]
    assert config["default"] == "time-slicing-4"
    assert yaml.safe_load(config["data"]["time-slicing-4"])["sharing"]["timeSlicing"] == {
        "renameByDefault": True,
        "failRequestsGreaterThanOne": True,
        "resources": [{"name": "nvidia.com/gpu", "replicas": 4}],
    }
    assert parted["mig"] == {"strategy": "mixed"}
    assert parted["migManager"] | {"resources": None} == {
        "enabled": True,
        "config": {"default": "all-1g.10gb"},
        "resources": None,
    }
    assert sliced["migManager"]["enabled"] is False
    assert edge["config"]["default"] == "time-slicing-2"


def test_pools_of_eks_share_by_label_and_the_others_keep_whole_gpus() -> None:
    sliced = {"name": "dev", "machine_type": "g6.12xlarge", "nodes": 1, "sharing": {"time_slicing": 4}}

    plugin = releases(run(changed("node_pools.2", sliced)).graph)["nvidia-device-plugin"].inputs["values"]

    assert plugin["config"]["default"] == "whole"
    assert set(plugin["config"]["map"]) == {"whole", "time-slicing-4"}
    assert "config" not in releases(run(TRAINING).graph)["nvidia-device-plugin"].inputs["values"]


@pytest.mark.parametrize(
    ("sharing", "gpu"),
    [
        ({"mig": "1g.5gb"}, {"gpuPartitionSize": "1g.5gb"}),
        (
            {"time_slicing": 4},
            {"gpuSharingConfig": {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": 4}},
        ),
        ({"mps": 8}, {"gpuSharingConfig": {"gpuSharingStrategy": "MPS", "maxSharedClientsPerGpu": 8}}),
    ],
)
def test_gke_shares_gpus_by_the_fields_of_its_node_pools(sharing: dict[str, Any], gpu: dict[str, Any]) -> None:
    more = {"name": "more", "nodes": 1, "machine_type": "a2-highgpu-1g", "sharing": sharing}
    description = changed("node_pools.2", more, changed("budget.max_accelerators", GONE, GCP_TRAINING))

    rehearsal = run(description)

    pools = rehearsal.graph.of_type("gcp:container/nodePool:NodePool")
    (accelerator,) = next(each for each in pools if "more" in each.name).inputs["nodeConfig"]["guestAccelerators"]
    assert {key: accelerator[key] for key in gpu} == gpu
    assert rehearsal.findings == ()


def test_a_closed_network_pulls_everything_of_both_operators_from_its_mirror() -> None:
    mirror = "registry.example.com/mirror"
    description = changed("network.image_mirror", mirror, on("generic", fabric="infiniband"))

    graph = run(description).graph

    public = [
        text
        for each in (*graph.of_type(RELEASE), *graph.of_type(POLICY))
        for text in _texts({key: each.inputs.get(key) for key in ("values", "spec")})
        if text.startswith(("nvcr.io", "registry.k8s.io"))
    ]
    assert public == []
    values = releases(graph)["gpu-operator"].inputs["values"]
    assert values["toolkit"]["repository"] == f"{mirror}/nvidia/k8s"
    assert values["driver"]["manager"]["repository"] == f"{mirror}/nvidia/cloud-native"


def test_nvlink_between_nodes_gets_a_driver_that_leaves_gpus_to_their_plugin() -> None:
    found = releases(run(on("generic", accelerator="gb200")).graph)

    values = found["nvidia-dra-driver-gpu"].inputs["values"]
    assert set(found) == {"gpu-operator", "nvidia-dra-driver-gpu"}
    assert values["resources"] == {"gpus": {"enabled": False}}
    assert values["nvidiaDriverRoot"] == "/run/nvidia/driver"
    assert (
        releases(run(on("dgx", accelerator="gb200")).graph)["nvidia-dra-driver-gpu"].inputs["values"][
            "nvidiaDriverRoot"
        ]
        == "/"
    )
    assert "nvidia-dra-driver-gpu" not in releases(run(on("dgx")).graph)


@pytest.mark.parametrize(
    ("description", "name", "variable", "value"),
    [
        (TRAINING, "nccl-efa", "FI_PROVIDER", "efa"),
        (on("dgx", fabric="infiniband"), "nccl-infiniband", "NCCL_IB_HCA", "mlx5"),
        (on("coreweave", fabric="infiniband"), "nccl-infiniband", "NCCL_IB_HCA", "ibp"),
        (on("oke", fabric="rdma"), "nccl-roce", "NCCL_IB_TC", "41"),
    ],
)
def test_pods_take_the_variables_of_their_fabric_from_one_place(
    description: Mapping[str, Any], name: str, variable: str, value: str
) -> None:
    maps = {
        each.inputs["metadata"]["name"]: each for each in run(description).graph.of_type("kubernetes:core/v1:ConfigMap")
    }

    assert maps[name].inputs["data"][variable] == value


@pytest.mark.parametrize(
    ("description", "name"), [(AZURE_TRAINING, "nccl-infiniband-h100"), (GCP_TRAINING, "nccl-rdma-h200")]
)
def test_only_accelerators_of_pools_have_variables(description: Mapping[str, Any], name: str) -> None:
    maps = {each.inputs["metadata"]["name"] for each in run(description).graph.of_type("kubernetes:core/v1:ConfigMap")}

    assert {each for each in maps if each.startswith("nccl-") and "topology" not in each} == {name}


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for each in value.values() for text in _texts(each)]
    return [text for each in value for text in _texts(each)] if isinstance(value, list) else []


def _all_before(graph: Graph, resource: Resource) -> set[str]:
    found: set[str] = set()
    open_ = [resource.urn]
    while open_:
        urn = open_.pop()
        found.add(urn)
        its = next(each for each in graph if each.urn == urn)
        # A component's children are registered when the component is, which waits for what it depends on.
        open_ += [each for each in (*its.dependencies, its.parent) if each and each not in found]
    return found

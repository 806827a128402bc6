"""GPUs and EFA that pods claim: one driver for each, all that asks for them claims them, and quotas count them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from tests.descriptions import TRAINING, changed

from penstock.aws import EfaClaims
from penstock.description import parse
from penstock.description.nodes import nodes_of
from penstock.graph.graph import Graph, Resource
from penstock.kubernetes import GpuClaims
from penstock.platform import Platform
from penstock.testing import rehearse, violations

RELEASE = "kubernetes:helm.sh/v3:Release"
TEMPLATE = "kubernetes:resource.k8s.io/v1:ResourceClaimTemplate"
QUEUES = {"teams": [{"name": "vision", "groups": ["ml-vision"]}]}
CLAIMS = changed("cluster.device_allocation", "claims", changed("node_pools.1.nodes", 16, TRAINING))
PLUGINS = {"nvidia-device-plugin", "aws-efa-k8s-device-plugin"}


def built(description: Mapping[str, Any]) -> Graph:
    return rehearse(lambda: Platform(parse(description))).graph


def releases(graph: Graph) -> dict[str, Resource]:
    return {each.inputs["name"]: each for each in graph.of_type(RELEASE)}


def configured(graph: Graph) -> dict[str, Any]:
    """The configuration that Kueue is given."""
    values = releases(graph)["kueue"].inputs["values"]
    found: dict[str, Any] = json.loads(values["managerConfig"]["controllerManagerConfigYaml"])
    return found


def test_a_platform_has_a_driver_for_claims_in_place_of_each_plugin() -> None:
    claiming, requesting = releases(built(CLAIMS)), releases(built(changed("node_pools.1.nodes", 16)))

    assert {"dra-driver-nvidia-gpu", "aws-dranet"} <= claiming.keys()
    assert not PLUGINS & claiming.keys()
    assert claiming.keys() - requesting.keys() == {"dra-driver-nvidia-gpu", "aws-dranet"}
    assert requesting.keys() - claiming.keys() == PLUGINS


def test_no_rule_complains_of_a_platform_whose_pods_claim_devices() -> None:
    described = changed("addons", {"queueing": QUEUES, "training": {}, "health": {"gate": True}}, CLAIMS)

    rehearsal = rehearse(lambda: Platform(parse(described)))

    assert rehearsal.findings == ()
    assert [each for each in violations(rehearsal) if "claims" in str(each.urn)] == []


def test_what_an_adopted_cluster_has_of_drivers_is_not_installed_again() -> None:
    subnets = {f"us-east-1{letter}": f"subnet-0123456789abcdef{letter}" for letter in "ab"}
    cluster = {"existing": {"name": "shared", "installed": ["nvidia-dra", "efa-dra"]}, "device_allocation": "claims"}
    network = {"existing": {"id": "vpc-0123456789abcdef0", "subnets": subnets}}

    found = releases(built(changed("network", network, changed("cluster", cluster, CLAIMS))))

    assert not found.keys() & {"dra-driver-nvidia-gpu", "aws-dranet", *PLUGINS}


def test_the_drivers_run_wherever_their_devices_are() -> None:
    graph = rehearse(lambda: (GpuClaims("gpus"), EfaClaims("efa", region="eu-central-2"))).graph
    gpus, efa = (releases(graph)[name].inputs["values"] for name in ("dra-driver-nvidia-gpu", "aws-dranet"))

    assert gpus["kubeletPlugin"]["tolerations"] == efa["tolerations"] == [{"operator": "Exists"}]
    assert efa["supportedInstanceLabels"] == {"keys": ["vpc.amazonaws.com/efa.present"], "values": ["true"]}
    assert ".eu-central-2." in efa["image"]["repository"]
    labels = nodes_of(parse(CLAIMS))[1].labels
    assert labels["nvidia.com/gpu.present"] == labels["vpc.amazonaws.com/efa.present"] == "true"


def test_kueue_counts_claims_against_the_quotas_of_teams() -> None:
    graph = built(changed("addons.queueing", QUEUES, CLAIMS))

    assert configured(graph)["resources"]["deviceClassMappings"] == [
        {"name": "vpc.amazonaws.com/efa", "deviceClassNames": ["efa.networking.k8s.aws"]},
        {"name": "nvidia.com/gpu", "deviceClassNames": ["gpu.nvidia.com"]},
    ]
    (queue,) = graph.of_type("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue")
    (group,) = queue.inputs["spec"]["resourceGroups"]
    quotas = {each["name"]: each["nominalQuota"] for each in group["flavors"][0]["resources"]}
    assert quotas == {"nvidia.com/gpu": "128", "vpc.amazonaws.com/efa": "512"}


def test_kueue_places_no_job_by_a_topology_in_which_it_sees_no_device() -> None:
    graph = built(changed("addons.queueing", QUEUES, CLAIMS))

    assert not graph.of_type("kubernetes:kueue.x-k8s.io/v1beta2:Topology")
    assert built(changed("addons.queueing", QUEUES, changed("node_pools.1.nodes", 16))).of_type(
        "kubernetes:kueue.x-k8s.io/v1beta2:Topology"
    )


def test_a_namespace_is_bounded_by_the_devices_of_each_class() -> None:
    graph = built(changed("addons.queueing", QUEUES, CLAIMS))

    (hard,) = (
        each.inputs["spec"]["hard"]
        for each in graph.of_type("kubernetes:core/v1:ResourceQuota")
        if each.inputs["metadata"]["name"] == "quota" and each.inputs["metadata"]["namespace"] == "vision"
    )
    assert hard["gpu.nvidia.com.deviceclass.resource.k8s.io/devices"] == "128"
    assert hard["efa.networking.k8s.aws.deviceclass.resource.k8s.io/devices"] == "512"
    assert not {name for name in hard if name.startswith("requests.")}


def test_tests_of_nodes_claim_what_they_test() -> None:
    graph = built(changed("addons.health", {"gate": True}, CLAIMS))

    (template,) = graph.of_type(TEMPLATE)
    (check,) = graph.of_type("kubernetes:apps/v1:DaemonSet")
    pod = check.inputs["spec"]["template"]["spec"]
    assert pod["resourceClaims"] == [{"name": "gpu", "resourceClaimTemplateName": template.inputs["metadata"]["name"]}]
    assert template.inputs["spec"]["spec"]["devices"]["requests"][0]["exactly"]["count"] == 8
    assert template.urn in check.dependencies
    limits = pod["containers"][0]["resources"]["limits"]
    assert not {name for name in limits if "/" in name}


def test_the_smoke_test_brings_the_templates_of_its_claims() -> None:
    graph = built(changed("addons.health", {}, CLAIMS))

    (kept,) = (
        each
        for each in graph.of_type("kubernetes:core/v1:ConfigMap")
        if each.inputs["metadata"]["name"] == "smoke-train"
    )
    found = list(yaml.safe_load_all(kept.inputs["data"]["manifests.yaml"]))
    templates = {each["metadata"]["name"]: each for each in found if each["kind"] == "ResourceClaimTemplate"}
    (job,) = (each for each in found if each["kind"] == "Job")
    claimed = [each["resourceClaimTemplateName"] for each in job["spec"]["template"]["spec"]["resourceClaims"]]
    assert sorted(claimed) == sorted(templates) == ["smoke-train-efa", "smoke-train-gpu"]


@pytest.mark.parametrize(
    ("description", "shown"), [(CLAIMS, {"enabled": True}), (TRAINING, None)], ids=["claims", "no"]
)
def test_metrics_of_claimed_gpus_name_their_pods(description: Mapping[str, Any], shown: object) -> None:
    found = releases(built(changed("addons.observability", {}, description)))

    assert found["dcgm-exporter"].inputs["values"].get("kubernetesDRA") == shown


def test_no_alert_expects_nodes_to_offer_what_pods_claim() -> None:
    rules = json.dumps(
        [each.inputs for each in built(changed("addons.observability", {}, CLAIMS)) if "PrometheusRule" in each.type],
        default=str,
    )

    assert rules != "[]"
    assert "nvidia_com_gpu" not in rules
    assert "vpc_amazonaws_com_efa" not in rules

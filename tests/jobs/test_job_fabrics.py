"""Jobs on the fabric of their nodes: interfaces, claims, daemons and topology."""

from __future__ import annotations

import yaml
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, changed
from tests.jobs.jobs_of import described, pod_of, without_trainer

from penstock.addons.training.block import TrainingSpec
from penstock.description import parse
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse


def test_a_job_on_gke_names_every_interface_and_its_variables() -> None:
    pod = pod_of(job_manifests(without_trainer("gcp-train"), JobRequest()))

    names = [each["network"] for each in yaml.safe_load(pod["metadata"]["annotations"]["networking.gke.io/interfaces"])]
    assert names == ["default", *(f"rdma-b-eth{index}" for index in range(1, 10))]
    variables = {each["name"] for each in pod["spec"]["containers"][0]["env"]}
    assert {"NCCL_NET", "LD_LIBRARY_PATH"} <= variables


def test_pods_on_a_rack_claim_a_channel_of_the_domain_of_their_job() -> None:
    manifests = job_manifests(without_trainer("azure-rack"), JobRequest(nodes=18, name="big"))

    pod = pod_of(manifests)["spec"]
    (domain,) = (each for each in manifests if each["kind"] == "ComputeDomain")
    made = domain["spec"]["channel"]["resourceClaimTemplate"]["name"]
    assert pod["resourceClaims"] == [{"name": "channel", "resourceClaimTemplateName": made}]
    assert pod["containers"][0]["resources"]["claims"] == [{"name": "channel"}]


def test_pods_claim_the_interfaces_that_gke_makes() -> None:
    dranet = changed("node_pools.1.gcp", {"networking": "dranet"}, GCP_TRAINING)

    manifests = job_manifests(parse(dranet), JobRequest(nodes=2))

    (template,) = (each for each in manifests if each["kind"] == "ResourceClaimTemplate")
    (asked,) = template["spec"]["spec"]["devices"]["requests"]
    assert asked["exactly"] == {"deviceClassName": "mrdma.google.com", "allocationMode": "ExactCount", "count": 8}
    (claim,) = pod_of(manifests)["spec"]["resourceClaims"]
    assert claim["resourceClaimTemplateName"] == template["metadata"]["name"]


def test_pods_claim_all_gpus_and_adapters_of_a_node_where_a_cluster_says_so() -> None:
    description = changed("cluster.device_allocation", "claims", changed("node_pools.1.nodes", 16))

    manifests = job_manifests(parse(description), JobRequest(nodes=2))

    asked = {
        each["metadata"]["name"]: each["spec"]["spec"]["devices"]["requests"][0]["exactly"]
        for each in manifests
        if each["kind"] == "ResourceClaimTemplate"
    }
    assert {name: (each["deviceClassName"], each["count"]) for name, each in asked.items()} == {
        "train-gpu": ("gpu.nvidia.com", 8),
        "train-efa": ("efa.networking.k8s.aws", 32),
    }
    pod = pod_of(manifests)["spec"]
    assert {each["resourceClaimTemplateName"] for each in pod["resourceClaims"]} == set(asked)
    resources = pod["containers"][0]["resources"]
    assert resources["claims"] == [{"name": "gpu"}, {"name": "efa"}]
    assert {"hugepages-2Mi", "cpu", "memory"} == set(resources["limits"])


def test_with_the_trainer_claims_are_in_a_runtime_of_the_jobs_own() -> None:
    platform = described("azure-rack")
    platform = platform.model_copy(update={"addons": platform.addons.model_copy(update={"training": TrainingSpec()})})

    manifests = {each["kind"]: each for each in job_manifests(platform, JobRequest(nodes=2))}

    runtime, job = manifests["TrainingRuntime"], manifests["TrainJob"]
    assert job["spec"]["runtimeRef"] | {"apiGroup": ""} == {"apiGroup": "", "kind": "TrainingRuntime", "name": "train"}
    (replicated,) = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    assert replicated["template"]["spec"]["template"]["spec"]["resourceClaims"]


def test_pods_on_virtual_machines_have_the_topology_that_these_do_not_show() -> None:
    pod = pod_of(job_manifests(without_trainer("azure-train"), JobRequest()))["spec"]

    (container,) = pod["containers"]
    (volume,) = (each for each in pod["volumes"] if "configMap" in each)
    (path,) = (each["mountPath"] for each in container["volumeMounts"] if each["name"] == volume["name"])
    assert {"name": "NCCL_TOPO_FILE", "value": f"{path}/topology.xml"} in container["env"]
    with_it = rehearse(lambda: Platform(described("azure-train"))).graph.of_type("kubernetes:core/v1:ConfigMap")
    assert volume["configMap"]["name"] in {each.inputs["metadata"]["name"] for each in with_it}


def test_a_pod_on_oke_names_the_network_of_each_device_that_it_requests() -> None:
    pool = {
        "name": "train",
        "accelerator": "h100",
        "nodes": 4,
        "fabric": "rdma",
        "labels": {"node.kubernetes.io/instance-type": "BM.GPU.H100.8"},
    }
    on_oke = changed(
        "node_pools", [pool], changed("cloud", {"provider": "kubernetes", "profile": "oke"}, ONPREM_TRAINING)
    )
    on_oke = changed("storage", [], changed("addons", {}, on_oke))

    pod = pod_of(job_manifests(parse(on_oke), JobRequest(nodes=2)))

    devices = pod["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/rdma-vf"]
    assert pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].split(",") == ["rdma-vf"] * int(devices)


def test_pods_mount_nothing_of_machines_that_are_not_of_the_cloud_whose_plugin_it_is() -> None:
    onprem = pod_of(job_manifests(parse(ONPREM_TRAINING), JobRequest()))["spec"]
    google = pod_of(job_manifests(without_trainer("gcp-train"), JobRequest()))["spec"]

    assert [each for each in onprem["volumes"] if "hostPath" in each] == []
    assert [each["hostPath"]["path"] for each in google["volumes"] if "hostPath" in each] == [
        "/home/kubernetes/bin/gib"
    ]


def test_a_pod_brings_the_daemon_of_its_fabric() -> None:
    pod = pod_of(job_manifests(described("gcp-mega"), JobRequest()))

    (daemon,) = pod["spec"]["initContainers"]
    assert daemon["restartPolicy"] == "Always"
    assert f"devices.gke.io/container.{daemon['name']}" in pod["metadata"]["annotations"]
    volumes = {each["name"] for each in pod["spec"]["volumes"]}
    mounted = [mount for each in (daemon, *pod["spec"]["containers"]) for mount in each["volumeMounts"]]
    assert {mount["name"] for mount in mounted} <= volumes

"""Jobs of the trainer and of queues: the runtimes that they name, and the machines that they ask for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.descriptions import GCP_TRAINING, changed
from tests.jobs.jobs_of import WITH_TRAINING, described, pod_of, templates_of, with_training, without_trainer

from penstock.core.errors import ImpossibleJob
from penstock.description import parse
from penstock.jobs import JobRequest, Template, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

QUEUED = {
    "autoscaling.x-k8s.io/consume-provisioning-request": "train",
    "autoscaling.x-k8s.io/provisioning-class-name": "queued-provisioning.gke.io",
}


@pytest.mark.parametrize(
    ("trainer", "template"), [(False, Template.DDP), (True, Template.MEGATRON), (True, Template.MPI)]
)
def test_machines_that_queue_come_for_the_request_of_the_job(trainer: bool, template: Template) -> None:
    described_ = described("gcp-blackwell")
    platform = with_training(described_) if trainer else described_

    manifests = job_manifests(platform, JobRequest(nodes=4, template=template))

    kinds = {each["kind"]: each for each in manifests}
    asked, pod = kinds["ProvisioningRequest"], kinds["PodTemplate"]
    assert asked["spec"] == {
        "provisioningClassName": "queued-provisioning.gke.io",
        "parameters": {"maxRunDurationSeconds": "604800"},
        "podSets": [{"count": 4, "podTemplateRef": {"name": pod["metadata"]["name"]}}],
    }
    assert pod["template"]["spec"]["nodeSelector"] == {"penstock.dev/pool": "train"}
    assert pod["template"]["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "8"
    made = [template for each in manifests for template in templates_of(each)]
    assert made
    assert all(each["metadata"]["annotations"].items() >= QUEUED.items() for each in made)


def test_kueue_asks_for_the_machines_of_jobs_in_its_queues() -> None:
    teams = {"teams": [{"name": "vision", "groups": ["vision@example.com"]}]}
    pool = {
        "name": "train",
        "accelerator": "b200",
        "nodes": {"min": 0, "max": 8},
        "capacity": "flex_start",
        "zone": "us-central1-b",
        "gcp": {"queued": True},
    }
    description = changed("node_pools.1", pool, changed("addons", {"queueing": teams}, GCP_TRAINING))

    manifests = job_manifests(parse(description), JobRequest(namespace="vision"))

    assert {each["kind"] for each in manifests} == {"Service", "Job"}
    assert not pod_of(manifests)["metadata"]["annotations"].keys() & QUEUED.keys()


def test_with_the_trainer_a_job_names_the_runtime_of_its_pool() -> None:
    (job,) = job_manifests(parse(WITH_TRAINING), JobRequest(template=Template.MEGATRON, tensor=8, pipeline=4))

    assert job["kind"] == "TrainJob"
    assert job["spec"]["runtimeRef"]["name"] == "torch-train"
    assert job["spec"]["trainer"]["numNodes"] == 32
    assert job["spec"]["trainer"]["command"][:4] == [
        "torchrun",
        "pretrain_gpt.py",
        "--tensor-model-parallel-size=8",
        "--pipeline-model-parallel-size=4",
    ]


def test_every_pod_of_openmpi_has_the_image_of_the_job_and_every_process_its_variables() -> None:
    request_ = JobRequest(template=Template.MPI, nodes=4, image="registry.example.com/solver:1")
    runtime, job = job_manifests(parse(WITH_TRAINING), request_)

    parts = {each["name"]: each for each in runtime["spec"]["template"]["spec"]["replicatedJobs"]}
    pods = {name: each["template"]["spec"]["template"]["spec"] for name, each in parts.items()}
    assert {pod["containers"][0]["image"] for pod in pods.values()} == {"registry.example.com/solver:1"}
    assert pods["node"]["containers"][0]["command"][0] == "/usr/sbin/sshd"
    variables = {each["name"] for each in pods["launcher"]["containers"][0]["env"]}
    command = job["spec"]["trainer"]["command"]
    assert {word for before, word in pairwise(command) if before == "-x"} == variables
    assert (job["spec"]["runtimeRef"]["kind"], job["spec"]["runtimeRef"]["name"]) == ("TrainingRuntime", "train")


def test_a_claim_hides_no_folder_that_openmpi_starts_from() -> None:
    home = {"name": "home", "kind": "nfs", "server": "nfs.lan", "path": "/export"}
    request = JobRequest(template=Template.MPI, nodes=2)

    runtime, _ = job_manifests(parse(changed("storage", [home], WITH_TRAINING)), request)

    jobs = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    pods = [each["template"]["spec"]["template"]["spec"] for each in jobs]
    paths = {mount["name"]: mount["mountPath"] for pod in pods for mount in pod["containers"][0]["volumeMounts"]}
    assert paths["home"] == "/mnt/home"


def test_openmpi_needs_the_trainer() -> None:
    with pytest.raises(ImpossibleJob, match=r"enable addons\.training"):
        job_manifests(without_trainer("aws-train"), JobRequest(template=Template.MPI))


def test_the_platform_has_the_runtime_that_the_job_names() -> None:
    run = rehearse(lambda: Platform(parse(WITH_TRAINING)))

    (runtime,) = run.graph.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    template = runtime.inputs["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    assert runtime.inputs["metadata"]["name"] == "torch-train"
    assert template["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
    assert template["containers"][0]["resources"]["limits"]["rdma/roce"] == "8"
    assert [str(each) for each in run.findings] == []

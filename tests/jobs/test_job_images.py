"""Images of jobs: they contain the network library of their fabric, and NCCL uses no other network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed
from tests.jobs.jobs_of import WITH_TRAINING, described, pod_of, templates_of, with_training, without_trainer
from tests.kubernetes.clusters import cluster_of

from penstock.addons.health.smoke import smoke_tests
from penstock.core.errors import ImpossibleJob
from penstock.description import parse
from penstock.description.nodes import nodes_of
from penstock.jobs import JobRequest, Template, job_manifests
from penstock.kubernetes.facts.image_contents import find_contents
from penstock.platform import Platform
from penstock.testing import rehearse

NEEDS = "penstock.dev/image-needs"


def container_of(stack: str, request: JobRequest) -> Mapping[str, Any]:
    pod = pod_of(job_manifests(without_trainer(stack), request))
    (found,) = (each for each in pod["spec"]["containers"] if each["name"] == "node")
    return dict(found)


def variables_of(container: Mapping[str, Any]) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container["env"]}


@pytest.mark.parametrize(
    ("stack", "net"),
    [
        ("aws-train", "AWS Libfabric"),
        ("aws-legacy", "AWS Libfabric"),
        ("aws-blocks", "AWS Libfabric"),
        ("aws-adopt", "AWS Libfabric"),
        ("azure-legacy", "IB"),
        ("azure-rack", "IB"),
        ("azure-amd", "IB"),
        ("coreweave-train", "IB"),
        ("onprem-train", "IB"),
        ("gcp-train", "gIB"),
        ("gcp-blackwell", "gIB"),
        ("gcp-mega", "FasTrak"),
    ],
)
def test_nccl_uses_the_fabric_or_stops(stack: str, net: str) -> None:
    pool = next(each for each in nodes_of(described(stack)) if each.plugin is not None)

    container = container_of(stack, JobRequest(pool=pool.pool, nodes=1))

    assert variables_of(container)["NCCL_NET"] == net


def test_every_fabric_between_gpus_has_a_pinned_network() -> None:
    for stack in ("aws-train", "azure-train", "gcp-train", "gcp-mega", "onprem-train", "coreweave-train"):
        for pool in nodes_of(described(stack)):
            assert (pool.fabric is not None) == ("NCCL_NET" in pool.nccl) == (pool.plugin is not None), pool.pool


@pytest.mark.parametrize("template", [Template.DDP, Template.FSDP, Template.MEGATRON])
@pytest.mark.parametrize("stack", ["aws-train", "azure-legacy", "coreweave-train", "onprem-train"])
def test_the_image_of_a_job_contains_the_library_of_its_fabric(stack: str, template: Template) -> None:
    pool = next(each for each in nodes_of(described(stack)) if each.plugin is not None)

    image = container_of(stack, JobRequest(pool=pool.pool, nodes=1, template=template))["image"]

    contents = find_contents(image)
    assert contents is not None
    assert pool.plugin is not None
    assert pool.plugin.library in contents.has


def test_openmpi_over_efa_needs_an_image_of_the_users_own() -> None:
    with pytest.raises(ImpossibleJob, match=r"with libfabric and aws-ofi-nccl .*--image"):
        job_manifests(described("aws-train"), JobRequest(template=Template.MPI, nodes=2))

    own = JobRequest(template=Template.MPI, nodes=2, image="registry.example.com/solver:1")
    assert job_manifests(described("aws-train"), own)


@pytest.mark.parametrize(
    ("stack", "image", "library"),
    [
        ("aws-train", "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime", "aws-ofi-nccl"),
        ("aws-train", "docker.io/rayproject/ray:2.52.0", "aws-ofi-nccl"),
        ("aws-train", "vllm/vllm-openai:v0.20.0", "aws-ofi-nccl"),
        ("aws-trainium", "docker.io/pytorch/pytorch", "neuron"),
        ("azure-legacy", "nvcr.io/nvidia/cuda:13.0.1-devel-ubuntu24.04", "libibverbs"),
        ("onprem-train", f"docker.io/pytorch/pytorch@sha256:{'a' * 64}", "libibverbs"),
        ("coreweave-train", "pytorch/pytorch", "libibverbs"),
    ],
)
def test_an_image_that_lacks_the_library_is_refused(stack: str, image: str, library: str) -> None:
    with pytest.raises(ImpossibleJob, match=f"lacks {library}"):
        job_manifests(without_trainer(stack), JobRequest(nodes=1, image=image))


@pytest.mark.parametrize(
    ("stack", "image", "mismatch"),
    [
        ("azure-amd", "nvcr.io/nvidia/pytorch:25.09-py3", "NVIDIA GPUs, not for AMD GPUs"),
        ("azure-amd", "vllm/vllm-openai:v0.20.0", "NVIDIA GPUs, not for AMD GPUs"),
        ("aws-train", "rocm/pytorch:latest", "AMD GPUs, not for NVIDIA GPUs"),
        ("aws-dev", "docker.io/rocm/pytorch:latest", "AMD GPUs, not for NVIDIA GPUs"),  # no fabric
        ("gcp-tpu", "nvcr.io/nvidia/jax:25.04-py3", "NVIDIA GPUs, not for TPUs"),
        ("aws-trainium", "vllm/vllm-tpu:nightly", "TPUs, not for AWS Neuron devices"),
    ],
)
def test_an_image_for_other_accelerators_is_refused(stack: str, image: str, mismatch: str) -> None:
    nodes = 16 if stack == "gcp-tpu" else 1

    with pytest.raises(ImpossibleJob, match=f"is built for {mismatch}"):
        job_manifests(without_trainer(stack), JobRequest(nodes=nodes, image=image))


def test_a_copy_in_the_mirror_is_known_as_well() -> None:
    mirrored = parse(changed("network.image_mirror", "registry.example.com/mirror"))

    with pytest.raises(ImpossibleJob, match="lacks aws-ofi-nccl"):
        job_manifests(mirrored, JobRequest(nodes=1, image="registry.example.com/mirror/pytorch/pytorch:2.9"))


def test_a_closed_network_pulls_the_copy_that_the_platform_has_a_repository_for() -> None:
    image = container_of("aws-blocks", JobRequest(nodes=2))["image"]
    run = rehearse(lambda: Platform(described("aws-blocks")))

    repository = image.rpartition(":")[0]
    (mirror,) = run.graph.of_type("penstock:aws:ImageMirror")
    assert repository in mirror.outputs["copies"].values()


def test_a_public_image_is_refused_in_a_network_without_a_way_out() -> None:
    with pytest.raises(ImpossibleJob, match=r"No node reaches nvcr\.io"):
        job_manifests(described("aws-blocks"), JobRequest(nodes=1, image="nvcr.io/nvidia/pytorch:25.06-py3"))

    google = parse(changed("network.egress", "none", changed("addons", {}, GCP_TRAINING)))
    with pytest.raises(ImpossibleJob, match=r"No node reaches nvcr\.io"):
        job_manifests(google, JobRequest(nodes=1))
    own = "us-central1-docker.pkg.dev/example-training/trainer/trainer:1"
    assert job_manifests(google, JobRequest(nodes=1, image=own))


@pytest.mark.parametrize(
    ("stack", "image"),
    [
        ("aws-dev", "pytorch/pytorch:2.13.0"),  # one GPU, no fabric
        ("gcp-train", "pytorch/pytorch:2.13.0"),  # the node brings the library
        ("gcp-mega", "nvcr.io/nvidia/cuda:13.0.1-devel-ubuntu24.04"),
        ("aws-train", "registry.example.com/trainer:1"),  # unknown
        ("aws-train", "nvcr.io/nvidia/pytorch:25.06-py3"),  # its releases differ
        ("azure-amd", "vllm/vllm-openai-rocm:v0.23.0"),
    ],
)
def test_other_images_run(stack: str, image: str) -> None:
    assert container_of(stack, JobRequest(nodes=1, image=image))["image"] == image


def running(manifests: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (each for each in manifests if templates_of(each) or each["kind"] == "JobSet")


def test_a_job_says_what_an_image_of_the_users_own_needs() -> None:
    for platform in (without_trainer("aws-train"), described("aws-train")):
        for job in running(job_manifests(platform, JobRequest(nodes=2))):
            assert "aws-ofi-nccl" in job["metadata"]["annotations"][NEEDS]
    (job,) = running(job_manifests(without_trainer("gcp-mega"), JobRequest(nodes=2)))
    assert "the node brings" in job["metadata"]["annotations"][NEEDS]
    (job,) = running(job_manifests(described("aws-dev"), JobRequest()))
    assert NEEDS not in job["metadata"].get("annotations", {})


def test_a_runtime_has_the_image_and_the_variables_of_its_jobs() -> None:
    run = rehearse(lambda: Platform(parse(changed("addons.training", {}, TRAINING))))

    (runtime,) = run.graph.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    (part,) = runtime.inputs["spec"]["template"]["spec"]["replicatedJobs"]
    (container,) = part["template"]["spec"]["template"]["spec"]["containers"]
    (job,) = running(job_manifests(parse(changed("addons.training", {}, TRAINING)), JobRequest(nodes=2)))
    assert container["image"] == job["spec"]["trainer"]["image"]
    assert variables_of(container)["NCCL_NET"] == "AWS Libfabric"
    assert "aws-ofi-nccl" in runtime.inputs["metadata"]["annotations"][NEEDS]


@pytest.mark.parametrize("description", [TRAINING, ONPREM_TRAINING, AZURE_TRAINING, GCP_TRAINING])
def test_the_smoke_test_runs_as_jobs_run(description: Mapping[str, Any]) -> None:
    platform = parse(changed("addons", {}, description))
    for test in smoke_tests(cluster_of(changed("addons", {}, description)), 3200.0):
        tested = pod_of(test.manifests())
        job = pod_of(job_manifests(platform, JobRequest(pool=test.pool.pool, nodes=test.nodes)))

        (its,), (of_job,) = tested["spec"]["containers"], job["spec"]["containers"]
        for same in ("image", "resources", "securityContext"):
            assert its[same] == of_job[same]
        variables = variables_of(its)
        variables.pop("FLOOR_GBS", None)
        assert variables == variables_of(of_job)
        for same in ("nodeSelector", "tolerations", "securityContext", "runtimeClassName", "initContainers"):
            assert tested["spec"].get(same) == job["spec"].get(same)
        interfaces = "networking.gke.io/interfaces"
        found, wanted = (each.get("metadata", {}).get("annotations", {}) for each in (tested, job))
        assert found.get(interfaces) == wanted.get(interfaces)


def test_finished_jobs_go_by_themselves() -> None:
    slices = with_training(described("gcp-tpu"))
    requests = [
        (without_trainer("aws-train"), JobRequest(nodes=2)),
        (slices, JobRequest(pool="pretrain", nodes=32)),
        (
            parse(WITH_TRAINING),
            JobRequest(template=Template.MPI, nodes=2, image="registry.example.com/solver:1"),
        ),
    ]
    for platform, request in requests:
        kept = [
            each["spec"] if each["kind"] in ("Job", "JobSet") else each["spec"]["template"]["spec"]
            for each in job_manifests(platform, request)
            if each["kind"] in ("Job", "JobSet", "TrainingRuntime")
        ]
        assert kept
        assert all(each["ttlSecondsAfterFinished"] > 0 for each in kept)

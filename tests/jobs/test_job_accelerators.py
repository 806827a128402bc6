"""Jobs on Trainium, Inferentia and TPU: a process for each core, whole slices."""

from __future__ import annotations

import pytest
from tests.descriptions import ONPREM_TRAINING, TRAINING, changed
from tests.jobs.jobs_of import described, pod_of, with_training, without_trainer

from penstock import description
from penstock.addons.training.block import TrainingSpec
from penstock.core.errors import ImpossibleJob
from penstock.jobs import JobRequest, Template, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse


def test_a_job_on_trainium_has_a_process_for_each_core_and_all_devices_of_its_nodes() -> None:
    pod = pod_of(job_manifests(described("aws-trainium"), JobRequest(nodes=2)))["spec"]

    (container,) = pod["containers"]
    limits = container["resources"]["limits"]
    env = {each["name"]: each["value"] for each in container["env"]}
    assert "--nnodes=2 --nproc-per-node=32" in container["command"][-1]
    assert (limits["aws.amazon.com/neuron"], limits["vpc.amazonaws.com/efa"]) == ("16", "8")
    assert "hugepages-2Mi" in limits
    assert container["image"].startswith("public.ecr.aws/neuron/pytorch-training-neuronx:")
    assert env["FI_PROVIDER"] == "efa"
    assert env["NEURON_COMPILE_CACHE_URL"] == "/scratch/neuron-cache"
    assert not any(name.startswith(("NCCL_", "TORCH_NCCL_")) for name in env)


@pytest.mark.parametrize(
    ("pool", "nodes", "processes"),
    [
        ({"machine_type": "trn1.2xlarge"}, 1, 2),
        ({"machine_type": "trn2.48xlarge", "zone": "us-east-2b"}, 2, 64),
        ({"machine_type": "inf2.24xlarge"}, 1, 12),
    ],
)
def test_each_core_of_neuron_devices_trains(pool: dict[str, object], nodes: int, processes: int) -> None:
    described_ = changed("node_pools.1", {"name": "train", "nodes": 2, **pool}, changed("storage", [], TRAINING))
    platform = description.parse(changed("cloud", {"provider": "aws", "region": "us-east-2"}, described_))

    pod = pod_of(job_manifests(platform, JobRequest(nodes=nodes)))["spec"]

    assert f"--nnodes={nodes} --nproc-per-node={processes} " in pod["containers"][0]["command"][-1]


def test_with_the_trainer_pools_of_trainium_have_a_runtime_of_their_own() -> None:
    platform = with_training(described("aws-trainium"))

    *_, job = job_manifests(platform, JobRequest(pool="train", nodes=2))
    runtimes = rehearse(lambda: Platform(platform)).graph.of_type(
        "kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime"
    )

    assert {each.inputs["metadata"]["name"] for each in runtimes} == {"torch-train", "torch-serve"}
    assert job["spec"]["runtimeRef"]["name"] == "torch-train"
    assert job["spec"]["trainer"]["numProcPerNode"] == 32
    assert job["spec"]["trainer"]["image"].startswith("public.ecr.aws/neuron/")


@pytest.mark.parametrize(
    ("pool", "request_", "says"),
    [
        ({"machine_type": "inf1.6xlarge"}, JobRequest(nodes=1), "for inference only"),
        ({"machine_type": "trn1.2xlarge"}, JobRequest(nodes=2), "--nodes 1, or name a pool with EFA"),
        ({"machine_type": "trn1.32xlarge"}, JobRequest(template=Template.DDP), "Use neuron there"),
    ],
)
def test_what_neuron_devices_do_not_train_is_refused(pool: dict[str, object], request_: JobRequest, says: str) -> None:
    described_ = changed("node_pools.1", {"name": "train", "nodes": 2, **pool}, changed("storage", [], TRAINING))
    platform = description.parse(described_)

    with pytest.raises(ImpossibleJob) as refused:
        job_manifests(platform, request_)

    assert says in str(refused.value)


def test_a_job_on_tpus_runs_the_same_version_of_jax_each_time() -> None:
    (container,) = pod_of(job_manifests(without_trainer("gcp-tpu"), JobRequest()))["spec"]["containers"]

    image, _, tag = container["image"].partition(":")
    assert image.endswith("jax-ai-image/tpu")
    assert tag.startswith("jax0.")


def test_the_pods_of_a_job_on_a_slice_share_it_with_no_other_job() -> None:
    tpus = described("gcp-tpu")

    *_, job = job_manifests(tpus, JobRequest(pool="pretrain", name="mine"))

    together, apart = job["spec"]["template"]["spec"]["affinity"].values()
    for each in (together, apart):
        (term,) = each["requiredDuringSchedulingIgnoredDuringExecution"]
        assert term["topologyKey"] == "cloud.google.com/gke-nodepool"
        matched = term["labelSelector"]
        assert "mine" in str(matched)
    assert term["namespaceSelector"] == {}


def test_slices_are_whole_and_several_are_a_job_set() -> None:
    tpus = described("gcp-tpu")
    trained = tpus.model_copy(update={"addons": tpus.addons.model_copy(update={"training": TrainingSpec()})})

    *_, job = job_manifests(trained, JobRequest(pool="pretrain", nodes=32))

    assert job["kind"] == "JobSet"
    (part,) = job["spec"]["replicatedJobs"]
    assert (part["replicas"], part["template"]["spec"]["parallelism"]) == (2, 16)
    with pytest.raises(ImpossibleJob, match="--nodes 16, or a multiple"):
        job_manifests(trained, JobRequest(pool="pretrain", nodes=3))
    with pytest.raises(ImpossibleJob, match=r"enable addons\.training"):
        job_manifests(tpus, JobRequest(pool="pretrain", nodes=32))


def test_a_job_on_accelerators_without_a_public_image_names_its_own() -> None:
    pool = {"name": "gaudi", "accelerator": "gaudi3", "nodes": 2, "labels": {"example.com/pool": "gaudi"}}
    only = changed("addons", {}, changed("node_pools", [pool], changed("storage", [], ONPREM_TRAINING)))

    with pytest.raises(ImpossibleJob, match=r"No image for habana\.ai/gaudi"):
        job_manifests(description.parse(only), JobRequest())
    assert job_manifests(description.parse(only), JobRequest(image="registry.example.com/gaudi:1"))


def test_degrees_of_parallelism_belong_to_megatron() -> None:
    with pytest.raises(ImpossibleJob, match="belong to the template megatron"):
        job_manifests(without_trainer("aws-train"), JobRequest(tensor=4))


def test_a_job_without_a_runtime_of_the_platform_has_its_own() -> None:
    pool = {"name": "gaudi", "accelerator": "gaudi3", "nodes": 2, "labels": {"example.com/pool": "gaudi"}}
    only = changed("addons", {"training": {}}, changed("node_pools", [pool], changed("storage", [], ONPREM_TRAINING)))
    run = rehearse(lambda: Platform(description.parse(only)))

    manifests = job_manifests(description.parse(only), JobRequest(image="registry.example.com/gaudi:1"))

    runtime, job = manifests
    assert not run.graph.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    assert (runtime["kind"], job["spec"]["runtimeRef"]["kind"]) == ("TrainingRuntime", "TrainingRuntime")

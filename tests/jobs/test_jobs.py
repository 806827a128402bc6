"""Jobs that `penstock jobs` prints: they run on the platform that they are printed for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

import pulumi
import pulumi_kubernetes
import pytest
import yaml
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed
from tests.environments import PROJECT

from penstock import spec
from penstock.errors import ImpossibleJob
from penstock.jobs import JobRequest, Template, job_manifests
from penstock.platform import Platform
from penstock.spec.addon_blocks.training import TrainingSpec
from penstock.spec.platform import Spec
from penstock.testing import rehearse

WITH_TRAINING = changed("addons", {"training": {}}, ONPREM_TRAINING)


def described(stack: str) -> Spec:
    return spec.load(PROJECT.stack_file(stack))


def without_trainer(stack: str) -> Spec:
    found = described(stack)
    return found.model_copy(update={"addons": found.addons.model_copy(update={"training": None})})


def pod_of(manifests: list[dict[str, Any]]) -> Mapping[str, Any]:
    (job,) = (each for each in manifests if each["kind"] == "Job")
    return cast("Mapping[str, Any]", job["spec"]["template"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "stack",
    ["aws-train", "aws-dev", "aws-legacy", "aws-trainium", "gcp-train", "gcp-mega", "gcp-tpu", "gcp-a2", "gcp-serve"],
)
def test_a_job_runs_on_the_platform_that_it_is_printed_for(stack: str) -> None:
    platform = described(stack)

    def program() -> None:
        built = Platform(platform)
        kubeconfig = cast("pulumi.Input[str]", built.outputs["kubeconfig"])
        provider = pulumi_kubernetes.Provider("jobs", kubeconfig=kubeconfig)
        for manifest in job_manifests(platform, JobRequest()):
            version = manifest["apiVersion"]
            type_ = f"kubernetes:{'core/v1' if version == 'v1' else version}:{manifest['kind']}"
            options = pulumi.ResourceOptions(provider=provider, depends_on=[built])
            pulumi.CustomResource(type_, f"job-{manifest['kind']}", manifest, options)

    run = rehearse(program)

    assert [str(each) for each in run.findings if "job-" in (each.urn or "")] == []


def claims_in(manifest: object) -> set[str]:
    """The claims that a manifest names, however deep."""
    if isinstance(manifest, Mapping):
        below = set().union(*(claims_in(value) for value in manifest.values()))
        return below | ({manifest["claimName"]} if "claimName" in manifest else set())
    return set().union(*(claims_in(item) for item in manifest)) if isinstance(manifest, list) else set()


@pytest.mark.parametrize("stack", ["gcp-train", "azure-rack"])
def test_a_job_mounts_claims_that_its_platform_makes(stack: str) -> None:
    platform = described(stack)

    def program() -> None:
        Platform(platform)

    run = rehearse(program)

    made = {
        claim.inputs["metadata"]["name"]
        for claim in run.graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")
        if claim.inputs["metadata"]["namespace"] == "default"
    }
    wanted = claims_in(job_manifests(platform, JobRequest()))
    assert wanted
    assert wanted <= made


def test_a_job_acts_as_the_identity_of_its_service_account() -> None:
    description = described("azure-amd")
    (container,) = (pod := pod_of(job_manifests(without_trainer("azure-amd"), JobRequest())))["spec"]["containers"]
    trainer = next(each for each in job_manifests(description, JobRequest()) if each["kind"] == "TrainJob")
    (replicated,) = trainer["spec"]["runtimePatches"][0]["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]

    def program() -> None:
        Platform(description)

    (account,) = rehearse(program).graph.of_type("kubernetes:core/v1:ServiceAccount")
    identified = {"labels": {"azure.workload.identity/use": "true"}}
    assert pod["metadata"] == identified
    assert replicated["template"]["spec"]["template"]["metadata"] == identified
    assert account.inputs["metadata"]["name"] == pod["spec"]["serviceAccountName"]
    assert account.inputs["metadata"]["annotations"].keys() == {"azure.workload.identity/client-id"}
    assert container["image"].startswith("docker.io/rocm/pytorch:")
    with pytest.raises(ImpossibleJob, match="--image"):
        job_manifests(description, JobRequest(template=Template.MEGATRON))


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
    platform = spec.parse(changed("cloud", {"provider": "aws", "region": "us-east-2"}, described_))

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
    platform = spec.parse(described_)

    with pytest.raises(ImpossibleJob) as refused:
        job_manifests(platform, request_)

    assert says in str(refused.value)


def test_a_job_on_tpus_runs_the_same_version_of_jax_each_time() -> None:
    (container,) = pod_of(job_manifests(without_trainer("gcp-tpu"), JobRequest()))["spec"]["containers"]

    image, _, tag = container["image"].partition(":")
    assert image.endswith("jax-ai-image/tpu")
    assert tag.startswith("jax0.")


def test_a_job_takes_whole_nodes_with_their_fabric() -> None:
    pod = pod_of(job_manifests(without_trainer("aws-train"), JobRequest(nodes=4)))["spec"]

    (container,) = pod["containers"]
    assert pod["nodeSelector"] == {"penstock.dev/pool": "train"}
    assert container["resources"]["limits"] == {
        "nvidia.com/gpu": "8",
        "vpc.amazonaws.com/efa": "32",
        "hugepages-2Mi": "5120Mi",
        "cpu": "96",
        "memory": "1024Gi",
    }
    assert pod["serviceAccountName"] == "trainer"
    assert "--nnodes=4 --nproc-per-node=8" in container["command"][-1]
    assert container["command"][-1].endswith("train.py --checkpoint-dir=/checkpoints/train")


def test_a_job_on_nodes_that_nobody_measured_requests_little_and_may_use_all() -> None:
    pod = pod_of(job_manifests(without_trainer("onprem-train"), JobRequest(namespace="default")))["spec"]

    (container,) = pod["containers"]
    assert container["resources"]["requests"] == {
        "nvidia.com/gpu": "8",
        "rdma/roce": "8",
        "cpu": "32",
        "memory": "128Gi",
    }
    assert container["resources"]["limits"] == {"nvidia.com/gpu": "8", "rdma/roce": "8"}
    assert {"name": "shared--memory", "emptyDir": {"medium": "Memory"}} in pod["volumes"]


def test_a_job_for_a_pool_of_slurm_goes_there_by_its_own_command() -> None:
    with pytest.raises(ImpossibleJob) as refused:
        job_manifests(described("onprem-train"), JobRequest(pool="batch", nodes=2, namespace="language"))

    assert str(refused.value) == (
        "Slurm hands out the nodes of pool batch. Send the job from a node of Slurm: "
        "sbatch --partition=batch --nodes=2 --gpus-per-node=8 SCRIPT"
    )


def test_no_job_goes_past_slurm_where_it_has_every_accelerator() -> None:
    with pytest.raises(ImpossibleJob, match=r"every pool with accelerators.* --partition=train --nodes=32"):
        job_manifests(spec.parse(changed("addons.slurm", {}, ONPREM_TRAINING)), JobRequest())


def test_a_job_on_gke_names_every_interface_and_its_variables() -> None:
    pod = pod_of(job_manifests(without_trainer("gcp-train"), JobRequest()))

    names = [each["network"] for each in yaml.safe_load(pod["metadata"]["annotations"]["networking.gke.io/interfaces"])]
    assert names == ["default", *(f"rdma-b-eth{index}" for index in range(1, 10))]
    variables = {each["name"] for each in pod["spec"]["containers"][0]["env"]}
    assert {"NCCL_NET", "LD_LIBRARY_PATH"} <= variables


QUEUED = {
    "autoscaling.x-k8s.io/consume-provisioning-request": "train",
    "autoscaling.x-k8s.io/provisioning-class-name": "queued-provisioning.gke.io",
}


def with_training(platform: Spec) -> Spec:
    return platform.model_copy(update={"addons": platform.addons.model_copy(update={"training": TrainingSpec()})})


def templates_of(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The templates of pods in a manifest that create pods."""
    if manifest["kind"] == "Job":
        return [manifest["spec"]["template"]]
    if manifest["kind"] == "TrainingRuntime":
        jobs = manifest["spec"]["template"]["spec"]["replicatedJobs"]
        return [each["template"]["spec"]["template"] for each in jobs]
    patches = manifest["spec"].get("runtimePatches", []) if manifest["kind"] == "TrainJob" else []
    return [
        each["template"]["spec"]["template"]
        for patch in patches
        for each in patch["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    ]


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

    manifests = job_manifests(spec.parse(description), JobRequest(namespace="vision"))

    assert {each["kind"] for each in manifests} == {"Service", "Job"}
    assert not pod_of(manifests)["metadata"]["annotations"].keys() & QUEUED.keys()


def test_pods_on_a_rack_claim_a_channel_of_the_domain_of_their_job() -> None:
    manifests = job_manifests(without_trainer("azure-rack"), JobRequest(nodes=18, name="big"))

    pod = pod_of(manifests)["spec"]
    (domain,) = (each for each in manifests if each["kind"] == "ComputeDomain")
    made = domain["spec"]["channel"]["resourceClaimTemplate"]["name"]
    assert pod["resourceClaims"] == [{"name": "channel", "resourceClaimTemplateName": made}]
    assert pod["containers"][0]["resources"]["claims"] == [{"name": "channel"}]


def test_pods_claim_the_interfaces_that_gke_makes() -> None:
    dranet = changed("node_pools.1.gcp", {"networking": "dranet"}, GCP_TRAINING)

    manifests = job_manifests(spec.parse(dranet), JobRequest(nodes=2))

    (template,) = (each for each in manifests if each["kind"] == "ResourceClaimTemplate")
    (asked,) = template["spec"]["spec"]["devices"]["requests"]
    assert asked["exactly"] == {"deviceClassName": "mrdma.google.com", "allocationMode": "ExactCount", "count": 8}
    (claim,) = pod_of(manifests)["spec"]["resourceClaims"]
    assert claim["resourceClaimTemplateName"] == template["metadata"]["name"]


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


def test_with_the_trainer_a_job_names_the_runtime_of_its_pool() -> None:
    (job,) = job_manifests(spec.parse(WITH_TRAINING), JobRequest(template=Template.MEGATRON, tensor=8, pipeline=4))

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
    runtime, job = job_manifests(spec.parse(WITH_TRAINING), request_)

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

    runtime, _ = job_manifests(spec.parse(changed("storage", [home], WITH_TRAINING)), request)

    jobs = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    pods = [each["template"]["spec"]["template"]["spec"] for each in jobs]
    paths = {mount["name"]: mount["mountPath"] for pod in pods for mount in pod["containers"][0]["volumeMounts"]}
    assert paths["home"] == "/mnt/home"


def test_openmpi_needs_the_trainer() -> None:
    with pytest.raises(ImpossibleJob, match=r"enable addons\.training"):
        job_manifests(without_trainer("aws-train"), JobRequest(template=Template.MPI))


def test_the_platform_has_the_runtime_that_the_job_names() -> None:
    run = rehearse(lambda: Platform(spec.parse(WITH_TRAINING)))

    (runtime,) = run.graph.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    template = runtime.inputs["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    assert runtime.inputs["metadata"]["name"] == "torch-train"
    assert template["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
    assert template["containers"][0]["resources"]["limits"]["rdma/roce"] == "8"
    assert [str(each) for each in run.findings] == []


@pytest.mark.parametrize("template", [Template.DDP, Template.FSDP, Template.MEGATRON, Template.MPI])
def test_the_image_of_a_job_comes_from_the_mirror_unless_it_is_the_users_own(template: Template) -> None:
    mirrored = spec.parse(changed("network", {"image_mirror": "images.lan/all"}, WITH_TRAINING))

    def image(own: str | None = None) -> str:
        *_, job = job_manifests(mirrored, JobRequest(template=template, nodes=2, image=own))
        return str(job["spec"]["trainer"]["image"])

    assert image().startswith("images.lan/all/")
    assert image("ghcr.io/team/own:1") == "ghcr.io/team/own:1"


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

    pod = pod_of(job_manifests(spec.parse(on_oke), JobRequest(nodes=2)))

    devices = pod["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/rdma-vf"]
    assert pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].split(",") == ["rdma-vf"] * int(devices)


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (JobRequest(pool="trian"), "There is no pool 'trian'. Did you mean train?"),
        (JobRequest(nodes=33), "grows to 32"),
        (JobRequest(name="Bad_Name"), "'Bad_Name' is no name of a job"),
        (JobRequest(name="a" * 46), "Use up to 45 lower-case letters"),
        (JobRequest(namespace="Bad NS"), "'Bad NS' is no name of a namespace"),
        (JobRequest(image="https://x y"), "'https://x y' is no name of an image"),
        (JobRequest(nodes=0), "one node at least"),
        (JobRequest(template=Template.JAX), "Use ddp, fsdp, megatron, mpi there"),
        (JobRequest(template=Template.MPI, nodes=1), "--nodes 2, or use ddp"),
        (JobRequest(template=Template.MEGATRON, tensor=3), "--tensor 1, 2, 4, 8"),
        (JobRequest(template=Template.MEGATRON, tensor=8, pipeline=5), "so that the first divides the second"),
        (JobRequest(template=Template.MEGATRON, tensor=0), "1 or more"),
    ],
)
def test_what_no_pool_can_hold_is_refused_with_what_would_fit(request_: JobRequest, says: str) -> None:
    with pytest.raises(ImpossibleJob) as refused:
        job_manifests(spec.parse(WITH_TRAINING), request_)

    assert says in str(refused.value)


def test_pods_mount_nothing_of_machines_that_are_not_of_the_cloud_whose_plugin_it_is() -> None:
    onprem = pod_of(job_manifests(spec.parse(ONPREM_TRAINING), JobRequest()))["spec"]
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


def penstock(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "penstock", "jobs", *arguments]
    return subprocess.run(command, cwd=PROJECT.root, capture_output=True, text=True, check=False)


def test_the_command_prints_what_kubectl_takes() -> None:
    done = penstock("aws-train", "--name", "first", "--image", "example.com/t:1")

    kinds = [each["kind"] for each in yaml.safe_load_all(done.stdout)]
    assert (done.returncode, kinds) == (0, ["ServiceAccount", "TrainJob"])
    assert "&id" not in done.stdout


def test_the_command_ends_with_2_where_no_job_is_possible() -> None:
    assert penstock("aws-train", "--nodes", "99").returncode == 2
    assert penstock("aws-train", "--template", "ddq").returncode == 2
    assert "pulumi stack output kubeconfig" in penstock("aws-train", "--submit").stderr

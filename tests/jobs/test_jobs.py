"""Jobs that `penstock jobs` prints: they run on the platform that they are printed for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import cast

import pulumi
import pulumi_kubernetes
import pytest
import yaml
from tests.descriptions import ONPREM_NETWORKS, changed
from tests.environments import PROJECT
from tests.jobs.jobs_of import WITH_TRAINING, described, pod_of, without_trainer

from penstock.core.errors import ImpossibleJob
from penstock.description import parse
from penstock.jobs import JobRequest, Template, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse


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
    assert container["image"].startswith("docker.io/rocm/primus:")
    with pytest.raises(ImpossibleJob, match="--image"):
        job_manifests(description, JobRequest(template=Template.MEGATRON))


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
    assert container["command"][-1].endswith("train.py --checkpoint-dir=/scratch/imported/train")


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
        job_manifests(parse(changed("addons.slurm", {}, ONPREM_NETWORKS)), JobRequest())


@pytest.mark.parametrize("template", [Template.DDP, Template.FSDP, Template.MEGATRON, Template.MPI])
def test_the_image_of_a_job_comes_from_the_mirror_unless_it_is_the_users_own(template: Template) -> None:
    mirrored = parse(changed("network", {"image_mirror": "images.lan/all"}, WITH_TRAINING))

    def image(own: str | None = None) -> str:
        *_, job = job_manifests(mirrored, JobRequest(template=template, nodes=2, image=own))
        return str(job["spec"]["trainer"]["image"])

    assert image().startswith("images.lan/all/")
    assert image("ghcr.io/team/own:1") == "ghcr.io/team/own:1"


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (JobRequest(pool="trian"), "There is no pool 'trian'. Did you mean train?"),
        (JobRequest(nodes=33), "pool train has 32. Ask for --nodes 32 at most, or raise nodes of the pool."),
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
        job_manifests(parse(WITH_TRAINING), request_)

    assert says in str(refused.value)


def test_a_pool_with_bounds_grows_to_the_higher_one() -> None:
    elastic = parse(changed("node_pools.0.nodes", {"min": 2, "max": 8}, WITH_TRAINING))

    with pytest.raises(ImpossibleJob, match=r"grows to 8\. .* raise nodes\.max"):
        job_manifests(elastic, JobRequest(nodes=9))


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

"""Checkpoint targets of jobs: mounts that can rename files, with room for them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.descriptions import TRAINING, changed
from tests.environments import PROJECT
from tests.jobs.jobs_of import described, pod_of, without_trainer

from penstock import description
from penstock.core.errors import ImpossibleJob
from penstock.description.platform import Spec
from penstock.jobs import JobRequest, Template, job_manifests, job_notes

BUCKET = {"name": "checkpoints", "kind": "bucket", "writers": ["default/trainer"]}
DATASETS = {"name": "datasets", "kind": "bucket", "readers": ["default/trainer"]}
HOME = {"name": "home", "kind": "nfs"}


def folder_of(platform: Spec, request: JobRequest) -> str:
    """The folder in the command of a job; empty without any."""
    (container,) = pod_of(job_manifests(platform, request))["spec"]["containers"]
    words = " ".join(container["command"]).split()
    return next((word.partition("=")[2] for word in words if word.startswith("--checkpoint-dir=")), "")


def on_aws(*storage: dict[str, Any]) -> Spec:
    return description.parse(changed("storage", list(storage), TRAINING))


@pytest.mark.parametrize(
    ("stack", "folder"),
    [
        ("aws-blocks", "/scratch/imported/train"),
        ("aws-dev", "/home/train"),
        ("aws-legacy", "/scratch/imported/train"),
        ("aws-train", "/scratch/imported/train"),
        ("aws-trainium", "/scratch/train"),
        ("azure-amd", "/scratch/train"),
        ("azure-legacy", "/scratch/train"),
        ("gcp-a2", "/datasets/train"),
        ("gcp-mega", "/scratch/train"),
        ("gcp-train", "/checkpoints/train"),
    ],
)
def test_each_environment_saves_to_the_best_storage_that_renames_files(stack: str, folder: str) -> None:
    assert folder_of(without_trainer(stack), JobRequest()) == folder


@pytest.mark.parametrize("stack", ["aws-blocks", "aws-legacy", "azure-rack", "gcp-blackwell", "gcp-mega", "gcp-train"])
def test_checkpoints_of_a_whole_pool_fit(stack: str) -> None:
    platform = described(stack)
    pool = max(platform.node_pools, key=lambda pool: (pool.accelerator is not None, pool.nodes.max))

    assert not [note for note in job_notes(platform, JobRequest(pool=pool.name, nodes=pool.nodes.max)) if "GiB" in note]


def test_lustre_is_preferred_to_shared_files_and_a_bucket() -> None:
    lustre = {"name": "scratch", "kind": "lustre", "capacity_tib": 4.8, "throughput_mbps_per_tib": 250}

    assert folder_of(on_aws(BUCKET, HOME, lustre), JobRequest()) == "/scratch/train"


def test_the_storage_called_checkpoints_comes_first_where_it_renames_files() -> None:
    saves = {"name": "checkpoints", "kind": "nfs"}
    lustre = {"name": "scratch", "kind": "lustre", "capacity_tib": 4.8, "throughput_mbps_per_tib": 250}

    assert folder_of(on_aws(lustre, saves), JobRequest()) == "/checkpoints/train"


def test_a_note_says_why_a_bucket_called_checkpoints_is_passed_over() -> None:
    (note,) = job_notes(on_aws(BUCKET, HOME), JobRequest())

    assert note.startswith("Checkpoints go to /home/train, because Mountpoint for S3, which mounts checkpoints, cannot")


def test_a_job_with_nothing_but_a_bucket_on_aws_saves_nothing_and_says_so() -> None:
    platform = on_aws(BUCKET)

    assert not folder_of(platform, JobRequest())
    (note,) = job_notes(platform, JobRequest())
    assert "saves no checkpoints, because Mountpoint for S3" in note
    assert "--checkpoints" in note


def test_a_job_without_writable_storage_says_so() -> None:
    (note,) = job_notes(on_aws(DATASETS), JobRequest())

    assert "it may write to no storage" in note


def test_shared_files_too_small_for_a_checkpoint_are_noted() -> None:
    platform = description.load(PROJECT.stack_file("gcp-mega"))
    small = platform.model_copy(update={"storage": tuple(item for item in platform.storage if item.name == "home")})

    (note,) = job_notes(small, JobRequest(nodes=32))

    assert note.startswith("home holds 100 GiB, and a checkpoint of a model that fills 256 h100 takes up to 10,240 GiB")


@pytest.mark.parametrize(
    ("wanted", "refused"),
    [
        ("/checkpoints/run", r"Checkpoints in /checkpoints/run would fail: Mountpoint for S3.*below /home"),
        ("/home/../checkpoints/run", "Checkpoints in /checkpoints/run would fail"),
        ("/datasets/run", "may only read /datasets"),
        ("/mnt/cache/run", "on no storage of the job"),
        ("/checkpointsrun", "on no storage of the job"),
        ("run", "is no place for checkpoints"),
    ],
)
def test_a_folder_where_checkpoints_fail_or_are_lost_is_refused(wanted: str, refused: str) -> None:
    with pytest.raises(ImpossibleJob, match=refused):
        job_manifests(on_aws(BUCKET, DATASETS, HOME), JobRequest(checkpoints=wanted))


def test_a_refusal_names_the_directory_that_is_exported_to_a_bucket() -> None:
    lustre = {
        "name": "scratch",
        "kind": "lustre",
        "capacity_tib": 19.2,
        "throughput_mbps_per_tib": 250,
        "source": "checkpoints",
        "export": True,
    }

    with pytest.raises(ImpossibleJob, match=r"Use a directory below /scratch/imported\."):
        job_manifests(on_aws(BUCKET, lustre), JobRequest(checkpoints="/checkpoints/run"))


def test_a_folder_that_renames_files_is_taken_as_it_is() -> None:
    assert folder_of(on_aws(BUCKET, HOME), JobRequest(checkpoints="/home/ml/run-1")) == "/home/ml/run-1"


def test_an_address_goes_to_the_script_which_saves_there_itself() -> None:
    request = JobRequest(checkpoints="s3://example-checkpoints/run")

    assert folder_of(on_aws(BUCKET), request) == "s3://example-checkpoints/run"
    (note,) = job_notes(on_aws(BUCKET), request)
    assert "s3torchconnector" in note
    with pytest.raises(ImpossibleJob, match="Megatron saves to a directory"):
        job_manifests(on_aws(BUCKET), JobRequest(template=Template.MEGATRON, checkpoints="s3://example/run"))

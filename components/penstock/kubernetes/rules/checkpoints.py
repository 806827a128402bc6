"""Checkpoints of jobs: their directory is on a mount that can rename files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, TypeMismatch, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.checkpoint_options import checkpoint_options
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules.mounted import mount_of, semantics_of, source_of
from penstock.kubernetes.rules.train_jobs import TRAIN_JOB, TRAINER
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TRAINING: Final = ("PyTorchJob", "TFJob", "JAXJob", "MPIJob", "TrainJob", "PaddleJob")
"""Kinds of Kubeflow, whose pods train whatever they run."""

_JOBS: Final = (*(type_ for type_ in RUNNING_WORKLOADS if type_.endswith(("Job", "JobSet", ":Pod", ":RayCluster"))),)
_TRAINS: Final = re.compile(
    r"\btorchrun\b|torch\.distributed|\baccelerate\s+launch\b|\bdeepspeed\b|\bmpirun\b|\btune\s+run\b|"
    r"\b(?:pre)?train(?:er|ing)?(?:_\w+)?\.py\b|\bfinetune\w*\.py\b"
)
"""Commands that train: others read a checkpoint from such a directory."""

_OPTION: Final = re.compile(r"(?:^|\s)(?:--|\+{0,2})([A-Za-z][\w.-]*)(?:=|\s+)[\"']?(/[^\s\"',;]+)")


class _Folder(NamedTuple):
    name: str
    folder: str
    path: str


@RULES.rule(
    on=(*_JOBS, TRAIN_JOB),
    severity=MEDIUM,
    rationale=(
        "PyTorch and Megatron rename the metadata of a checkpoint when its data is written, so "
        "a distributed checkpoint fails at its end."
    ),
    fix=(
        "Save to Lustre or NFS, or to the bucket itself by S3StorageWriter of s3torchconnector, and mount the bucket "
        "for reading only."
    ),
    joins=True,
    sources=("Mountpoint for S3, file system behavior", "PyTorch, torch.distributed.checkpoint FileSystemWriter"),
)
def k8s_checkpoint_rename(workload: View) -> Verdict:
    """The checkpoint directory of a training job is on a mount that can rename files."""
    trainers = workload.blocks_at(TRAINER) if workload.type == TRAIN_JOB else []
    return each(templates(workload), lambda pods: _judge_pods(pods, trainers))


def _judge_pods(pods: PodTemplate, trainers: list[Block]) -> Verdict:
    if not any("csi" in volume or "persistentVolumeClaim" in volume for volume in pods.spec.blocks("volumes")):
        return NOT_APPLICABLE
    return each(
        pods.spec.blocks("containers"),
        lambda container: each(
            _folders(pods.workload, [container, *trainers]), lambda folder: _judge_folder(pods, container, folder)
        ),
    )


def _judge_folder(pods: PodTemplate, container: Block, found: _Folder) -> Verdict:
    mount = mount_of(container, found.folder)
    if mount is None or mount.flag("readOnly") is True:
        return NOT_APPLICABLE
    called = mount.text("name")
    volume = next((each_ for each_ in pods.spec.blocks("volumes") if each_.text("name") == called), None)
    if volume is None:
        raise NotKnown  # of a claim template, or of a runtime
    source = source_of(pods, volume)
    if source is None or source.read_only:
        return NOT_APPLICABLE
    semantics = semantics_of(source)
    if semantics is None:
        return NOT_APPLICABLE
    message = f"{found.name} is {found.folder} on {semantics.title}, which cannot rename files"
    return allow(semantics.rename_file != "no", message, path=found.path)


def _folders(workload: View, holders: list[Block]) -> Iterator[_Folder]:
    """The directories that a container is told to save to; none for one that does not train."""
    words = {(holder, key): _words(holder, key) for holder in holders for key in ("command", "args")}
    line = " ".join(word for found in words.values() for word in found)
    if not workload.type.endswith(_TRAINING) and not _TRAINS.search(line):
        return
    for (holder, key), found in words.items():
        for match in _OPTION.finditer(" ".join(found)):
            if _normal(match[1]) in checkpoint_options("argument"):
                yield _Folder(match[1], match[2], holder.at(key))
    for holder in holders:
        for variable in holder.blocks("env"):
            name, value = variable.text("name") or "", variable.given("value")
            if _normal(name) in checkpoint_options("variable") and isinstance(value, str) and value.startswith("/"):
                yield _Folder(name, value, variable.at("value"))


def _words(holder: Block, key: str) -> list[str]:
    try:
        return holder.texts(key)
    except TypeMismatch:
        return []


def _normal(name: str) -> str:
    return name.lower().replace("-", "_")

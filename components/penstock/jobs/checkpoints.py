"""Checkpoint targets of jobs: a mount that supports what training frameworks do, or an address.

torch.distributed.checkpoint writes its metadata to a temporary file and renames that file when the checkpoint is
complete (pytorch v2.9, torch/distributed/checkpoint/filesystem.py); Megatron Core saves by it. Where files cannot be
renamed, a checkpoint fails after all of its data is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import normpath
from typing import Final

from penstock.core.errors import ImpossibleJob
from penstock.core.quantities import lustre_gib
from penstock.core.wording import listed, quoted
from penstock.description.mounts import mounts_of
from penstock.description.nodes import PoolNodes
from penstock.description.offer import offer_of
from penstock.description.platform import Spec
from penstock.description.storage import LustreSpec, SharedFilesSpec, StorageSpec
from penstock.jobs.request import JobRequest, Template
from penstock.kubernetes.components.job_pods import Mount
from penstock.kubernetes.facts.mounts import MountSemantics

CHECKPOINTS: Final = "checkpoints"
"""The storage that checkpoints go to by its name, where files on its mount can be renamed."""

_BANDWIDTH: Final = ("lustre", "beegfs", "scale", "bucket", "nfs")
"""Kinds of storage, the one that takes a checkpoint fastest first."""

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://\S+")
_FOLDER: Final = re.compile(r"(/[A-Za-z0-9._-]+)+")
_SHARE: Final = 1 / 2
"""Of accelerator memory: weights and optimizer state, which are saved, beside gradients and activations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointTarget:
    """The place of a job's checkpoints.

    Attributes:
        folder: a directory of the pod or an address such as s3://bucket/run; empty without any.
        root: the directory that all jobs share; empty where the job names its own folder.
        notes: what the user should know, a sentence or two each.
    """

    folder: str = ""
    root: str = ""
    notes: tuple[str, ...] = ()


def find_target(
    spec: Spec, request: JobRequest, *, template: Template, pool: PoolNodes, nodes: int, mounts: Sequence[Mount]
) -> CheckpointTarget:
    """The target of a job with these mounts: the one it names, or the best mount.

    Raises:
        ImpossibleJob: the job names a folder where its checkpoints would fail or be lost.
    """
    kinds = mounts_of(spec.cloud.provider)
    items = {item.name: item for item in spec.storage}
    mounted = [_Mounted(items[mount.claim], mount, kinds[items[mount.claim].kind]) for mount in mounts]
    accelerators = nodes * pool.accelerators
    if request.checkpoints is not None and _ADDRESS.fullmatch(request.checkpoints):
        return _at_address(request.checkpoints, template)
    if request.checkpoints is not None:
        folder = normpath(request.checkpoints)
        chosen = _chosen(spec, folder, mounted)
        return CheckpointTarget(folder=folder, notes=_small(spec, chosen.item, pool, accelerators))
    able = [each for each in mounted if each.takes_checkpoints]
    unable = [each for each in mounted if not each.takes_checkpoints and not each.mount.read_only]
    if not able:
        return CheckpointTarget(notes=(_nothing(unable),))
    best = min(able, key=lambda each: (each.item.name != CHECKPOINTS, _BANDWIDTH.index(each.item.kind)))
    root = f"{best.mount.path}{_exported(spec, best.item)}"
    folder = f"{root}/{request.name}"
    passed = tuple(
        f"Checkpoints go to {folder}, because {each.refusal}." for each in unable if each.item.name == CHECKPOINTS
    )
    return CheckpointTarget(folder=folder, root=root, notes=(*passed, *_small(spec, best.item, pool, accelerators)))


@dataclass(frozen=True, slots=True)
class _Mounted:
    item: StorageSpec
    mount: Mount
    semantics: MountSemantics

    @property
    def takes_checkpoints(self) -> bool:
        return not self.mount.read_only and self.semantics.rename_file != "no"

    @property
    def refusal(self) -> str:
        return (
            f"{self.semantics.title}, which mounts {self.item.name}, cannot rename files, and PyTorch renames the "
            "metadata of a complete checkpoint"
        )


def _at_address(address: str, template: Template) -> CheckpointTarget:
    if template is Template.MEGATRON:
        raise ImpossibleJob(f"Megatron saves to a directory, not to {quoted(address)}. Name one with --checkpoints.")
    note = f"The script must save to {address} itself, as S3StorageWriter of s3torchconnector does."
    return CheckpointTarget(folder=address, notes=(note,))


def _chosen(spec: Spec, wanted: str, mounted: Sequence[_Mounted]) -> _Mounted:
    """The mount that a directory is on."""
    if not _FOLDER.fullmatch(wanted):
        raise ImpossibleJob(
            f"{quoted(wanted)} is no place for checkpoints. Use a directory such as /scratch/run, or s3://BUCKET/run."
        )
    on = next((each for each in mounted if f"{wanted}/".startswith(f"{each.mount.path}/")), None)
    able = [f"{each.mount.path}{_exported(spec, each.item)}" for each in mounted if each.takes_checkpoints]
    hint = f"Use a directory below {listed(able)}." if able else "Add storage of kind lustre or nfs to the description."
    if on is None:
        raise ImpossibleJob(f"{wanted} is on no storage of the job, so it is lost with the pod. {hint}")
    if on.mount.read_only:
        raise ImpossibleJob(f"The job may only read {on.mount.path}. {hint}")
    if not on.takes_checkpoints:
        raise ImpossibleJob(f"Checkpoints in {wanted} would fail: {on.refusal}. {hint}")
    return on


def _exported(spec: Spec, item: StorageSpec) -> str:
    """The directory below the mount whose files are copied to a bucket, where there is one."""
    if not isinstance(item, LustreSpec) or not item.export:
        return ""
    offered = offer_of(spec.cloud.provider).lustre
    return offered.exported if offered is not None else ""


def _nothing(unable: Sequence[_Mounted]) -> str:
    hint = "Add storage of kind lustre or nfs, or set --checkpoints to an address that the script saves to itself."
    why = unable[0].refusal if unable else "it may write to no storage"
    return f"The job saves no checkpoints, because {why}. {hint}"


def _small(spec: Spec, item: StorageSpec, pool: PoolNodes, accelerators: int) -> tuple[str, ...]:
    """A note where one checkpoint of a model that fills the accelerators would not fit."""
    has, memory = _capacity_gib(spec, item), pool.accelerator_memory_gib
    needed = accelerators * (memory or 0) * _SHARE
    if has is None or needed <= has:
        return ()
    model = f"a model that fills {accelerators} {pool.accelerator}"
    note = f"{item.name} holds {has:,} GiB, and a checkpoint of {model} takes up to {needed:,.0f} GiB."
    return (f"{note} Raise capacity_tib, or add storage of kind lustre.",)


def _capacity_gib(spec: Spec, item: StorageSpec) -> int | None:
    """The size of storage; None for what grows, and where the description does not say."""
    if isinstance(item, LustreSpec):
        return lustre_gib(item.capacity_tib)
    if not isinstance(item, SharedFilesSpec) or item.server is not None:
        return None
    size = offer_of(spec.cloud.provider).shared_files_gib
    return size(item) if size is not None else None

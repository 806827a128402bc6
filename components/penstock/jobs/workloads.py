"""What the templates run: images, commands and variables."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.core.errors import ImpossibleJob
from penstock.description.nodes import PoolNodes
from penstock.jobs import mpi, neuron
from penstock.jobs.checkpoints import CheckpointTarget
from penstock.jobs.parallelism import Parallelism
from penstock.jobs.request import JobRequest, Template
from penstock.kubernetes.components import job_images
from penstock.kubernetes.components.job_pods import Mount, PodParts, variables
from penstock.kubernetes.components.mirrored import in_mirror
from penstock.kubernetes.facts import workload_images

_LESS_FRAGMENTS = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
"""Shards come and go in sizes of their own, and leave gaps otherwise (PyTorch documentation, CUDA semantics)."""

_ONE_QUEUE = {"CUDA_DEVICE_MAX_CONNECTIONS": "1"}
"""Keeps communication in step with computation in tensor parallelism (Megatron-LM documentation)."""


def parts_of(
    request: JobRequest,
    template: Template,
    pool: PoolNodes,
    nodes: int,
    *,
    mounts: tuple[Mount, ...],
    target: CheckpointTarget,
    image_mirror: str | None = None,
) -> PodParts:
    """What a template adds to the pods of a pool; its own image comes from the mirror, where there is one.

    Raises:
        ImpossibleJob: the degrees of parallelism do not divide the job's GPUs.
    """
    env: Mapping[str, str] = _LESS_FRAGMENTS if template in (Template.FSDP, Template.MEGATRON) else {}
    if template is Template.MEGATRON:
        env = {**env, **_ONE_QUEUE}
    if template is Template.NEURON:
        env = neuron.variables(pool, target.root)
    return PodParts(
        image=_given_image(request, template, pool, image_mirror) or _image(template, pool, image_mirror),
        command=_command(request, template, pool, nodes, folder=target.folder, env=env),
        env=env,
        mounts=mounts,
    )


def _command(
    request: JobRequest,
    template: Template,
    pool: PoolNodes,
    nodes: int,
    *,
    folder: str,
    env: Mapping[str, str],
) -> tuple[str, ...]:
    match template:
        case Template.JAX:
            return ("python3", "train.py", *_checkpoints(folder))
        case Template.MPI:
            return mpi.launched("train.py", variables(pool, env), _checkpoints(folder))
        case Template.MEGATRON:
            spread = Parallelism(
                world=nodes * pool.accelerators,
                of_node=pool.accelerators,
                tensor=request.tensor,
                pipeline=request.pipeline,
            )
            if problem := spread.problem():
                raise ImpossibleJob(problem)
            degrees = (
                f"--tensor-model-parallel-size={spread.tensor}",
                f"--pipeline-model-parallel-size={spread.pipeline}",
                *(("--sequence-parallel",) if spread.tensor > 1 else ()),
                "--use-distributed-optimizer",
            )
            kept = (f"--save={folder}", f"--load={folder}") if folder else ()
            return ("torchrun", "pretrain_gpt.py", *degrees, *kept)
        case _:
            return ("torchrun", "train.py", *_checkpoints(folder))


def _checkpoints(folder: str) -> tuple[str, ...]:
    return (f"--checkpoint-dir={folder}",) if folder else ()


def _image(template: Template, pool: PoolNodes, mirror: str | None) -> str:
    """What a job runs in that names no image: always the same, however long ago it was printed.

    Raises:
        ImpossibleJob: there is none for the accelerators of the pool.
    """
    public = _public_image(template, pool)
    return public if mirror is None else in_mirror(public, mirror)


def _given_image(request: JobRequest, template: Template, pool: PoolNodes, mirror: str | None) -> str | None:
    """The image that the user names.

    Raises:
        ImpossibleJob: it is known to lack the network library of the pool's fabric, or is built for other accelerators.
    """
    if request.image is None:
        return None
    default = _known_image(template, pool)
    library = job_images.missing_library(request.image, pool, mirror)
    if library is not None:
        instead = f"Leave --image out to use {default}" if default is not None else f"Use an image with {library}"
        raise ImpossibleJob(
            f"{request.image} lacks {library}, which jobs need for the fabric {pool.fabric} of pool {pool.pool}. "
            f"{instead}."
        )
    mismatch = job_images.accelerator_mismatch(request.image, pool, mirror)
    if mismatch is not None:
        instead = f"Leave --image out to use {default}" if default is not None else "Use an image built for them"
        raise ImpossibleJob(f"{request.image} {mismatch}, which pool {pool.pool} has. {instead}.")
    return request.image


def _public_image(template: Template, pool: PoolNodes) -> str:
    found = _known_image(template, pool)
    if found is None:
        fabric = f" with {pool.plugin.needs}" if pool.plugin is not None else ""
        raise ImpossibleJob(
            f"No image for {pool.resource}{fabric} is known for the template {template}: name yours with --image."
        )
    return found


def _known_image(template: Template, pool: PoolNodes) -> str | None:
    """The public image of a template for a pool; None where none is known."""
    match template:
        case Template.JAX:
            return workload_images.find_image("jax-tpu").reference
        case Template.MEGATRON:
            return job_images.megatron_image(pool)
        case Template.MPI:
            return job_images.mpi_image(pool)
        case _:
            return job_images.pytorch_image(pool)

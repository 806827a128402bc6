"""What a person asks of a job, and whether a pool of the platform can hold it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from penstock.core.errors import ImpossibleJob
from penstock.core.wording import listed, one_of, quoted
from penstock.description.forms import is_image
from penstock.description.nodes import PoolNodes

_NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")

_LONGEST_NAME = 45
"""Pods are named after their job, with the numbers of the node and a random end, in 63 characters (RFC 1123)."""


class Template(StrEnum):
    """The kinds of training jobs."""

    DDP = "ddp"
    FSDP = "fsdp"
    MEGATRON = "megatron"
    JAX = "jax"
    MPI = "mpi"
    NEURON = "neuron"


_KINDS = {Template.JAX: "tpu", Template.NEURON: "neuron"}
"""The accelerators of templates that do not run on GPUs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """One job.

    Attributes:
        pool: its name in the description; None for the first that fits the template.
        template: None for what fits the pool: DDP on GPUs, JAX on TPUs, and Neuron's PyTorch on its devices.
        nodes: how many; None for as many as the pool always has, and at least one; slices on TPUs of several hosts.
        name: of the job.
        namespace: where it runs; that of a team, or the one with the claims of `storage`.
        image: None for the one that the template brings.
        checkpoints: a directory of its pods or an address, such as s3://bucket/run; None for the best storage.
        tensor, pipeline: of Megatron: how many GPUs hold one layer, and how many groups of layers there are.
    """

    pool: str | None = None
    template: Template | None = None
    nodes: int | None = None
    name: str = "train"
    namespace: str = "default"
    image: str | None = None
    checkpoints: str | None = None
    tensor: int = 1
    pipeline: int = 1


def check_names(request: JobRequest) -> None:
    """See that Kubernetes takes the names of a job, its namespace and its image.

    Raises:
        ImpossibleJob: it refuses one.
    """
    for what, name in (("job", request.name), ("namespace", request.namespace)):
        if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
            raise ImpossibleJob(
                f"{quoted(name)} is no name of a {what}. Use up to {_LONGEST_NAME} lower-case letters, digits and '-', "
                "a letter first."
            )
    if request.image is not None and not is_image(request.image):
        raise ImpossibleJob(
            f"{quoted(request.image)} is no name of an image. Use one such as registry.example.com/team/trainer:1.0."
        )


def pool_for(request: JobRequest, pools: Sequence[PoolNodes]) -> PoolNodes:
    """The pool that a job goes to.

    Raises:
        ImpossibleJob: there is none of that name, or none that the template runs on.
    """
    accelerated = [nodes for nodes in pools if nodes.resource is not None]
    if request.pool is not None:
        found = next((nodes for nodes in pools if nodes.pool == request.pool), None)
        if found is None:
            names = [nodes.pool for nodes in pools]
            raise ImpossibleJob(f"There is no pool {quoted(request.pool)}. {one_of(request.pool, names, 'Pools')}")
        problem = _misfit(request, found)
        if problem:
            raise ImpossibleJob(problem)
        return found
    problems = [_misfit(request, nodes) for nodes in accelerated]
    for nodes, problem in zip(accelerated, problems, strict=True):
        if not problem:
            return nodes
    raise ImpossibleJob(next(filter(None, problems), "No pool of the platform has accelerators."))


def nodes_for(request: JobRequest, nodes: PoolNodes) -> int:
    """How many nodes the job takes of its pool: where pods share these, how many shares, which is one.

    Raises:
        ImpossibleJob: the pool never has as many.
    """
    if nodes.shared is not None:
        if request.nodes not in (None, 1):
            raise ImpossibleJob(
                f"A pod of pool {nodes.pool} gets a part of a GPU, and parts of GPUs cannot work on one job together: "
                "they reach each other neither over NVLink nor over the fabric. "
                "Ask for --nodes 1, or name a pool with whole GPUs."
            )
        return 1
    most = nodes.nodes.max
    wanted = request.nodes if request.nodes is not None else max(nodes.nodes.min, nodes.slice_hosts)
    if wanted < 1:
        raise ImpossibleJob("A job takes one node at least.")
    if wanted > most:
        has, bound = ("has", "nodes") if nodes.nodes.min == most else ("grows to", "nodes.max")
        raise ImpossibleJob(
            f"The job asks for {wanted} nodes, and pool {nodes.pool} {has} {most}. "
            f"Ask for --nodes {most} at most, or raise {bound} of the pool."
        )
    if wanted > 1 and nodes.accelerator_kind == "neuron" and nodes.fabric is None:
        raise ImpossibleJob(
            f"Nodes of pool {nodes.pool} have no EFA, and Neuron trains on several nodes over nothing else. "
            "Ask for --nodes 1, or name a pool with EFA."
        )
    if wanted % nodes.slice_hosts:
        raise ImpossibleJob(
            f"A slice of pool {nodes.pool} has {nodes.slice_hosts} nodes, which work together or not at all. "
            f"Ask for --nodes {nodes.slice_hosts}, or a multiple of it."
        )
    return wanted


def template_for(request: JobRequest, nodes: PoolNodes) -> Template:
    """The template of the job: the one it names, or the one of its pool's accelerators."""
    of_kind = (template for template, kind in _KINDS.items() if kind == nodes.accelerator_kind)
    return request.template or next(of_kind, Template.DDP)


def _misfit(request: JobRequest, nodes: PoolNodes) -> str:
    """Return why a job cannot run on a pool; nothing where it can."""
    if nodes.resource is None:
        return f"Pool {nodes.pool} has no accelerators. Name another with --pool."
    template = template_for(request, nodes)
    if not nodes.cores:
        return f"{nodes.accelerator} of pool {nodes.pool} is for inference only. Name another pool with --pool."
    if _KINDS.get(template, "gpu") != nodes.accelerator_kind:
        fits = listed([each for each in Template if _KINDS.get(each, "gpu") == nodes.accelerator_kind])
        return f"Template {template} does not run on {nodes.accelerator} of pool {nodes.pool}. Use {fits} there."
    return ""

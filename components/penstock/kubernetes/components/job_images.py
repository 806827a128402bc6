"""The images of jobs: each contains the network library of the fabric of its pool."""

from __future__ import annotations

from penstock.description.nodes import PoolNodes
from penstock.kubernetes.facts.fabric_plugins import FabricPlugin
from penstock.kubernetes.facts.image_contents import ImageContents, find_contents
from penstock.kubernetes.facts.node_labels import ARCHITECTURE
from penstock.kubernetes.facts.public_registries import public_registries
from penstock.kubernetes.facts.workload_images import find_image

NEEDS = "penstock.dev/image-needs"
"""The annotation of jobs and runtimes that says what an image of the user's own must contain."""

_PYTORCH, _NGC, _MPI = "pytorch", "pytorch-ngc", "mpi"
_OF_DEVICES = {"amd.com/gpu": "pytorch-rocm", "aws.amazon.com/neuron": "pytorch-neuron"}
"""The workload image with PyTorch, by resource, for accelerators that are not NVIDIA's."""


def pytorch_image(nodes: PoolNodes) -> str | None:
    """The public image with PyTorch for a pool; None where none is known."""
    if nodes.plugin is not None:
        return _reference(nodes.plugin.image)
    if of_nvidia(nodes):
        # The image of PyTorch for arm64 has no CUDA (pytorch/pytorch, Dockerfile).
        return _reference(_NGC if nodes.labels.get(ARCHITECTURE) == "arm64" else _PYTORCH)
    name = _OF_DEVICES.get(nodes.resource or "")
    return _reference(name) if name is not None else None


def megatron_image(nodes: PoolNodes) -> str | None:
    """The public image with PyTorch and Transformer Engine for a pool; None where none is known."""
    if not of_nvidia(nodes):
        return None
    return pytorch_image(nodes) if nodes.plugin is not None else _reference(_NGC)


def mpi_image(nodes: PoolNodes) -> str | None:
    """The public image with OpenMPI, and an SSH server that user 1000 may run; None where none fits the fabric."""
    if not of_nvidia(nodes):
        return None
    reference, needed = _reference(_MPI), _needed(nodes)
    contents = find_contents(reference)
    fits = needed is None or (contents is not None and needed.library in contents.has)
    return reference if fits else None


def default_images(nodes: PoolNodes) -> tuple[str, ...]:
    """The public images of jobs on a pool, each once."""
    found = (pytorch_image(nodes), megatron_image(nodes), mpi_image(nodes))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def of_nvidia(nodes: PoolNodes) -> bool:
    """Return whether the accelerators of a pool are GPUs of NVIDIA, shared ones among them."""
    return nodes.resource is not None and nodes.resource.startswith("nvidia.com/")


def missing_library(image: str, nodes: PoolNodes, mirror: str | None) -> str | None:
    """The network library that a known image lacks, and the pool needs; None for unknown images, too."""
    needed = _needed(nodes)
    contents = _contents(image, mirror) if needed is not None else None
    return needed.library if needed is not None and contents is not None and needed.library in contents.lacks else None


def accelerator_mismatch(image: str, nodes: PoolNodes, mirror: str | None) -> str | None:
    """The difference between a known image and the accelerators of a pool; None if it fits, or is unknown."""
    contents = _contents(image, mirror) if nodes.resource is not None else None
    return contents.mismatch(nodes.resource) if contents is not None and nodes.resource is not None else None


def needs_annotation(nodes: PoolNodes) -> dict[str, str]:
    """Return the annotation of jobs and runtimes about images of the user's own; empty without a fabric."""
    if nodes.plugin is None:
        return {}
    if nodes.plugin.brought_by == "node":
        return {NEEDS: f"Any image with {nodes.plugin.needs}: the node brings the library for {nodes.fabric}."}
    pinned = nodes.nccl.get("NCCL_NET")
    only = f": NCCL_NET={pinned} allows no other network" if pinned else ""
    return {NEEDS: f"Your own image needs {nodes.plugin.needs}{only}."}


def _needed(nodes: PoolNodes) -> FabricPlugin | None:
    """The network library that must be in the image; None where the node brings it."""
    return nodes.plugin if nodes.plugin is not None and nodes.plugin.brought_by == "image" else None


def _contents(image: str, mirror: str | None) -> ImageContents | None:
    """The contents of a known image, from its own registry or by the same path from the mirror."""
    if mirror is None or not image.startswith(f"{mirror}/"):
        return find_contents(image)
    path = image.removeprefix(f"{mirror}/")
    found = (find_contents(f"{host}/{path}") for host in sorted(public_registries()))
    return next(filter(None, found), None)


def _reference(name: str) -> str:
    return find_image(name).reference

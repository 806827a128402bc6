"""Accelerators of machines that no cloud names: their resource, and how many a usual machine has."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.machine import AcceleratorKind
from penstock.catalog.records import record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """One accelerator, wherever it is installed.

    Attributes:
        resource: what pods request, such as nvidia.com/gpu.
        accelerators: how many a usual machine has.
        memory_gib: the memory of one, as its maker gives it.
        adapters: how many adapters of the fabric between nodes a usual machine has; None is "not known".
        nvlink_nodes: how many nodes share one NVLink domain; None where NVLink does not leave the node.
        product: how GPU feature discovery labels it (nvidia.com/gpu.product); None for other makers.
    """

    accelerator: str
    kind: AcceleratorKind
    resource: str
    accelerators: int
    memory_gib: int
    adapters: int | None
    nvlink_nodes: int | None
    product: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_accelerator(name: str) -> Accelerator:
    """The accelerator of that name.

    Raises:
        UnknownFact: the catalogue has none; the text names the nearest ones.
    """
    return record_of(Accelerator, "kubernetes/accelerators", name, "accelerator")


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineAdapters:
    """How many adapters machines of one kind of cluster have, where these are not as usual for the accelerator."""

    profile: str
    accelerator: str
    adapters: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def adapters(profile: str, accelerator: str) -> int | None:
    """The adapters of the fabric between nodes that a machine of that kind of cluster has; None is "not known".

    Raises:
        UnknownFact: the catalogue has no such accelerator.
    """
    for each in records(MachineAdapters, "kubernetes/machine_adapters"):
        if (each.profile, each.accelerator) == (profile, accelerator):
            return each.adapters
    return find_accelerator(accelerator).adapters


def names() -> tuple[str, ...]:
    """Return the names of all accelerators, in the order of the table."""
    return tuple(each.accelerator for each in records(Accelerator, "kubernetes/accelerators"))


def contradicts(accelerator: Accelerator, product: str) -> str | None:
    """Return which other accelerator nodes with a product label have; None where they may have this one.

    Parts and shares of a GPU have its product's name with more after it, and so have variants that are not known.
    """
    known = [each for each in records(Accelerator, "kubernetes/accelerators") if each.product is not None]
    words = product.upper().split("-")
    named = [each for each in known if each.product == product or product.startswith(f"{each.product}-")]
    named = named or [each for each in known if each.accelerator.partition("-")[0].upper() in words]
    models = {each.accelerator for each in named}
    return None if not named or accelerator.accelerator in models else named[0].accelerator


def spans_nodes(accelerator: str | None) -> bool:
    """Return whether NVLink joins accelerators of several nodes, so that a job may share all of their memory."""
    return any(
        each.accelerator == accelerator and each.nvlink_nodes is not None
        for each in records(Accelerator, "kubernetes/accelerators")
    )

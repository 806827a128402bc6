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
        nvlink_nodes: how many nodes share one NVLink domain; None where NVLink does not leave the node.
        product: how GPU feature discovery labels it (nvidia.com/gpu.product); None for other makers.
    """

    accelerator: str
    kind: AcceleratorKind
    resource: str
    accelerators: int
    memory_gib: int
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


def names() -> tuple[str, ...]:
    """Return the names of all accelerators, in the order of the table."""
    return tuple(each.accelerator for each in records(Accelerator, "kubernetes/accelerators"))


def spans_nodes(accelerator: str | None) -> bool:
    """Return whether NVLink joins accelerators of several nodes, so that a job may share all of their memory."""
    return any(
        each.accelerator == accelerator and each.nvlink_nodes is not None
        for each in records(Accelerator, "kubernetes/accelerators")
    )

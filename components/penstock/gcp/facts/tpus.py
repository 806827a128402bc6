"""The slices that TPU machines form: chips in a grid, and the machines that hold them.

v5e and v6e lie in a plane and come in a few shapes. v4, v5p and TPU7x fill a space: small shapes, or any number of
cubes of 4x4x4 chips up to the size of a pod.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Literal

from penstock.catalog.records import keyed
from penstock.core.errors import UnknownFact
from penstock.gcp.facts.machines import GcpMachine

Policy = Literal["compact", "workload"]
CUBE = 4
"""Chips along each edge of the cube that large slices are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One slice.

    Attributes:
        hosts: the machines that hold it; they start and stop together.
        multi_host: whether that is more than one.
        policy: what places its machines: `compact` a placement policy of the node pool that names the topology,
            `workload` a resource policy for workloads; None for a single machine, which takes no topology.
    """

    topology: str
    chips: int
    hosts: int
    multi_host: bool
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class _Common:
    machine_type: str
    topologies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Family:
    family: str
    dimensions: int
    cubes: int | None
    ordered: bool
    policy: Policy


def slice_(machine: GcpMachine, topology: str) -> Slice:
    """The slice of that topology (4x4, 2x2x4) on machines of that type.

    Raises:
        UnknownFact: there is no such slice; the text says what there is.
    """
    trouble = problem(machine, topology)
    if trouble is not None:
        raise UnknownFact(trouble)
    chips = prod(_edges(topology))
    hosts = chips // machine.accelerators
    return Slice(
        topology=topology,
        chips=chips,
        hosts=hosts,
        multi_host=hosts > 1,
        policy=_family(machine.family).policy if hosts > 1 else None,
    )


def problem(machine: GcpMachine, topology: str) -> str | None:
    """Return what is wrong with a topology on a machine, in a sentence or two, or None for one that exists."""
    listed = topologies(machine)
    if not listed:
        return f"{machine.machine_type} has no TPU chips, so it takes no topology."
    if topology in listed:
        return None
    known = f"{machine.machine_type} comes as {', '.join(listed)}"
    family = _family(machine.family)
    if family.cubes is None or len(listed) == 1:
        return f"{topology} is not a topology of {machine.machine_type}. {known}."
    known += f", and in any other whole cubes of {'x'.join([str(CUBE)] * family.dimensions)}"
    edges = _edges(topology)
    if len(edges) != family.dimensions:
        return f"{topology} has {len(edges)} edges, slices of {machine.machine_type} have {family.dimensions}. {known}."
    if any(edge < CUBE or edge % CUBE for edge in edges):
        return f"{topology} is not a topology of {machine.machine_type}. {known}."
    if prod(edges) > family.cubes * CUBE**family.dimensions:
        return (
            f"{topology} is {prod(edges)} chips, and a pod of {machine.machine_type} has "
            f"{family.cubes * CUBE**family.dimensions}."
        )
    if family.ordered and edges != sorted(edges):
        return f"The edges of {topology} must not shrink: {'x'.join(map(str, sorted(edges)))} is the same slice."
    return None


def topologies(machine: GcpMachine) -> tuple[str, ...]:
    """The common topologies of a machine, the smallest first; none for a machine without TPU chips."""
    listed = keyed(_Common, "gcp/tpu_topologies").get(machine.machine_type)
    return () if listed is None else listed.topologies


def _family(family: str) -> _Family:
    return keyed(_Family, "gcp/tpu_families")[family]


def _edges(topology: str) -> list[int]:
    return [int(edge) if edge.isdecimal() else 0 for edge in topology.split("x")]

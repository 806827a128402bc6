"""Which resources run machines with accelerators, and which of them start such machines at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, NamedType, machine_pools

Told = TypeVar("Told")


def runs_machines(view: View) -> bool:
    """Return whether a resource runs machines, as far as is known."""
    return bool(_pools(view))


def are_in(view: View) -> bool:
    """Return whether the machines of a resource have GPUs, TPUs or Neuron devices; False if undetermined."""
    return any(_known(pool.has_accelerators, otherwise=False) for pool in _pools(view))


def is_slice(view: View) -> bool:
    """Return whether a resource starts the hosts of a TPU slice, which work only all together."""
    return any(_known(pool.chips, otherwise=0) and "placementPolicy" in pool.block for pool in _pools(view))


def machine_types(view: View) -> tuple[str, ...]:
    """The machine types that a resource may start, wherever they are named; none if not known."""
    none: list[NamedType] = []
    types = (_known(pool.machine_types, otherwise=none) for pool in _pools(view))
    return tuple(named.name for found in types for named in found)


def starts_machines(view: View) -> bool:
    """True if a resource starts machines as it is created; a group may start empty, and a size not known yet is one."""
    return any(_known(pool.starts_machines, otherwise=True) for pool in _pools(view))


def started(site: Site) -> Iterator[str]:
    """The URNs of the resources that bring machines with accelerators as they are created."""
    for resource in site.graph:
        view = View(resource, site)
        if not resource.external and starts_machines(view) and are_in(view):
            yield resource.urn


def _pools(view: View) -> Sequence[MachinePool]:
    return _known(lambda: machine_pools(view), otherwise=())


def _known(read: Callable[[], Told], *, otherwise: Told) -> Told:
    try:
        return read()
    except (NotKnown, TypeMismatch):
        return otherwise

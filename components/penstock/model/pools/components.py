"""Pools that our own components describe, for what their resources do not show yet.

Their inputs are known before anything is created. What their resources show comes first, since the cloud gets that;
where it cannot be read yet, the component speaks for them, and they are silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from typing_extensions import override

from penstock.catalog import machines
from penstock.catalog.machine import Machine
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required
from penstock.providers import provider_named

_WAYS: tuple[Purchase, ...] = ("on_demand", "spot", "reserved", "capacity_block", "flex_start")

Read = Callable[[View], Sequence[MachinePool]]
"""Reads the pools that a resource itself describes."""


class ComponentPool(MachinePool):
    """A pool by what the user of a component wrote."""

    __slots__ = ()

    @property
    @override
    def cloud(self) -> str:
        return _cloud_of(self.view.type)

    @override
    def machine_types(self) -> list[NamedType]:
        written = "machine_type" if "machine_type" in self.block else "accelerator"
        return [NamedType(self._machine().machine_type, self.view, written)]

    @override
    def accelerators(self) -> int:
        return self._machine().accelerators

    @override
    def chips(self) -> int:
        machine = self._machine()
        return machine.accelerators if machine.accelerator_kind == "tpu" else 0

    @override
    def start(self) -> int:
        return self.least()[0]

    @override
    def least(self) -> tuple[int, str]:
        return required(self._nodes().integer("min")), "nodes.min"

    @override
    def most(self) -> int:
        return required(self._nodes().integer("max"))

    @override
    def purchase(self) -> Purchase:
        given = self.block.text("capacity") or "on_demand"
        found = next((way for way in _WAYS if way == given), None)
        if found is None:
            raise TypeMismatch
        return found

    def _nodes(self) -> Block:
        nodes = self.block.block("nodes")
        if nodes is None:
            raise NotKnown
        return nodes

    def _machine(self) -> Machine:
        named = self.block.text("machine_type")
        try:
            if named is not None:
                return machines.find_machine(named, self.cloud)
            accelerator, count = self.block.text("accelerator") or "", self.block.integer("count")
            return machines.for_accelerator(accelerator, count, self.cloud)
        except UnknownFact:
            raise NotKnown from None


def spokesman(view: View, read: Read) -> ComponentPool | None:
    """Return the pool that a component describes; None where its resources show all of it themselves."""
    if not _describes_pools(view.type) or "nodes" not in view:
        return None
    inside = [pool for each in _below(view) for pool in read(each)]
    return None if inside and all(_is_readable(pool) for pool in inside) else ComponentPool(view, view)


def is_spoken_for(view: View, read: Read) -> bool:
    """Return whether a component around a resource speaks for it."""
    resources = view.site.graph.resources
    above = resources.get(view.resource.parent)
    while above is not None:
        if spokesman(View(above, view.site), read) is not None:
            return True
        above = resources.get(above.parent)
    return False


def _cloud_of(type_: str) -> str:
    """The cloud of a component by its token, such as penstock:CLOUD:NodePool; empty for other types."""
    package, _, rest = type_.partition(":")
    return rest.partition(":")[0] if package == "penstock" else ""


@cache
def _describes_pools(type_: str) -> bool:
    """Return whether a component describes pools; its cloud lists those that do."""
    provider = provider_named(_cloud_of(type_))
    pools = provider.module("pools") if provider is not None else None
    return pools is not None and type_ in getattr(pools, "COMPONENTS", ())


def _below(view: View) -> Iterator[View]:
    for child in view.site.graph.children(view.urn):
        each = View(child, view.site)
        yield each
        yield from _below(each)


def _is_readable(pool: MachinePool) -> bool:
    try:
        for read in (pool.accelerators, pool.most, pool.least, pool.purchase):
            read()
    except NotKnown:
        return False
    except TypeMismatch:
        return True
    return True

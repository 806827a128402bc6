"""Pools of machines of the toy cloud."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.providers.toy.sdk import POOL
from typing_extensions import override

from penstock.catalog import machines
from penstock.graph.view import View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

TYPES: Final = (POOL,)
"""The types of resources that start machines."""


class ToyPool(MachinePool):
    """Machines of one type, all there from the start."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        return [NamedType(self.view.text("machineType") or "", self.view, "machineType")]

    @override
    def accelerators(self) -> int:
        return machines.find_machine(self.view.text("machineType") or "", "toy").accelerators

    @override
    def start(self) -> int:
        return required(self.view.integer("machines"))

    @override
    def least(self) -> tuple[int, str]:
        return self.start(), "machines"

    @override
    def most(self) -> int:
        return self.start()

    @override
    def purchase(self) -> Purchase:
        return "on_demand"


def read_pools(view: View) -> Sequence[MachinePool]:
    """The pool that a resource is."""
    return [ToyPool(view, view)]

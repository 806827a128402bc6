"""Pools of machines on Azure: node pools of AKS, in their cluster or beside it, scale sets and single machines."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from typing_extensions import override

from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block, Site, View
from penstock_policies.pools.pool import Bought, Named, Pool, required

AGENT_POOL = "azure-native:containerservice:AgentPool"
CLUSTER = "azure-native:containerservice:ManagedCluster"
SCALE_SET = "azure-native:compute:VirtualMachineScaleSet"
MACHINE = "azure-native:compute:VirtualMachine"

STARTERS = (AGENT_POOL, CLUSTER, SCALE_SET, MACHINE)
"""The types of resources that start machines."""

_SIZES = Path(__file__).parents[1] / "data" / "azure_sizes.csv"


class AksPool(Pool):
    """A node pool: a resource of its own, or a profile of its cluster."""

    __slots__ = ()

    @property
    def is_system(self) -> bool:
        """Whether it must always have nodes, for what the cluster itself runs."""
        return (self.block.text("mode") or "User").casefold() == "system"

    @override
    def types(self) -> list[Named]:
        if "vmSize" not in self.block:
            raise NotKnown  # AKS takes one that it has at hand
        return [Named(self.block.text("vmSize") or "", self.block.at("vmSize"))]

    @override
    def accelerators(self) -> int:
        if "virtualMachinesProfile" in self.block:
            raise NotKnown
        return accelerators(self.block.text("vmSize") or "")

    @override
    def most(self) -> int:
        if self.block.flag("enableAutoScaling"):
            return required(self.block.integer("maxCount"))
        return self._fixed()

    @override
    def least(self) -> tuple[int, str]:
        if self.block.flag("enableAutoScaling"):
            return required(self.block.integer("minCount")), self.block.at("minCount")
        return self._fixed(), self.block.at("count")

    @override
    def bought(self) -> Bought:
        if (self.block.text("scaleSetPriority") or "Regular").casefold() == "spot":
            return "spot"
        return "reserved" if "capacityReservationGroupID" in self.block else "on_demand"

    def _fixed(self) -> int:
        count = self.block.integer("count")
        return 1 if count is None else count


class Machines(Pool):
    """A scale set, or a machine that stands alone."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        holder, key = ("hardwareProfile", "vmSize") if self.view.type == MACHINE else ("sku", "name")
        inner = self.block.block(holder)
        named = inner.text(key) if inner is not None else None
        return [] if named is None else [Named(named, f"{holder}.{key}")]

    @override
    def accelerators(self) -> int:
        return max((accelerators(each.name) for each in self.types()), default=0)

    @override
    def most(self) -> int:
        sku = self.block.block("sku") if self.view.type == SCALE_SET else None
        return 1 if sku is None else required(sku.integer("capacity"))

    @override
    def least(self) -> tuple[int, str]:
        return self.most(), "sku.capacity"

    @override
    def bought(self) -> Bought:
        profile = self.block.block("virtualMachineProfile") if self.view.type == SCALE_SET else self.block
        return "spot" if profile is not None and profile.text("priority") == "Spot" else "on_demand"


def pools(view: View) -> list[AksPool]:
    """The node pools of AKS that a resource describes."""
    if view.type == AGENT_POOL:
        return [AksPool(view, view)]
    blocks: list[Block] = view.blocks("agentPoolProfiles") if view.type == CLUSTER else []
    return [AksPool(block, view) for block in blocks]


def described(view: View) -> list[Pool]:
    """All machines that a resource describes: pools of AKS, a scale set or a machine that stands alone."""
    return [Machines(view, view)] if view.type in (SCALE_SET, MACHINE) else [*pools(view)]


def all_pools(site: Site) -> list[Pool]:
    """All machines of a program."""
    return [pool for view in site.of_type(*STARTERS) for pool in described(view)]


def accelerators(size: str) -> int:
    """How many GPUs a size of machine has.

    Raises:
        NotKnown: it has some, and the table does not tell how many.
    """
    known = _sizes().get(size.casefold())
    if known is None and size.casefold().startswith("standard_n"):
        raise NotKnown
    return known or 0


@cache
def _sizes() -> dict[str, int]:
    with _SIZES.open(encoding="utf-8", newline="") as file:
        return {row["size"].casefold(): int(row["accelerators"]) for row in csv.DictReader(file)}

"""Pools of machines on Azure: of AKS, in their cluster or beside it, of services, scale sets and single machines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from typing_extensions import override

from penstock.azure.facts.machines import AzureMachine
from penstock.azure.model import places
from penstock.azure.types import (
    BATCH_POOL,
    COMPUTE_CAPACITY_RESERVATION,
    COMPUTE_CAPACITY_RESERVATION_GROUP,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
    MONITOR_AUTOSCALE_SETTING,
)
from penstock.catalog import machines
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

TYPES: Final = (
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    COMPUTE_VIRTUAL_MACHINE,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
    BATCH_POOL,
)
"""The types of resources that start machines."""

_CLUSTER_OF_ML, _INSTANCE = "amlcompute", "computeinstance"
"""Kinds of computes of Machine Learning that start machines; others only bring in what exists elsewhere."""


class AksPool(MachinePool):
    """A node pool: a resource of its own, or a profile of its cluster."""

    __slots__ = ()

    @override
    def region(self) -> str:
        return places.region(self.view)

    @override
    def zones(self) -> list[str] | None:
        return _zones(self.block.texts("availabilityZones"), self)

    @override
    def reservation(self) -> View | None:
        return _reservation(self.block.one("capacityReservationGroupID", COMPUTE_CAPACITY_RESERVATION_GROUP), self)

    @override
    def reservation_name(self) -> str:
        return self.block.text("capacityReservationGroupID") or ""

    @property
    def is_system(self) -> bool:
        """True if it must always have nodes, for what the cluster itself runs."""
        return (self.block.text("mode") or "User").casefold() == "system"

    @override
    def machine_types(self) -> list[NamedType]:
        if "vmSize" not in self.block:
            raise NotKnown  # AKS takes one that it has at hand
        return [NamedType(self.block.text("vmSize") or "", self.view, self.block.at("vmSize"))]

    @override
    def accelerators(self) -> int:
        if "virtualMachinesProfile" in self.block:
            raise NotKnown
        return accelerators_of(self.block.text("vmSize") or "")

    @override
    def start(self) -> int:
        if self.block.flag("enableAutoScaling"):
            return max(self.block.integer("count") or 0, self.least()[0])
        return self._fixed()

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
    def purchase(self) -> Purchase:
        if (self.block.text("scaleSetPriority") or "Regular").casefold() == "spot":
            return "spot"
        return "reserved" if "capacityReservationGroupID" in self.block else "on_demand"

    def _fixed(self) -> int:
        count = self.block.integer("count")
        return 1 if count is None else count


class VirtualMachinePool(MachinePool):
    """A scale set, or a single machine."""

    __slots__ = ()

    @override
    def region(self) -> str:
        return places.region(self.view)

    @override
    def zones(self) -> list[str] | None:
        return _zones(self.view.texts("zones"), self)

    @override
    def reservation(self) -> View | None:
        group = self._reservation_group()
        return _reservation(group.one("id", COMPUTE_CAPACITY_RESERVATION_GROUP) if group is not None else None, self)

    @override
    def reservation_name(self) -> str:
        group = self._reservation_group()
        return (group.text("id") or "") if group is not None else ""

    def _reservation_group(self) -> Block | None:
        profile = self._profile()
        held = profile.block("capacityReservation") if profile is not None else None
        return held.block("capacityReservationGroup") if held is not None else None

    @override
    def machine_types(self) -> list[NamedType]:
        holder, key = ("hardwareProfile", "vmSize") if self.view.type == COMPUTE_VIRTUAL_MACHINE else ("sku", "name")
        inner = self.block.block(holder)
        named = inner.text(key) if inner is not None else None
        return [] if named is None else [NamedType(named, self.view, f"{holder}.{key}")]

    @override
    def accelerators(self) -> int:
        return max((accelerators_of(each.name) for each in self.machine_types()), default=0)

    @override
    def start(self) -> int:
        return self._given()

    @override
    def most(self) -> int:
        return (
            max((self._given(), *_autoscaled(self.view))) if self.view.type == COMPUTE_VIRTUAL_MACHINE_SCALE_SET else 1
        )

    @override
    def least(self) -> tuple[int, str]:
        return self._given(), "sku.capacity"

    @override
    def purchase(self) -> Purchase:
        profile = self._profile()
        if profile is None:
            return "on_demand"
        if profile.text("priority") == "Spot":
            return "spot"
        return "reserved" if "capacityReservation" in profile else "on_demand"

    def _profile(self) -> Block | None:
        return (
            self.block.block("virtualMachineProfile")
            if self.view.type == COMPUTE_VIRTUAL_MACHINE_SCALE_SET
            else self.block
        )

    def _given(self) -> int:
        sku = self.block.block("sku") if self.view.type == COMPUTE_VIRTUAL_MACHINE_SCALE_SET else None
        return 1 if sku is None else required(sku.integer("capacity"))


class AzureServicePool(MachinePool):
    """Machines that a service starts: Machine Learning for training and serving, Batch for jobs."""

    __slots__ = ()

    @property
    @override
    def name(self) -> str:
        return self.view.name

    @override
    def machine_types(self) -> list[NamedType]:
        key = "instanceType" if self.view.type == MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT else "vmSize"
        size = self.block.text(key)
        return [] if size is None else [NamedType(size, self.view, self.block.at(key))]

    @override
    def accelerators(self) -> int:
        return max((accelerators_of(each.name) for each in self.machine_types()), default=0)

    @property
    @override
    def service(self) -> str:
        return "Batch" if self.view.type == BATCH_POOL else "Machine Learning"

    @override
    def start(self) -> int:
        if self.view.type == MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT:
            return self._given()
        if self.view.type == MACHINELEARNINGSERVICES_COMPUTE:
            return 1 if _compute_type(self.view) == _INSTANCE else self.least()[0]
        return self.most()

    @override
    def most(self) -> int:
        if self.view.type == MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT:
            return max((self._given(), *_autoscaled(self.view)))
        scale = self.block.block("scaleSettings")
        if self.view.type == MACHINELEARNINGSERVICES_COMPUTE:
            return 1 if _compute_type(self.view) == _INSTANCE else self._nodes(scale, "maxNodeCount")
        fixed = scale.block("fixedScale") if scale is not None else None
        return self._nodes(fixed, "targetDedicatedNodes", "targetLowPriorityNodes")

    @override
    def least(self) -> tuple[int, str]:
        scale = self.block.block("scaleSettings")
        least = scale.integer("minNodeCount") if scale is not None else None
        return least or 0, self.block.at("scaleSettings.minNodeCount")

    @override
    def purchase(self) -> Purchase:
        return "spot" if (self.block.text("vmPriority") or "").casefold() == "lowpriority" else "on_demand"

    def _given(self) -> int:
        return self._nodes(self.view.block("sku"), "capacity")

    @staticmethod
    def _nodes(block: Block | None, *keys: str) -> int:
        counts = [block.integer(key) for key in keys] if block is not None else []
        if all(count is None for count in counts):
            raise NotKnown
        return sum(count or 0 for count in counts)


def _zones(numbers: Sequence[str], pool: MachinePool) -> list[str] | None:
    """The zones by the names that their nodes are labelled with; None where Azure chooses."""
    return sorted(f"{pool.region()}-{number}" for number in numbers) or None


def _reservation(group: View | None, pool: MachinePool) -> View | None:
    """The reservation of a group that holds machines of a pool's size; None where the pool names no group."""
    if group is None:
        return None
    sizes = {named.name.casefold() for named in pool.machine_types()}
    for each in group.referrers(COMPUTE_CAPACITY_RESERVATION, "capacityReservationGroupName"):
        sku = each.block("sku")
        if sku is not None and (sku.text("name") or "").casefold() in sizes:
            return each
    raise NotKnown


def _compute_type(view: View) -> str:
    properties = view.block("properties")
    return ((properties.text("computeType") if properties is not None else None) or "").casefold()


def _autoscaled(view: View) -> list[int]:
    """To how many machines settings of autoscaling let a resource grow."""
    profiles = (
        each
        for setting in view.referrers(MONITOR_AUTOSCALE_SETTING, "targetResourceUri")
        for each in setting.blocks("profiles")
    )
    capacities = (profile.block("capacity") for profile in profiles)
    return [required(capacity.integer("maximum")) for capacity in capacities if capacity is not None]


def aks_pools(view: View) -> list[AksPool]:
    """Return the node pools of AKS that a resource describes."""
    if view.type == CONTAINERSERVICE_AGENT_POOL:
        return [AksPool(view, view)]
    blocks: list[Block] = view.blocks("agentPoolProfiles") if view.type == CONTAINERSERVICE_MANAGED_CLUSTER else []
    return [AksPool(block, view) for block in blocks]


def read_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes."""
    if view.type in (COMPUTE_VIRTUAL_MACHINE_SCALE_SET, COMPUTE_VIRTUAL_MACHINE):
        return [VirtualMachinePool(view, view)]
    return [*aks_pools(view), *_of_services(view)]


def idle_clusters(view: View) -> list[MachinePool]:
    """Return the machines that Machine Learning starts and stops by itself, as jobs come and go."""
    return [*_of_services(view)] if _compute_type(view) == _CLUSTER_OF_ML else []


def _of_services(view: View) -> list[MachinePool]:
    if view.type == BATCH_POOL:
        return [AzureServicePool(view, view)]
    properties = (
        view.block("properties")
        if view.type in (MACHINELEARNINGSERVICES_COMPUTE, MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT)
        else None
    )
    if properties is not None and view.type == MACHINELEARNINGSERVICES_COMPUTE:
        properties = properties.block("properties") if _compute_type(view) in (_CLUSTER_OF_ML, _INSTANCE) else None
    return [] if properties is None else [AzureServicePool(properties, view)]


def accelerators_of(size: str) -> int:
    """How many GPUs a size of machine has.

    Raises:
        NotKnown: it has some, and the table does not say how many.
    """
    known = machine_of_size(size)
    if known is None and size.casefold().startswith("standard_n"):
        raise NotKnown
    return known.accelerators if known is not None else 0


def machine_of_size(size: str) -> AzureMachine | None:
    """The machine of a size, which Azure reads in any case; None for one that the catalogue does not have."""
    return _machines().get(size.casefold())


@cache
def _machines() -> dict[str, AzureMachine]:
    return {machine.machine_type.casefold(): machine for machine in machines.machine_types(AzureMachine)}

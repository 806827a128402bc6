"""Machines of Compute Engine: single ones, those of managed groups, and notebooks."""

from __future__ import annotations

import re
from collections.abc import Mapping

from typing_extensions import override

from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model import places
from penstock.gcp.types import (
    COMPUTE_AUTOSCALER,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_AUTOSCALER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_RESERVATION,
)
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

SINGLE = (COMPUTE_INSTANCE, COMPUTE_INSTANCE_FROM_TEMPLATE)

_AUTOSCALERS = {
    COMPUTE_INSTANCE_GROUP_MANAGER: COMPUTE_AUTOSCALER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER: COMPUTE_REGION_AUTOSCALER,
}
"""Managed groups, and the resources that scale each of them."""

DEFAULT_TYPE = "e2-medium"
"""The type of a node when nobody says (pulumi-gcp 10, container.NodePool, nodeConfig.machineType)."""

_WITH_ACCELERATORS = re.compile(r"(a\d|g[2-9]|ct\d|tpu)")


class InstancePool(MachinePool):
    """A single machine, by the block that describes it."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        config = self.config
        return [NamedType(type_of_config(config), config.owner, config.at("machineType"))]

    @override
    def accelerators(self) -> int:
        return accelerators_of_config(self.config)

    @override
    def chips(self) -> int:
        return chips_of(type_of_config(self.config))

    @override
    def attached(self) -> Mapping[str, int]:
        return attached_accelerators(self.config)

    @override
    def start(self) -> int:
        return self.least()[0]

    @override
    def least(self) -> tuple[int, str]:
        stopped = self.view.type in SINGLE and self.view.text("desiredStatus") == "TERMINATED"
        return (0, "desiredStatus") if stopped else (1, "")

    @override
    def most(self) -> int:
        return 1

    @override
    def purchase(self) -> Purchase:
        config = self.config
        scheduling = config.block("scheduling")
        model = scheduling.text("provisioningModel") if scheduling is not None else None
        if model == "SPOT" or (scheduling is not None and scheduling.flag("preemptible")):
            return "spot"
        if model == "FLEX_START":
            return "flex_start"
        affinity = config.block("reservationAffinity")
        kind = affinity.text("type") if affinity is not None else None
        return "reserved" if kind == "SPECIFIC_RESERVATION" else "on_demand"

    @override
    def zones(self) -> list[str] | None:
        place = places.place(self.view)
        return [place] if places.is_zone(place) else None

    @override
    def region(self) -> str:
        return places.region(self.view)

    @override
    def reservation(self) -> View | None:
        affinity = self.config.block("reservationAffinity")
        named = affinity.block("specificReservation") if affinity is not None else None
        return named_reservation(self.view, named)

    @override
    def reservation_name(self) -> str:
        affinity = self.config.block("reservationAffinity")
        return names_of_reservations(affinity.block("specificReservation") if affinity is not None else None)

    @property
    def config(self) -> Block:
        """The block that says what its machines are."""
        return self.block


class TemplatePool(InstancePool):
    """A machine that is created from an instance template, whose properties its own replace."""

    __slots__ = ()

    @property
    @override
    def config(self) -> Block:
        if "machineType" in self.view:
            return self.view
        found = self.view.one("sourceInstanceTemplate", COMPUTE_INSTANCE_TEMPLATE, COMPUTE_REGION_INSTANCE_TEMPLATE)
        if found is None or found.resource.external:
            raise NotKnown
        return found


class ManagedGroupPool(InstancePool):
    """Machines that a managed group creates of a template."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        return [NamedType(type_of_config(each), each, "machineType") for each in self._templates()]

    @override
    def accelerators(self) -> int:
        return max(accelerators_of_config(template) for template in self._templates())

    @override
    def chips(self) -> int:
        return max(chips_of(type_of_config(template)) for template in self._templates())

    @override
    def start(self) -> int:
        scaled = [required(policy.integer("minReplicas")) for policy in self._policies()]
        return max(self.view.integer("targetSize") or 0, *scaled, 0)

    @override
    def least(self) -> tuple[int, str]:
        policies = self._policies()
        if policies:
            return max(required(policy.integer("minReplicas")) for policy in policies), ""
        return self.view.integer("targetSize") or 0, "targetSize"

    @override
    def most(self) -> int:
        scaled = [required(policy.integer("maxReplicas")) for policy in self._policies()]
        return max(self.view.integer("targetSize") or 0, *scaled, 0)

    @override
    def zones(self) -> list[str] | None:
        named = (
            self.view.texts("distributionPolicyZones")
            if self.view.type == COMPUTE_REGION_INSTANCE_GROUP_MANAGER
            else []
        )
        return sorted(set(named)) or InstancePool.zones(self)

    @property
    @override
    def config(self) -> Block:
        return self._templates()[0]

    def _policies(self) -> list[Block]:
        scalers = self.view.referrers(_AUTOSCALERS[self.view.type], "target")
        return [policy for each in scalers if (policy := each.block("autoscalingPolicy")) is not None]

    def _templates(self) -> list[View]:
        """Its templates, which are mostly named by links that no property of theirs but this dependency shows."""
        types = (COMPUTE_INSTANCE_TEMPLATE, COMPUTE_REGION_INSTANCE_TEMPLATE)
        found = self.view.found("versions.instanceTemplate", *types) or self.view.sources("versions", *types)
        if len(found) < self.view.count("versions") or not found:
            raise NotKnown
        return found


class NotebookPool(InstancePool):
    """A notebook machine, as its `gceSetup` describes it."""

    __slots__ = ()

    @override
    def accelerators(self) -> int:
        return max(sum(self.attached().values()), accelerators_of(type_of_config(self.block)))

    @override
    def attached(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for each in self.block.blocks("acceleratorConfigs"):
            type_ = (each.text("type") or "").lower().replace("_", "-")
            found[type_] = found.get(type_, 0) + (each.integer("coreCount") or 0)
        return {} if found and accelerators_of(type_of_config(self.block)) else found


def type_of_config(config: Block | None) -> str:
    """Return the machine type that a block names, without its path; a default where it names none."""
    return ((config.text("machineType") if config is not None else None) or DEFAULT_TYPE).rpartition("/")[2]


def machine_named(name: str) -> GcpMachine | None:
    """Return the machine type of that name; None where the catalogue has none."""
    try:
        return machines.find_machine(name, GcpMachine)
    except UnknownFact:
        return None


def accelerators_of(name: str) -> int:
    """Return how many accelerators come with a machine type.

    Raises:
        NotKnown: it has some, and the catalogue does not know it.
    """
    machine = machine_named(name)
    if machine is None and _WITH_ACCELERATORS.match(name):
        raise NotKnown
    return machine.accelerators if machine is not None else 0


def accelerators_of_config(config: Block) -> int:
    """Return how many accelerators a machine has by its type, or beside it."""
    return max(sum(guest_accelerators(config).values()), accelerators_of(type_of_config(config)))


def guest_accelerators(config: Block) -> Mapping[str, int]:
    """Return how many accelerators of each type a machine has beside its own, such as the T4 of an N1."""
    found: dict[str, int] = {}
    for each in config.blocks("guestAccelerators"):
        type_ = (each.text("type") or "").rpartition("/")[2]
        found[type_] = found.get(type_, 0) + (1 if "count" not in each else each.integer("count") or 0)
    return found


def attached_accelerators(config: Block) -> Mapping[str, int]:
    """Return the accelerators of a machine that its type does not bring, by type."""
    found = guest_accelerators(config)
    return {} if found and accelerators_of(type_of_config(config)) else found


def chips_of(name: str) -> int:
    """Return how many TPU chips come with a machine type; as `accelerators_of`."""
    number, machine = accelerators_of(name), machine_named(name)
    return number if machine is not None and machine.accelerator_kind == "tpu" else 0


def names_of_reservations(target: Block | None) -> str:
    """Return the names of the reservations that an affinity lists, with commas between them; empty for none."""
    return ", ".join(map(_reservation_in, target.texts("values"))) if target is not None else ""


def _reservation_in(path: str) -> str:
    """The name of a reservation, which may be written with its project and its block."""
    parts = path.split("/")
    return parts[parts.index("reservations") + 1] if "reservations" in parts[:-1] else parts[-1]


def named_reservation(view: View, target: Block | None) -> View | None:
    """Return the reservation that an affinity names; None for none.

    Raises:
        NotKnown: it lies outside the program.
    """
    if target is None or not target.count("values"):
        return None
    try:
        named = target.texts("values")
    except NotKnown:
        top = target.at("values").partition(".")[0].partition("[")[0]
        found = view.sources(top, COMPUTE_RESERVATION)
        if len(found) != 1 or target.count("values") != 1:
            raise
        return found[0]
    known = view.site.named(COMPUTE_RESERVATION, _reservation_in(named[0]))
    if known is None or known.resource.external:
        raise NotKnown
    return known

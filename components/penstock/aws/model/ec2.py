"""Machines of EC2: node groups of EKS, autoscaling groups and single instances.

A launch template or a launch configuration may hold what they leave out; what it holds is read there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from typing_extensions import override

from penstock.aws.facts import instance_types
from penstock.aws.facts.instance_types import InstanceType
from penstock.aws.facts.machines import AwsMachine
from penstock.aws.model.launch_templates import inside, market_of, mixed_template, reservation_target, template_of
from penstock.aws.model.open_reservations import Place, open_places, uses_open_ones
from penstock.aws.types import (
    AUTOSCALING_GROUP,
    EC2_CAPACITY_RESERVATION,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_SPOT_INSTANCE_REQUEST,
    EC2_SUBNET,
    EKS_NODE_GROUP,
)
from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site, View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

SINGLE = (EC2_INSTANCE, EC2_SPOT_INSTANCE_REQUEST)
_RESOURCE_GROUP = "aws:resourcegroups/group:Group"

STARTERS = (EKS_NODE_GROUP, AUTOSCALING_GROUP, *SINGLE)
"""The types of resources that this module reads."""

PLACES = {
    EKS_NODE_GROUP: "subnetIds",
    AUTOSCALING_GROUP: "vpcZoneIdentifiers",
    EC2_INSTANCE: "subnetId",
    EC2_SPOT_INSTANCE_REQUEST: "subnetId",
}
"""Where each type names its subnets."""

_ACCELERATED_IMAGES = ("_NVIDIA", "_NEURON")

_EKS_DEFAULT = "t3.medium"
"""The type that a node group starts when nobody says (EKS API, CreateNodegroup)."""

_WHOLE = 100

Fact = TypeVar("Fact")


class Ec2Type(NamedType):
    """An instance type by name, and the resource and path at which it is written."""

    __slots__ = ()

    @property
    def facts(self) -> InstanceType | None:
        """The facts that the catalogue has of every instance type of AWS."""
        return _known(instance_types.find_instance_type, self.name)

    @property
    def machine(self) -> AwsMachine | None:
        """The facts that the catalogue has of machines for AI and their usual companions."""
        return _known(lambda name: machines.find_machine(name, AwsMachine), self.name)


@dataclass(frozen=True, slots=True)
class Mix:
    """A mix of on-demand and Spot machines: so many on demand first, and a percentage of all beyond them."""

    first: int
    percentage: int

    def ways(self) -> tuple[Purchase, ...]:
        """The ways in which machines are bought, on-demand ones first."""
        if self.percentage >= _WHOLE:
            return ("on_demand",)
        return ("on_demand", "spot") if self.first or self.percentage else ("spot",)

    def part(self, size: int, way: Purchase) -> int:
        """The part of a size that is bought in one way; a fraction goes on demand (Auto Scaling user guide)."""
        first = min(size, self.first)
        on_demand = first + ceil((size - first) * self.percentage / _WHOLE)
        return on_demand if way == "on_demand" else size - on_demand


class Ec2Pool(MachinePool):
    """Machines that a node group, an autoscaling group or an instance starts; each is a resource of its own."""

    __slots__ = ()

    @override
    def machine_types(self) -> list[NamedType]:
        return [*instance_types_of(self.view)]

    @override
    def own_types(self) -> list[NamedType]:
        own = [*_written(self.view)]
        if own or self.view.type != EKS_NODE_GROUP or "launchTemplate" in self.view:
            return [*own]
        return [_default(self.view)]

    @override
    def accelerators(self) -> int:
        return max((accelerators_of(named.name) for named in self.machine_types()), default=0)

    @override
    def has_accelerators(self) -> bool:
        image = (self.view.text("amiType") or "") if self.view.type == EKS_NODE_GROUP else ""
        return image.endswith(_ACCELERATED_IMAGES) or self.accelerators() > 0

    @override
    def start(self) -> int:
        return self._in_machines(self._started())

    @override
    def least(self) -> tuple[int, str]:
        path = {EKS_NODE_GROUP: "scalingConfig.minSize", AUTOSCALING_GROUP: "minSize"}.get(self.view.type, "")
        return required(self._size("minSize", "minSize")), path

    @override
    def most(self) -> int:
        return required(self._size("maxSize", "maxSize"))

    @override
    def most_of(self, machine_type: str) -> int:
        return ceil(self.most() / self.weights().get(machine_type, 1))

    @override
    def peak(self) -> int:
        found = [(named.name, accelerators_of(named.name)) for named in self.machine_types()]
        return max((each * self.most_of(name) for name, each in found if each), default=0)

    @override
    def purchase(self) -> Purchase:
        kind = (self.view.text("capacityType") or "ON_DEMAND") if self.view.type == EKS_NODE_GROUP else ""
        if self.view.type == EC2_SPOT_INSTANCE_REQUEST or kind == "SPOT":
            return "spot"
        holders = self._holders()
        markets = [market for holder in holders if (market := market_of(holder)) is not None]
        if kind == "CAPACITY_BLOCK" or any(market != "spot" for market in markets):
            return "capacity_block"
        if markets:
            return "spot"
        if any(_is_reserved(holder) for holder in holders):
            return "reserved"
        mix = self.mix()
        if mix is not None and len(mix.ways()) > 1:
            raise NotKnown  # Spot and on-demand machines in a proportion that follows the size
        return "on_demand" if mix is None else mix.ways()[0]

    @override
    def ways(self) -> tuple[Purchase, ...]:
        mix = self.mix()
        if mix is None or len(mix.ways()) == 1:
            return (self.purchase(),)
        return mix.ways()

    @override
    def start_by(self, way: Purchase) -> int:
        mix = self.mix()
        if mix is None or way not in mix.ways():
            return self.start()
        return self._in_machines(mix.part(self._started(), way))

    @override
    def most_by(self, way: Purchase, machine_type: str) -> int:
        mix = self.mix()
        if mix is None or way not in mix.ways():
            return self.most_of(machine_type)
        return ceil(mix.part(self.most(), way) / self.weights().get(machine_type, 1))

    def mix(self) -> Mix | None:
        """How an autoscaling group mixes on-demand and Spot machines; None where nothing says so."""
        policy = self.view.block("mixedInstancesPolicy") if self.view.type == AUTOSCALING_GROUP else None
        spread = policy.block("instancesDistribution") if policy is not None else None
        if spread is None:
            return None
        share = spread.integer("onDemandPercentageAboveBaseCapacity")
        return Mix(spread.integer("onDemandBaseCapacity") or 0, _WHOLE if share is None else share)

    @override
    def zones(self) -> list[str] | None:
        return zones_of(self.view)

    @override
    def region(self) -> str:
        return aws_region(self.view)

    @override
    def reservation(self) -> View | None:
        for holder in self._holders():
            target = reservation_target(holder)
            if target is not None and "capacityReservationId" in target:
                found = target.one("capacityReservationId", EC2_CAPACITY_RESERVATION)
                return None if found is None else inside(found)
        return None

    @override
    def reservation_name(self) -> str:
        for holder in self._holders():
            target = reservation_target(holder)
            if target is not None:
                return target.text("capacityReservationId") or target.text("capacityReservationResourceGroupArn") or ""
        return ""

    @override
    def outside_reservation(self) -> str:
        names = "capacityReservationSpecification"
        is_inside = any(holder.sources(names, _RESOURCE_GROUP) for holder in self._holders())
        return "" if is_inside else super().outside_reservation()

    @override
    def covered(self, count: Callable[[MachinePool], int]) -> int:
        place, site = self._open_place(), self.view.site
        left = open_places(site)[place] if place is not None else 0
        for each in site.of_type(*STARTERS) if left else ():
            pool = Ec2Pool(each, each)
            held = 0 if each.resource.external or pool._open_place() != place else min(left, count(pool))
            if each.urn == self.view.urn:
                return held
            left -= held
        return 0

    def _open_place(self) -> Place | None:
        """The type and zone of its machines, if they may be of an open reservation and are all alike."""
        try:
            types, zones = self.machine_types(), self.zones()
            may_use = "on_demand" in self.ways() and all(map(uses_open_ones, self._holders()))
        except (NotKnown, TypeMismatch):
            return None
        alike = may_use and len(types) == 1 and zones is not None and len(zones) == 1
        return (types[0].name, zones[0]) if alike and zones else None

    def weights(self) -> dict[str, float]:
        """How much of the pool's size one machine of each type takes, where that is not one."""
        mixed = mixed_template(self.view)
        overrides = mixed.blocks("overrides") if mixed is not None else []
        return {each.text("instanceType") or "": each.number("weightedCapacity") or 1 for each in overrides}

    def _holders(self) -> list[View]:
        """The resources that say how its machines are bought: an instance itself, and the launch template."""
        template = template_of(self.view)
        own = [self.view] if self.view.type in SINGLE else []
        return own if template is None else [*own, template]

    def _started(self) -> int:
        """The size that it has from its start, in its own unit."""
        wanted = self._size("desiredSize", "desiredCapacity")
        return self.least()[0] if wanted is None else wanted

    def _size(self, of_node_group: str, of_scaling_group: str) -> int | None:
        if self.view.type in SINGLE:
            return 1
        if self.view.type == AUTOSCALING_GROUP:
            return self.view.integer(of_scaling_group)
        scaling = self.view.block("scalingConfig")
        return None if scaling is None else scaling.integer(of_node_group)

    def _in_machines(self, size: int) -> int:
        """How many machines of the preferred type make up a size."""
        weights = self.weights() if size else {}
        if all(weight == 1 for weight in weights.values()):
            return size
        return ceil(size / weights.get(self.machine_types()[0].name, 1))


def instance_types_of(starter: View) -> list[Ec2Type]:
    """Return the instance types that something may start, wherever they are named; a node group's default if nowhere.

    Raises:
        NotKnown: the types follow from requirements, or are written outside the program.
    """
    own = [*_written(starter)]
    if own:
        return own
    if "launchConfiguration" in starter:
        behind = starter.one("launchConfiguration", EC2_LAUNCH_CONFIGURATION)
        return [] if behind is None else [*_written(inside(behind))]
    held = template_of(starter)
    inherited = [*_written(held)] if held is not None else []
    return inherited or ([_default(starter)] if starter.type == EKS_NODE_GROUP else [])


def accelerators_of(name: str) -> int:
    """Return how many accelerators a machine of a type has.

    Raises:
        NotKnown: the catalogue does not know.
    """
    machine = _known(lambda each: machines.find_machine(each, AwsMachine), name)
    if machine is not None:
        return 0 if machine.accelerator_kind == "fpga" else machine.accelerators
    facts = _known(instance_types.find_instance_type, name)
    if facts is None or facts.accelerator_kind is not None:
        raise NotKnown
    return 0


def subnets_of(starter: View) -> list[View]:
    """Return the subnets that something may start machines in; none where it names zones only, or nothing."""
    return [inside(subnet) for subnet in starter.many(PLACES[starter.type], EC2_SUBNET)]


def zone_of(view: View) -> str:
    """Return the full name of the zone of a subnet, an instance or a reservation.

    Raises:
        NotKnown: AWS chooses it, or the program names it by its id and another subnet's by its name, which nobody can
            compare: each account has its own names for the same zones.
    """
    name = view.text("availabilityZone")
    if not name and "availabilityZoneId" in view and view.site.once(_some_zones_have_names):
        raise NotKnown
    name = name or view.outputs.text("availabilityZone")
    if not name:
        raise NotKnown
    return name


def names_or_ids(starter: View) -> list[str]:
    """Return the zones that something may start machines in, each by its id where the program names it so, sorted.

    Raises:
        NotKnown: AWS chooses one of them.
    """
    return [_name_or_id(starter)] if starter.type == EC2_CAPACITY_RESERVATION else zones_of(starter, called=_name_or_id)


def zones_of(starter: View, called: Callable[[View], str] = zone_of) -> list[str]:
    """Return the zones that something may start machines in, each as its subnet is `called`, sorted."""
    named = starter.texts("availabilityZones") if starter.type == AUTOSCALING_GROUP else []
    if starter.type in SINGLE and "availabilityZone" in starter:
        named = [zone_of(starter)]
    return sorted({*named, *map(called, subnets_of(starter))})


def aws_region(view: View) -> str:
    """Return the region of a resource of AWS: its own, that of its provider, or the one that AWS answered.

    Raises:
        NotKnown: none of them says so.
    """
    named = view.text("region") or view.provider.text("region") or view.outputs.text("region")
    if not named:
        raise NotKnown
    return named


def names_region(view: View) -> bool:
    """Return whether the program or the configuration names the region of a resource of AWS.

    Otherwise the environment of the provider decides, and the region that the simulation answered is a guess.
    """
    return "region" in view or "region" in view.provider


def _name_or_id(view: View) -> str:
    return view.text("availabilityZoneId") or zone_of(view)


def _some_zones_have_names(site: Site) -> bool:
    return any("availabilityZone" in subnet for subnet in site.of_type(EC2_SUBNET))


def types_in(block: Block, holder: View) -> Iterator[Ec2Type]:
    """Yield the instance type that a template, an instance or an override names.

    Raises:
        NotKnown: it follows from requirements.
    """
    if "instanceRequirements" in block:
        raise NotKnown
    own = block.text("instanceType")
    if own is not None:
        yield Ec2Type(own, holder, block.at("instanceType"))


def _written(view: View) -> Iterator[Ec2Type]:
    if view.type == EKS_NODE_GROUP:
        for index, name in enumerate(view.texts("instanceTypes")):
            yield Ec2Type(name, view, f"instanceTypes[{index}]")
    elif view.type == AUTOSCALING_GROUP:
        mixed = mixed_template(view)
        for each in mixed.blocks("overrides") if mixed is not None else ():
            yield from types_in(each, view)
    else:
        yield from types_in(view, view)


def _default(group: View) -> Ec2Type:
    return Ec2Type(_EKS_DEFAULT, group, "instanceTypes")


def _is_reserved(holder: View) -> bool:
    wanted = holder.block("capacityReservationSpecification")
    return wanted is not None and (
        "capacityReservationTarget" in wanted
        or wanted.text("capacityReservationPreference") == "capacity-reservations-only"
    )


def _known(find: Callable[[str], Fact], name: str) -> Fact | None:
    try:
        return find(name)
    except UnknownFact:
        return None

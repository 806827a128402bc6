"""What starts machines, as rules on machines read it: node groups, autoscaling groups and single instances.

A launch template may hold what they leave out; what it holds is read there, and a failure then points at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from penstock.catalog import machines, regions
from penstock.catalog.aws import instance_types
from penstock.catalog.aws.instance_types import InstanceType
from penstock.catalog.aws.machines import AwsMachine
from penstock.errors import UnknownFact
from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block, Site, View
from penstock.rules.aws.types import AUTOSCALING_GROUP, CLUSTER, INSTANCE, LAUNCH_TEMPLATE, NODE_GROUP, SUBNET

STARTERS = (NODE_GROUP, AUTOSCALING_GROUP, INSTANCE)
"""The types of resources that start machines."""

PLACES = {NODE_GROUP: "subnetIds", AUTOSCALING_GROUP: "vpcZoneIdentifiers", INSTANCE: "subnetId"}
"""Where each type names its subnets."""

_USES = {
    NODE_GROUP: ("launchTemplate.id", "launchTemplate.name"),
    INSTANCE: ("launchTemplate.id", "launchTemplate.name"),
    AUTOSCALING_GROUP: (
        "launchTemplate.id",
        "launchTemplate.name",
        "mixedInstancesPolicy.launchTemplate.launchTemplateSpecification.launchTemplateId",
        "mixedInstancesPolicy.launchTemplate.launchTemplateSpecification.launchTemplateName",
    ),
}
"""Where each type names its launch template."""

_EKS_DEFAULT = "t3.medium"
"""What a node group starts when nobody says (EKS API, CreateNodegroup)."""

Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class Named:
    """An instance type by name, with the resource and the path at which it is written."""

    name: str
    holder: View
    path: str

    @property
    def facts(self) -> InstanceType | None:
        """What the catalogue knows of it, as of every instance type of AWS."""
        return _known(instance_types.find_instance_type, self.name)

    @property
    def machine(self) -> AwsMachine | None:
        """What the catalogue knows of machines for AI and their usual companions."""
        return _known(lambda name: machines.find_machine(name, "aws"), self.name)


def inside(view: View) -> View:
    """The resource itself.

    Raises:
        NotKnown: the program only looks it up, so that nothing is known of it but its name.
    """
    if view.resource.external:
        raise NotKnown
    return view


def template(starter: View) -> View | None:
    """The launch template that something starts machines from; None where it needs none.

    Raises:
        NotKnown: the template lies outside the program.
    """
    reference = _reference(starter)
    if reference is None:
        return None
    for key in ("id", "name", "launchTemplateId", "launchTemplateName"):
        if key in reference:
            found = reference.one(key, LAUNCH_TEMPLATE)
            return None if found is None else inside(found)
    return None


def starters_from(launch_template: View) -> list[View]:
    """What starts machines from a launch template."""
    found = (
        user for type_, paths in _USES.items() for path in paths for user in launch_template.referrers(type_, path)
    )
    return list({user.urn: user for user in found}.values())


def named_types(starter: View) -> list[Named]:
    """The instance types that something may start, as the program names them; a node group's default if it names none.

    Raises:
        NotKnown: the types follow from requirements, or are written outside the program.
    """
    own = list(_own_types(starter))
    if own:
        return own
    if "launchConfiguration" in starter:
        raise NotKnown
    held = template(starter)
    inherited = list(_own_types(held)) if held is not None else []
    if inherited or starter.type != NODE_GROUP:
        return inherited
    return [Named(_EKS_DEFAULT, starter, "instanceTypes")]


def types_of_template(launch_template: View) -> list[Named]:
    """The instance types that start from a launch template: its own, or else those of what uses it."""
    own = list(_own_types(launch_template))
    return own or [named for starter in starters_from(launch_template) for named in named_types(starter)]


def cluster(group: View) -> View:
    """The cluster of a node group.

    Raises:
        NotKnown: it lies outside the program.
    """
    found = group.one("clusterName", CLUSTER)
    if found is None:
        raise NotKnown
    return inside(found)


def subnets(starter: View) -> list[View]:
    """The subnets that something may start machines in; empty where it names zones only, or none."""
    return [inside(subnet) for subnet in starter.many(PLACES[starter.type], SUBNET)]


def zone(view: View) -> str:
    """The full name of the zone of a subnet, an instance or a reservation.

    Raises:
        NotKnown: AWS chooses it, or has named it by its id only.
    """
    name = view.text("availabilityZone") or view.outputs.text("availabilityZone")
    if not name:
        raise NotKnown
    return name


def zones(starter: View) -> list[str]:
    """The zones that something may start machines in, sorted."""
    named = starter.texts("availabilityZones") if starter.type == AUTOSCALING_GROUP else []
    if starter.type == INSTANCE and "availabilityZone" in starter:
        named = [zone(starter)]
    return sorted({*named, *(zone(subnet) for subnet in subnets(starter))})


def region_of(zone_name: str) -> str | None:
    """The region of a zone; None for a zone that the catalogue does not know."""
    return next((region.name for region in regions.all_regions("aws") if zone_name in region.zones), None)


def most(starter: View) -> int | None:
    """The most machines that something may run at once; None where it does not say."""
    if starter.type == INSTANCE:
        return 1
    if starter.type == AUTOSCALING_GROUP:
        return starter.integer("maxSize")
    scaling = starter.block("scalingConfig")
    return None if scaling is None else scaling.integer("maxSize")


def fabric(launch_template: View) -> list[Block]:
    """The EFA interfaces of a launch template."""
    return [each for each in launch_template.blocks("networkInterfaces") if is_efa(each)]


def is_efa(interface: Block) -> bool:
    """Whether an interface of a launch template is one for EFA, with or without an address."""
    return interface.text("interfaceType") in ("efa", "efa-only")


def with_fabric(site: Site) -> Iterator[View]:
    """What starts machines with EFA interfaces, as far as can be told."""
    for starter in site.of_type(NODE_GROUP, AUTOSCALING_GROUP):
        held = template(starter)
        if held is not None and fabric(held):
            yield starter


def _reference(starter: View) -> Block | None:
    mixed = starter.block("mixedInstancesPolicy") if starter.type == AUTOSCALING_GROUP else None
    outer = mixed.block("launchTemplate") if mixed is not None else None
    return outer.block("launchTemplateSpecification") if outer is not None else starter.block("launchTemplate")


def _own_types(view: View) -> Iterator[Named]:
    if view.type == NODE_GROUP:
        for index, name in enumerate(view.texts("instanceTypes")):
            yield Named(name, view, f"instanceTypes[{index}]")
    elif view.type == AUTOSCALING_GROUP:
        mixed = view.block("mixedInstancesPolicy")
        outer = mixed.block("launchTemplate") if mixed is not None else None
        for override in outer.blocks("overrides") if outer is not None else ():
            if "instanceRequirements" in override:
                raise NotKnown
            name_ = override.text("instanceType")
            if name_ is not None:
                yield Named(name_, view, override.at("instanceType"))
    else:
        if "instanceRequirements" in view:
            raise NotKnown
        own = view.text("instanceType")
        if own is not None:
            yield Named(own, view, "instanceType")


def _known(find: Callable[[str], Fact], name: str) -> Fact | None:
    try:
        return find(name)
    except UnknownFact:
        return None

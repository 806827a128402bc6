"""Instance types: their existence, the regions that offer them, and the place where a node group lists them."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.aws.facts import instance_types
from penstock.aws.model.ec2 import Ec2Type, instance_types_of, names_or_ids, types_in, zones_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.rules import nodes
from penstock.aws.types import EC2_CAPACITY_RESERVATION, EKS_NODE_GROUP
from penstock.catalog import limits, machine_zones, offerings, regions
from penstock.core.wording import did_you_mean, listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup refuses instance types in the node group beside one in its launch template.",
    fix="Leave instanceTypes out of the node group, or instanceType out of the launch template.",
    joins=True,
    sources=("EKS API model in botocore 1.44, CreateNodegroup",),
)
def aws_eks_instance_types_one_place(group: View) -> Verdict:
    """Instance types are set in the node group or in its launch template, and not in both."""
    if not group.count("instanceTypes"):
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None:
        return NOT_APPLICABLE
    message = f"the launch template {template.name} also sets the instance type, which EKS refuses"
    hint = "Leave instanceTypes out here, or instanceType there."
    return allow("instanceType" not in template, message, hint=hint, path="instanceTypes")


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup rejects a longer list and duplicates.",
    fix="List each type once in instanceTypes, or create several node groups.",
    sources=("EKS API model in botocore 1.44, CreateNodegroup",),
)
def aws_eks_instance_types_limit(group: View) -> Verdict:
    """A node group has at most 20 instance types, each listed once."""
    most = limits.find_limit("node_group_instance_types", "aws").most
    count = group.count("instanceTypes")
    if not count:
        return NOT_APPLICABLE
    message = f"{count} instance types; EKS allows {most} for each node group"
    return together(
        [
            allow(count <= most, message, hint="Create several node groups.", path="instanceTypes"),
            _once(group.texts("instanceTypes"), "instanceTypes"),
        ]
    )


@RULES.rule(
    on=nodes.STARTERS,
    each_of=instance_types_of,
    severity=HIGH,
    rationale="EC2 has no such instance type, and refuses to launch it.",
    fix="Set the instance type to a size of the family that EC2 lists.",
    joins=True,
    sources=("EC2 DescribeInstanceTypes (resources of moto 5.2.5)",),
)
def aws_instance_type_exists(named: Ec2Type) -> Verdict:
    """An instance type has a size that its family comes in."""
    if not instance_types.has_family(named.name):
        return NOT_APPLICABLE
    if named.facts is not None:
        return PASS
    return _at(named, f"AWS has no instance type {named.name!r}", _near(named.name))


@RULES.rule(
    on=nodes.STARTERS,
    each_of=instance_types_of,
    severity=MEDIUM,
    rationale=(
        "The family is misspelled, and EC2 refuses to launch it, or is newer than the catalogue, and the rules on "
        "instance types do not apply."
    ),
    fix="Check the spelling of the instance type against the list of EC2's types.",
    joins=True,
    sources=("EC2 DescribeInstanceTypes (resources of moto 5.2.5), which may lack what AWS added since",),
)
def aws_instance_family_known(named: Ec2Type) -> Verdict:
    """An instance type is of an instance family that Penstock's catalogue knows."""
    if instance_types.has_family(named.name):
        return PASS
    return _at(named, f"{named.name!r} is not of an instance family that Penstock knows", _near(named.name))


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="EC2 does not offer the instance type in the region, so no instance starts.",
    fix="Use an instance type that the region offers, or subnets in a region that offers the type.",
    joins=True,
    sources=("EC2 DescribeInstanceTypeOfferings (catalogue, aws_offerings)",),
)
def aws_instance_type_in_region(starter: View) -> Verdict:
    """The instance type is offered in the region of the subnets, where the catalogue lists its offerings."""

    def check(named: Ec2Type) -> Verdict:
        machine = named.machine
        if machine is None:
            return NOT_APPLICABLE
        for region in {nodes.region_of(zone) for zone in zones_of(starter)} - {None}:
            sold = offerings.offered(region or "", "aws")
            if sold is not None and named.name not in sold:
                elsewhere = [
                    each_.name
                    for each_ in regions.all_regions("aws")
                    if named.name in (offerings.offered(each_.name, "aws") or ())
                ]
                hint = (
                    f"Offered in {listed(elsewhere)}."
                    if elsewhere
                    else "Penstock knows no region that offers this type."
                )
                return _at(named, f"{named.name} is not offered in {region}", hint)
        return PASS

    return each(instance_types_of(starter), check)


@RULES.rule(
    on=(*nodes.STARTERS, EC2_CAPACITY_RESERVATION),
    severity=HIGH,
    rationale="EC2 answers Unsupported: the requested instance type is not supported in the availability zone.",
    fix="Use subnets (availabilityZone of a reservation) in a zone that sells the instance type.",
    joins=True,
    sources=("EC2 DescribeInstanceTypeOfferings by zone id (catalogue, aws_machine_zones)",),
)
def aws_instance_type_in_zone(starter: View) -> Verdict:
    """Some zone among those of the subnets sells one of the instance types; zones are compared by their ids."""
    types = [*types_in(starter, starter)] if starter.type == EC2_CAPACITY_RESERVATION else instance_types_of(starter)
    listed_types = [named for named in types if named.machine is not None]
    if not listed_types or len(listed_types) < len(types):
        return NOT_APPLICABLE
    zones = names_or_ids(starter)
    sold = [machine_zones.is_sold(named.name, zone, "aws") for named in listed_types for zone in zones]
    if not sold or True in sold:
        return PASS if sold else NOT_APPLICABLE
    if None in sold:
        raise NotKnown
    named, region = listed_types[0], machine_zones.region_of_zone(zones[0], "aws")
    selling = machine_zones.zones_selling(named.name, region.name, "aws") if region is not None else ()
    return _at(named, f"{named.name} is not offered in {listed(zones)}", f"Offered in {listed(selling)}.")


def _once(names: Sequence[str], path: str) -> Verdict:
    twice = sorted({name for name in names if names.count(name) > 1})
    return allow(not twice, f"{listed(twice)} is listed twice", hint="List each once.", path=path)


def _at(named: Ec2Type, message: str, hint: str) -> Verdict:
    return fail(message, hint=hint, path=named.path, urn=named.holder.urn)


def _near(name: str) -> str:
    return did_you_mean(name, instance_types.instance_type_names()) or "See the list of EC2's types."

"""How machines are bought: capacity blocks, reservations, spot, and what each asks of templates and node groups."""

from __future__ import annotations

import re
from collections.abc import Callable

from penstock.catalog import limits
from penstock.catalog.aws import instance_types
from penstock.model.pools.ec2 import PLACES, Ec2Pool, Ec2Type, instance_types_of, zone_of, zones_of
from penstock.model.pools.launch_templates import inside, market_of, reservation_target, starters_from, template_of
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, asked, each, fail, together
from penstock.resources.view import View
from penstock.rules.aws import nodes
from penstock.rules.aws.types import (
    CAPACITY_RESERVATION,
    INSTANCE,
    LAUNCH_TEMPLATE,
    NODE_GROUP,
    PLACEMENT_GROUP,
)
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.wording import listed

RULES = RuleSet(Category.PROVIDER)

_RESERVATION_ID = re.compile(r"cr-([0-9a-f]{8}|[0-9a-f]{17})")
_WAYS = {"ON_DEMAND": "on_demand", "SPOT": "spot", "CAPACITY_BLOCK": "capacity_block"}


@RULES.rule(
    "aws-eks-capacity-block-template",
    on=NODE_GROUP,
    severity=HIGH,
    rationale=(
        "CreateNodegroup refuses the capacity type CAPACITY_BLOCK without a launch template that names all three."
    ),
    fix=(
        "Set instanceMarketOptions.marketType to capacity-block, capacityReservationTarget.capacityReservationId and "
        "instanceType in the launch template."
    ),
    reads=("capacityType", "launchTemplate.id"),
    joins=True,
    sources=("EKS user guide, capacity blocks with managed node groups",),
)
def a_capacity_block_is_named_in_the_template(group: View) -> Verdict:
    """A node group in a capacity block has a template with the market type, the reservation and the instance type."""
    if group.text("capacityType") != "CAPACITY_BLOCK":
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None:
        hint = "Make one with marketType capacity-block, the reservation's id and the instance type."
        return fail("a node group in a capacity block needs a launch template", hint=hint, path="launchTemplate")
    parts = {
        "instanceMarketOptions": (market_of(template) == "capacity-block", "Set marketType to capacity-block."),
        "capacityReservationSpecification": (
            reservation_target(template) is not None or market_of(template) == "capacity-block",  # another rule tells
            "Set capacityReservationTarget.capacityReservationId to the id of the block.",
        ),
        "instanceType": ("instanceType" in template, "Set the instance type of the block."),
    }
    message = "EKS refuses {}: it is CAPACITY_BLOCK, and its launch template lacks {}"
    return together(
        PASS if given else fail(message.format(group.name, path), hint=hint, path=path, urn=template.urn)
        for path, (given, hint) in parts.items()
    )


@RULES.rule(
    "aws-eks-capacity-block-one-zone",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="A capacity block lies in one zone, and launches in subnets of any other zone find no capacity.",
    fix="Set subnetIds to subnets of the block's availability zone only.",
    reads=("capacityType", "subnetIds"),
    joins=True,
    sources=("EKS user guide, capacity blocks with managed node groups",),
)
def a_capacity_block_has_subnets_in_its_zone(group: View) -> Verdict:
    """The subnets of a node group in a capacity block are all in the availability zone of the block."""
    if group.text("capacityType") != "CAPACITY_BLOCK":
        return NOT_APPLICABLE
    zones = zones_of(group)
    message = f"a capacity block lies in one zone, and the subnets are in {listed(zones)}"
    return allow(len(zones) <= 1, message, hint="Give the subnets of the block's zone only.", path="subnetIds")


@RULES.rule(
    "aws-capacity-block-no-placement",
    on=nodes.STARTERS,
    severity=HIGH,
    rationale=(
        "EC2 takes no placement group beside a capacity block, since AWS already places the instances of a block close "
        "together."
    ),
    fix="Leave placement.groupName, placement.groupId and placementGroup out.",
    reads=("instanceMarketOptions.marketType", "launchTemplate.id", "placementGroup"),
    joins=True,
    sources=("EC2 user guide, Capacity Blocks for ML", "CloudFormation of eks-gpu-cluster"),
)
def a_capacity_block_has_no_placement_group(starter: View) -> Verdict:
    """Instances of a capacity block are not in a placement group."""
    holders = [starter, *([template] if (template := template_of(starter)) is not None else [])]
    if not any(market_of(holder) == "capacity-block" for holder in holders):
        return NOT_APPLICABLE
    message = "EC2 takes no placement group beside a capacity block"
    named = [(holder, path) for holder in holders for path in placement_paths(holder)]
    hint = "Leave it out."
    return together([PASS, *(fail(message, hint=hint, path=path, urn=holder.urn) for holder, path in named)])


@RULES.rule(
    "aws-eks-template-no-market",
    on=NODE_GROUP,
    severity=HIGH,
    rationale=(
        "CreateNodegroup refuses instanceMarketOptions in the launch template, since EKS sets on-demand or spot by the "
        "capacity type of the node group."
    ),
    fix="Leave instanceMarketOptions out of the launch template, and set capacityType on the node group.",
    reads=("capacityType", "launchTemplate.id"),
    joins=True,
    sources=("hashicorp/terraform-provider-aws issue 15118", "EKS API, CreateNodegroup"),
)
def eks_buys_on_demand_and_spot_itself(group: View) -> Verdict:
    """The launch template of a node group has no market options, unless the node group is in a capacity block."""
    template = template_of(group)
    if template is None or group.text("capacityType") == "CAPACITY_BLOCK":
        return NOT_APPLICABLE
    way = group.text("capacityType") or "ON_DEMAND"
    if "instanceMarketOptions" not in template:
        return PASS
    market = market_of(template)
    hint = (
        "Set capacityType to CAPACITY_BLOCK on the node group."
        if market == "capacity-block"
        else "Leave it out, and set capacityType on the node group."
    )
    message = f"EKS refuses market options ({market}) in the template of {group.name}, whose capacityType is {way}"
    return fail(message, hint=hint, path="instanceMarketOptions", urn=template.urn)


@RULES.rule(
    "aws-reservation-target-or-preference",
    on=(LAUNCH_TEMPLATE, INSTANCE),
    severity=HIGH,
    rationale=(
        "EC2 refuses a capacity reservation specification with both a target and a preference, or a target without "
        "exactly one of id and group."
    ),
    fix="Leave capacityReservationPreference out, and set capacityReservationTarget.capacityReservationId only.",
    reads=(
        "capacityReservationSpecification.capacityReservationPreference",
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationId",
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationResourceGroupArn",
    ),
    sources=("EC2 API model in botocore 1.44, capacity reservation specification",),
)
def a_reservation_is_named_or_preferred(holder: View) -> Verdict:
    """A capacity reservation is either named, by an id or by a resource group, or left to a preference."""
    specification = holder.block("capacityReservationSpecification")
    if specification is None:
        return NOT_APPLICABLE
    preference = specification.text("capacityReservationPreference")
    target = specification.block("capacityReservationTarget")
    path = specification.at("capacityReservationPreference")
    verdicts = [
        allow(
            preference is None or target is None,
            "a reservation is named and a preference given, which exclude one another",
            hint="Leave capacityReservationPreference out.",
            path=path,
        ),
    ]
    if target is not None:
        given = [key for key in ("capacityReservationId", "capacityReservationResourceGroupArn") if key in target]
        what = "both an id and a group" if given else "neither an id nor a group"
        message = f"{what} of reservations is named"
        at = specification.at("capacityReservationTarget")
        verdicts.append(allow(len(given) == 1, message, hint="Give the id.", path=at))
    return together(verdicts)


@RULES.rule(
    "aws-market-options-complete",
    on=(LAUNCH_TEMPLATE, INSTANCE),
    severity=HIGH,
    rationale=(
        "EC2 refuses spot options for another market type, and cannot launch into a capacity block that is not named."
    ),
    fix=(
        "Set marketType to spot or leave spotOptions out, and set capacityReservationTarget.capacityReservationId for "
        "a capacity block."
    ),
    reads=(
        "capacityReservationSpecification.capacityReservationTarget",
        "instanceMarketOptions.marketType",
        "instanceMarketOptions.spotOptions",
    ),
    sources=("EC2 API model in botocore 1.44, MarketType",),
)
def what_is_bought_is_said_in_full(holder: View) -> Verdict:
    """Spot options go with the market spot, and a capacity block with the reservation that it is."""
    options = holder.block("instanceMarketOptions")
    if options is None:
        return NOT_APPLICABLE
    market = options.text("marketType")
    return together(
        [
            allow(
                "spotOptions" not in options or market in (None, "spot"),
                f"spot options are given for the market {market}",
                hint="Leave spotOptions out, or set marketType to spot.",
                path=options.at("spotOptions"),
            ),
            allow(
                market != "capacity-block" or reservation_target(holder) is not None,
                "a capacity block is asked for, and none is named",
                hint="Set capacityReservationSpecification.capacityReservationTarget.capacityReservationId.",
                path="capacityReservationSpecification",
            ),
        ]
    )


@RULES.rule(
    "aws-reservation-count-and-end",
    on=CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="CreateCapacityReservation rejects other counts, and an end date that does not match the end date type.",
    fix="Set instanceCount to 1 to 1000, and set endDateType to limited together with endDate, or leave endDate out.",
    reads=("endDate", "endDateType", "instanceCount"),
    sources=("EC2 API model in botocore 1.44, CreateCapacityReservation",),
)
def a_reservation_is_one_that_ec2_makes(reservation: View) -> Verdict:
    """A reservation is for 1 to 1,000 machines, and has an end date if and only if it is limited."""
    most = limits.find_limit("machines_of_a_reservation", "aws").most
    count = reservation.integer("instanceCount")
    end, dated = reservation.text("endDateType"), "endDate" in reservation
    return together(
        [
            allow(
                count is None or 1 <= count <= most,
                f"{count} machines are none of 1 to {most}",
                hint="Make several reservations.",
                path="instanceCount",
            ),
            allow(
                dated == (end == "limited"),
                "an end date is given, and endDateType is not limited"
                if dated
                else "no end date is given, and it is limited",
                hint="Set endDateType to limited and endDate to a time, or leave endDate out.",
                path="endDate",
            ),
        ]
    )


@RULES.rule(
    "aws-reservation-zone",
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="An instance that targets the reservation from another zone does not match it, and the launch fails.",
    fix="Give subnets of the reservation's availability zone only.",
    reads=(
        "availabilityZone",
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationId",
        "launchTemplate.id",
        "subnetId",
        "subnetIds",
    ),
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations", "EC2 API model in botocore 1.44"),
)
def machines_stand_in_the_zone_of_their_reservation(starter: View) -> Verdict:
    """Instances that use a capacity reservation start only in its availability zone."""
    reservation = Ec2Pool(starter, starter).reservation()
    if reservation is None:
        return NOT_APPLICABLE
    home, zones = zone_of(reservation), zones_of(starter)
    if not zones:
        raise NotKnown
    message = f"the reservation {reservation.name} lies in {home}, and machines may start in {listed(zones)}"
    hint = f"Give subnets of {home} only."
    return allow(zones == [home], message, hint=hint, path=PLACES[starter.type])


@RULES.rule(
    "aws-reservation-instance-type",
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="An instance of another type does not match the reservation that it targets, and the launch fails.",
    fix="Set instanceType of the instances to that of the reservation, or reserve their type.",
    reads=("instanceTypes", "launchConfiguration", "launchTemplate.id", "mixedInstancesPolicy"),
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations", "EC2 API model in botocore 1.44"),
)
def machines_are_those_of_their_reservation(starter: View) -> Verdict:
    """Instances that use a capacity reservation have its instance type."""
    reservation = Ec2Pool(starter, starter).reservation()
    if reservation is None:
        return NOT_APPLICABLE
    reserved = reservation.text("instanceType")

    def check(named: Ec2Type) -> Verdict:
        message = f"the reservation {reservation.name} is for {reserved}, and {named.name} finds nothing in it"
        if reserved == named.name:
            return PASS
        if named.facts is None and instance_types.has_family(named.name):
            return NOT_APPLICABLE  # that there is no such machine is another rule's to tell
        return fail(
            message, hint=f"Use {reserved} here, or reserve {named.name}.", path=named.path, urn=named.holder.urn
        )

    return each(instance_types_of(starter), check)


@RULES.rule(
    "aws-reservation-holds-start",
    on=CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="Instances that target a full reservation do not launch.",
    fix="Raise instanceCount of the reservation, or lower the desired and minimum sizes of the groups.",
    reads=("instanceCount",),
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations",),
)
def a_reservation_holds_the_machines_that_start(reservation: View) -> Verdict:
    """A capacity reservation has room for all instances that start at once from launch templates that name it."""
    return _holds(reservation, Ec2Pool.start, "start in it at once")


@RULES.rule(
    "aws-reservation-holds-growth",
    on=CAPACITY_RESERVATION,
    severity=MEDIUM,
    rationale="The groups start, but cannot scale out beyond the reservation.",
    fix="Raise instanceCount of the reservation, or lower maxSize of the groups.",
    reads=("instanceCount",),
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations",),
)
def a_reservation_holds_the_machines_that_may_start(reservation: View) -> Verdict:
    """A capacity reservation has room for all instances that the groups that name it may grow to."""
    if asked(a_reservation_holds_the_machines_that_start, reservation).failures:
        return NOT_APPLICABLE
    return _holds(reservation, Ec2Pool.most, "may want to start in it")


@RULES.rule(
    "aws-reservation-placement-group",
    on=nodes.STARTERS,
    severity=HIGH,
    rationale=(
        "Instances in a placement group do not match a reservation outside that group, so the launch finds no capacity."
    ),
    fix=(
        "Set placementGroupArn of the reservation to the group's ARN, set strategy to cluster, and name the group in "
        "the launch template."
    ),
    reads=("launchTemplate.id",),
    joins=True,
    sources=("terraform-aws-eks PR 3730", "EC2 user guide, reservations in cluster placement groups"),
)
def a_reservation_lies_in_the_placement_group(starter: View) -> Verdict:
    """A reservation for machines in a placement group is made in that group, which is of the strategy cluster."""
    reservation = Ec2Pool(starter, starter).reservation()
    if reservation is None:
        return NOT_APPLICABLE
    group = placement_group(starter)
    made_in = reservation.one("placementGroupArn", PLACEMENT_GROUP)
    if group is None and made_in is None:
        return NOT_APPLICABLE
    if group is None:
        message = f"the reservation {reservation.name} lies in the placement group, and {starter.name} does not"
        return fail(message, hint="Name the placement group in the launch template.", path=PLACES[starter.type])
    strategy = inside(group).text("strategy")
    if strategy in ("spread", "partition"):
        message = f"reservations find no place in a placement group of the strategy {strategy}"
        return fail(message, hint="Set strategy to cluster.", path="strategy", urn=group.urn)
    message = (
        f"the reservation {reservation.name} is not in the placement group {group.name}, so machines find nothing in it"
    )
    if made_in is not None and made_in.urn == group.urn:
        return PASS
    return fail(
        message, hint="Set placementGroupArn to the group's ARN.", path="placementGroupArn", urn=reservation.urn
    )


@RULES.rule(
    "aws-eks-spot-no-reservation",
    on=NODE_GROUP,
    severity=MEDIUM,
    rationale="Spot instances never use a reservation, so the reserved capacity is paid for and stays idle.",
    fix="Set capacityType to ON_DEMAND, or leave the reservation out of the launch template.",
    reads=("capacityType", "launchTemplate.id"),
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations",),
)
def spot_uses_no_reservation(group: View) -> Verdict:
    """A node group of spot instances does not name a capacity reservation."""
    if group.text("capacityType") != "SPOT":
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None or reservation_target(template) is None:
        return PASS
    message = f"{group.name} buys spot machines, and its template names a reservation, which they never use"
    hint = "Set capacityType to ON_DEMAND, or leave the reservation out."
    return fail(message, hint=hint, path="capacityType")


@RULES.rule(
    "aws-eks-reserved-minimal-update",
    on=NODE_GROUP,
    severity=MEDIUM,
    rationale=(
        "The default strategy starts new nodes first, and the update waits for places that the reservation does not "
        "have."
    ),
    fix="Set updateConfig.updateStrategy to MINIMAL.",
    reads=("launchTemplate.id", "updateConfig.updateStrategy"),
    joins=True,
    sources=("EKS API model in botocore 1.44, update strategies",),
)
def updates_of_reserved_machines_need_no_more_of_them(group: View) -> Verdict:
    """A group in reserved capacity updates by MINIMAL, which stops a machine before it starts the next."""
    template = template_of(group)
    if template is None or reservation_target(template) is None:
        return NOT_APPLICABLE
    updates = group.block("updateConfig")
    strategy = updates.text("updateStrategy") if updates is not None else None
    message = "an update starts new machines before it stops old ones, and waits for places that the reservation lacks"
    return allow(
        strategy not in (None, "DEFAULT"),
        message,
        hint="Set updateConfig.updateStrategy to MINIMAL.",
        path="updateConfig.updateStrategy",
    )


@RULES.rule(
    "aws-eks-capacity-type-sold",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="EC2 has no capacity of that kind for the instance type, so no node starts.",
    fix="Set capacityType to one that the instance type is sold in.",
    reads=("capacityType", "instanceTypes", "launchTemplate.id"),
    joins=True,
    sources=("EC2 DescribeInstanceTypes, SupportedUsageClasses (catalogue, aws_machines)",),
)
def machines_are_sold_that_way(group: View) -> Verdict:
    """The instance type is sold in the capacity type of the node group: on demand, spot or capacity block."""
    way = _WAYS.get(group.text("capacityType") or "ON_DEMAND")
    if way is None:
        return NOT_APPLICABLE

    def check(named: Ec2Type) -> Verdict:
        machine = named.machine
        if machine is None or "sold" in machine.unverified:
            return NOT_APPLICABLE
        message = f"{named.name} is not sold as {way}"
        return allow(way in machine.sold, message, hint=f"Sold as {listed(machine.sold)}.", path="capacityType")

    return each(instance_types_of(group), check)


@RULES.rule(
    "aws-eks-capacity-block-size",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="No capacity block is offered that holds more instances, so the remaining nodes never start.",
    fix="Create a node group for each capacity block, and lower scalingConfig.maxSize.",
    reads=("capacityType", "scalingConfig.maxSize"),
    sources=("EC2 API model in botocore 1.44, DescribeCapacityBlockOfferings",),
)
def a_capacity_block_holds_the_group(group: View) -> Verdict:
    """A node group in a capacity block has at most as many nodes as the largest block, which is 64."""
    most = limits.find_limit("machines_of_a_capacity_block", "aws").most
    if group.text("capacityType") != "CAPACITY_BLOCK" or "scalingConfig" not in group:
        return NOT_APPLICABLE
    count = Ec2Pool(group, group).most()
    message = f"{count} machines do not fit into a capacity block, which has {most} at most"
    return allow(count <= most, message, hint="Make a group for each block.", path="scalingConfig.maxSize")


@RULES.rule(
    "aws-reservation-id",
    on=(LAUNCH_TEMPLATE, INSTANCE),
    severity=HIGH,
    rationale="EC2 rejects any other value as the id of a capacity reservation.",
    fix="Set capacityReservationId to the id of the reservation.",
    reads=("capacityReservationSpecification.capacityReservationTarget.capacityReservationId",),
    joins=True,
    sources=("EC2 user guide, resource IDs",),
)
def a_reservation_goes_by_its_id(holder: View) -> Verdict:
    """A capacity reservation is named by its id, such as cr-0123456789abcdef0."""
    target = reservation_target(holder)
    named = target.text("capacityReservationId") if target is not None else None
    if target is None or named is None:
        return NOT_APPLICABLE
    good = _RESERVATION_ID.fullmatch(named) is not None or holder.site.named(CAPACITY_RESERVATION, named) is not None
    message = f"{named!r} is no id of a reservation"
    return allow(good, message, hint="Such as cr-0123456789abcdef0.", path=target.at("capacityReservationId"))


@RULES.rule(
    "aws-eks-capacity-block-starts-empty",
    on=NODE_GROUP,
    severity=MEDIUM,
    rationale="Every launch before the start of the block fails, and the creation of the node group fails with it.",
    fix="Set scalingConfig.desiredSize and minSize to 0, and scale out on a schedule.",
    reads=("capacityType", "scalingConfig.desiredSize"),
    sources=("EKS user guide, capacity blocks with managed node groups: scheduled scaling from 0",),
)
def a_group_in_a_capacity_block_starts_empty(group: View) -> Verdict:
    """A node group in a capacity block starts with no nodes."""
    scaling = group.block("scalingConfig")
    if group.text("capacityType") != "CAPACITY_BLOCK" or scaling is None:
        return NOT_APPLICABLE
    message = "launches fail until the capacity block starts, and the node group with them"
    return allow(
        not scaling.integer("desiredSize"),
        message,
        hint="Set desiredSize and minSize to 0.",
        path=scaling.at("desiredSize"),
    )


def placement_paths(holder: View) -> list[str]:
    """Where a template or a starter names a placement group."""
    if holder.type == LAUNCH_TEMPLATE:
        placement = holder.block("placement")
        return (
            [placement.at(key) for key in ("groupName", "groupId") if key in placement] if placement is not None else []
        )
    return ["placementGroup"] if holder.type != NODE_GROUP and "placementGroup" in holder else []


def placement_group(starter: View) -> View | None:
    """The placement group that machines of a starter are in; None for none.

    Raises:
        NotKnown: it lies outside the program.
    """
    template = template_of(starter)
    for holder in (starter, *([template] if template is not None else [])):
        for path in placement_paths(holder):
            outer, _, key = path.rpartition(".")
            block = holder.block(outer) if outer else holder
            return block.one(key, PLACEMENT_GROUP) if block is not None else None
    return None


def _holds(reservation: View, count: Callable[[Ec2Pool], int], what: str) -> Verdict:
    room = reservation.integer("instanceCount")
    path = "capacityReservationSpecification.capacityReservationTarget.capacityReservationId"
    starters = {
        starter.urn: starter
        for template in reservation.referrers(LAUNCH_TEMPLATE, path)
        for starter in starters_from(template)
    }
    if room is None or not starters:
        return NOT_APPLICABLE
    wanted = sum(count(Ec2Pool(starter, starter)) for starter in starters.values())
    message = f"{wanted} machines {what}, and it has places for {room}"
    return allow(wanted <= room, message, hint=f"Reserve {wanted}, or start fewer.", path="instanceCount")

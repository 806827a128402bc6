"""On-demand capacity reservations: number, zone, instance type and the instances that target them."""

from __future__ import annotations

import re
from collections.abc import Callable

from penstock.aws.facts import instance_types
from penstock.aws.model.ec2 import PLACES, Ec2Pool, Ec2Type, instance_types_of, zone_of, zones_of
from penstock.aws.model.launch_templates import inside, reservation_target, starters_from, template_of
from penstock.aws.rules import nodes
from penstock.aws.rules.placement import placement_group
from penstock.aws.types import (
    EC2_CAPACITY_RESERVATION,
    EC2_INSTANCE,
    EC2_LAUNCH_TEMPLATE,
    EC2_PLACEMENT_GROUP,
    EKS_NODE_GROUP,
)
from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, asked, each, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_RESERVATION_ID = re.compile(r"cr-([0-9a-f]{8}|[0-9a-f]{17})")


@RULES.rule(
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    severity=HIGH,
    rationale=(
        "EC2 refuses a capacity reservation specification with both a target and a preference, or a target without "
        "exactly one of id and group."
    ),
    fix="Leave capacityReservationPreference out, and set capacityReservationTarget.capacityReservationId only.",
    sources=("EC2 API model in botocore 1.44, capacity reservation specification",),
)
def aws_reservation_target_or_preference(holder: View) -> Verdict:
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
            "capacityReservationTarget and capacityReservationPreference exclude each other",
            hint="Leave capacityReservationPreference out.",
            path=path,
        ),
    ]
    if target is not None:
        given = [key for key in ("capacityReservationId", "capacityReservationResourceGroupArn") if key in target]
        what = "both an id and a resource group" if given else "neither an id nor a resource group"
        message = f"capacityReservationTarget sets {what}"
        at = specification.at("capacityReservationTarget")
        verdicts.append(allow(len(given) == 1, message, hint="Set capacityReservationId.", path=at))
    return together(verdicts)


@RULES.rule(
    on=EC2_CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="CreateCapacityReservation rejects other counts, and an end date that does not match the end date type.",
    fix="Set instanceCount to 1 to 1000, and set endDateType to limited together with endDate, or leave endDate out.",
    sources=("EC2 API model in botocore 1.44, CreateCapacityReservation",),
)
def aws_reservation_count_and_end(reservation: View) -> Verdict:
    """A capacity reservation is for 1 to 1,000 instances, with an end date if and only if it is limited."""
    most = limits.find_limit("machines_of_a_reservation", "aws").most
    count = reservation.integer("instanceCount")
    end, dated = reservation.text("endDateType"), "endDate" in reservation
    return together(
        [
            allow(
                count is None or 1 <= count <= most,
                f"instanceCount {count} is not within 1 to {most}",
                hint="Create several reservations.",
                path="instanceCount",
            ),
            allow(
                dated == (end == "limited"),
                "endDate is set, and endDateType is not limited"
                if dated
                else "endDateType is limited, and endDate is not set",
                hint="Set endDateType to limited and endDate to a time, or leave endDate out.",
                path="endDate",
            ),
        ]
    )


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="An instance that targets the reservation from another zone does not match it, and the launch fails.",
    fix="Give subnets of the reservation's availability zone only.",
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations", "EC2 API model in botocore 1.44"),
)
def aws_reservation_zone(starter: View) -> Verdict:
    """Instances that use a capacity reservation start only in its availability zone."""
    reservation = Ec2Pool(starter, starter).reservation()
    if reservation is None:
        return NOT_APPLICABLE
    home, zones = zone_of(reservation), zones_of(starter)
    if not zones:
        raise NotKnown
    message = f"the reservation {reservation.name} is in {home}; instances can start in {listed(zones)}"
    hint = f"Use subnets of {home} only."
    return allow(zones == [home], message, hint=hint, path=PLACES[starter.type])


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="An instance of another type does not match the reservation that it targets, and the launch fails.",
    fix="Set instanceType of the instances to that of the reservation, or reserve their type.",
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations", "EC2 API model in botocore 1.44"),
)
def aws_reservation_instance_type(starter: View) -> Verdict:
    """Instances that use a capacity reservation have its instance type."""
    reservation = Ec2Pool(starter, starter).reservation()
    if reservation is None:
        return NOT_APPLICABLE
    reserved = reservation.text("instanceType")

    def check(named: Ec2Type) -> Verdict:
        message = f"the reservation {reservation.name} is for {reserved}, and does not match {named.name}"
        if reserved == named.name:
            return PASS
        if named.facts is None and instance_types.has_family(named.name):
            return NOT_APPLICABLE  # aws-instance-type-exists reports it
        return fail(
            message, hint=f"Use {reserved} here, or reserve {named.name}.", path=named.path, urn=named.holder.urn
        )

    return each(instance_types_of(starter), check)


@RULES.rule(
    on=EC2_CAPACITY_RESERVATION,
    severity=HIGH,
    rationale="Instances that target a full reservation do not launch.",
    fix="Raise instanceCount of the reservation, or lower the desired and minimum sizes of the groups.",
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations",),
)
def aws_reservation_holds_start(reservation: View) -> Verdict:
    """A capacity reservation has room for all instances that start at once from launch templates that name it."""
    return _holds(reservation, Ec2Pool.start, "start in the reservation at once")


@RULES.rule(
    on=EC2_CAPACITY_RESERVATION,
    severity=MEDIUM,
    rationale="The groups start, but cannot scale out beyond the reservation.",
    fix="Raise instanceCount of the reservation, or lower maxSize of the groups.",
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations",),
)
def aws_reservation_holds_growth(reservation: View) -> Verdict:
    """A capacity reservation has room for all instances that the groups that name it may grow to."""
    if asked(aws_reservation_holds_start, reservation).failures:
        return NOT_APPLICABLE
    return _holds(reservation, Ec2Pool.most, "can start in the reservation")


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale=(
        "Instances in a placement group do not match a reservation outside that group, so the launch finds no capacity."
    ),
    fix=(
        "Set placementGroupArn of the reservation to the group's ARN, set strategy to cluster, and name the group in "
        "the launch template."
    ),
    joins=True,
    sources=("terraform-aws-eks PR 3730", "EC2 user guide, reservations in cluster placement groups"),
)
def aws_reservation_placement_group(starter: View) -> Verdict:
    """A reservation for instances in a placement group is created in that group, whose strategy is cluster."""
    reservation = Ec2Pool(starter, starter).reservation()
    if reservation is None:
        return NOT_APPLICABLE
    group = placement_group(starter)
    made_in = reservation.one("placementGroupArn", EC2_PLACEMENT_GROUP)
    if group is None and made_in is None:
        return NOT_APPLICABLE
    if group is None:
        message = f"the reservation {reservation.name} is in a placement group, and {starter.name} is not"
        return fail(message, hint="Name the placement group in the launch template.", path=PLACES[starter.type])
    strategy = inside(group).text("strategy")
    if strategy in ("spread", "partition"):
        message = f"a placement group with the strategy {strategy} cannot hold a reservation"
        return fail(message, hint="Set strategy to cluster.", path="strategy", urn=group.urn)
    message = (
        f"the reservation {reservation.name} is outside the placement group {group.name}, and matches no instance in it"
    )
    if made_in is not None and made_in.urn == group.urn:
        return PASS
    return fail(
        message, hint="Set placementGroupArn to the group's ARN.", path="placementGroupArn", urn=reservation.urn
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale="Spot instances never use a reservation, so the reserved capacity is paid for and stays idle.",
    fix="Set capacityType to ON_DEMAND, or leave the reservation out of the launch template.",
    joins=True,
    sources=("EC2 user guide, On-Demand Capacity Reservations",),
)
def aws_eks_spot_no_reservation(group: View) -> Verdict:
    """A node group of spot instances does not name a capacity reservation."""
    if group.text("capacityType") != "SPOT":
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None or reservation_target(template) is None:
        return PASS
    message = f"{group.name} buys spot instances, which never use the reservation that the launch template names"
    hint = "Set capacityType to ON_DEMAND, or leave the reservation out."
    return fail(message, hint=hint, path="capacityType")


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale=(
        "The default strategy starts new nodes first, and the update waits for places that the reservation does not "
        "have."
    ),
    fix="Set updateConfig.updateStrategy to MINIMAL.",
    joins=True,
    sources=("EKS API model in botocore 1.44, update strategies",),
)
def aws_eks_reserved_minimal_update(group: View) -> Verdict:
    """A node group in reserved capacity has the update strategy MINIMAL, which stops a node before its successor."""
    template = template_of(group)
    if template is None or reservation_target(template) is None:
        return NOT_APPLICABLE
    updates = group.block("updateConfig")
    strategy = updates.text("updateStrategy") if updates is not None else None
    message = "an update starts new nodes before it stops old ones, and the reservation has no room for them"
    return allow(
        strategy not in (None, "DEFAULT"),
        message,
        path="updateConfig.updateStrategy",
    )


@RULES.rule(
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    severity=HIGH,
    rationale="EC2 rejects any other value as the id of a capacity reservation.",
    fix="Set capacityReservationId to the id of the reservation.",
    joins=True,
    sources=("EC2 user guide, resource IDs",),
)
def aws_reservation_id(holder: View) -> Verdict:
    """A capacity reservation is named by its id, such as cr-0123456789abcdef0."""
    target = reservation_target(holder)
    named = target.text("capacityReservationId") if target is not None else None
    if target is None or named is None:
        return NOT_APPLICABLE
    good = (
        _RESERVATION_ID.fullmatch(named) is not None or holder.site.named(EC2_CAPACITY_RESERVATION, named) is not None
    )
    message = f"{named!r} is not the id of a capacity reservation"
    return allow(good, message, hint="Such as cr-0123456789abcdef0.", path=target.at("capacityReservationId"))


def _holds(reservation: View, count: Callable[[Ec2Pool], int], what: str) -> Verdict:
    room = reservation.integer("instanceCount")
    path = "capacityReservationSpecification.capacityReservationTarget.capacityReservationId"
    starters = {
        starter.urn: starter
        for template in reservation.referrers(EC2_LAUNCH_TEMPLATE, path)
        for starter in starters_from(template)
    }
    if room is None or not starters:
        return NOT_APPLICABLE
    wanted = sum(count(Ec2Pool(starter, starter)) for starter in starters.values())
    message = f"{wanted} instances {what}, which holds {room}"
    return allow(wanted <= room, message, hint=f"Reserve {wanted}, or start fewer.", path="instanceCount")

"""Placement groups: strategies, the machines they take and the zones they span."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.resources.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.resources.view import View
from penstock.rules.aws import nodes
from penstock.rules.aws.capacity import placement_group
from penstock.rules.aws.nodes import Named
from penstock.rules.aws.types import AUTOSCALING_GROUP, INSTANCE, LAUNCH_TEMPLATE, NODE_GROUP, PLACEMENT_GROUP
from penstock.rules.rule import rule
from penstock.wording import listed

_GUIDE = "EC2 user guide, placement strategies and rules"


@rule("AWS-PLACEMENT-001", on=PLACEMENT_GROUP, source="EC2 API model in botocore 1.44, CreatePlacementGroup")
def a_placement_group_is_one_that_ec2_makes(group: View) -> Verdict:
    """Partitions, 7 at most, go with the strategy partition, and a level of spread with spread."""
    longest = limits.find_limit("placement_group_name_characters", "aws").most
    most = limits.find_limit("placement_partitions", "aws").most
    strategy, partitions = group.text("strategy"), group.integer("partitionCount")
    name = group.text("name") or ""
    return together(
        [
            allow(
                not partitions or strategy == "partition",
                f"partitions are given for the strategy {strategy}",
                hint="Leave partitionCount out, or set strategy to partition.",
                path="partitionCount",
            ),
            allow(
                not partitions or 1 <= partitions <= most,
                f"{partitions} partitions are none of 1 to {most}",
                hint=f"Use {most} at most.",
                path="partitionCount",
            ),
            allow(
                "spreadLevel" not in group or strategy == "spread",
                f"a level of spread is given for the strategy {strategy}",
                hint="Leave spreadLevel out, or set strategy to spread.",
                path="spreadLevel",
            ),
            allow(
                len(name) <= longest and name.isascii(),
                f"the name is longer than {longest} characters, or not ASCII",
                hint="Leave it out, and Pulumi makes one.",
                path="name",
            ),
        ]
    )


@rule(
    "AWS-PLACEMENT-002",
    on=nodes.STARTERS,
    source="EC2 DescribeInstanceTypes, PlacementGroupInfo (resources of moto 5.2.5)",
)
def a_cluster_group_takes_the_machines(starter: View) -> Verdict:
    """Machines in a cluster placement group are of types that it takes: not burstable, flex or Mac ones."""
    if _strategy(starter) != "cluster":
        return NOT_APPLICABLE

    def check(named: Named) -> Verdict:
        facts = named.facts
        if facts is None or "cluster_placement" in facts.unverified:
            return NOT_APPLICABLE
        if facts.cluster_placement:
            return PASS
        message = f"a cluster placement group takes no {named.name}"
        return fail(
            message, hint="Leave the group out, or take a larger family.", path=named.path, urn=named.holder.urn
        )

    return each(nodes.named_types(starter), check)


@rule("AWS-PLACEMENT-003", on=nodes.STARTERS, source=_GUIDE)
def a_cluster_group_lies_in_one_zone(starter: View) -> Verdict:
    """Machines in a cluster placement group may start in one zone only."""
    if _strategy(starter) != "cluster":
        return NOT_APPLICABLE
    zones = nodes.zones(starter)
    message = f"a cluster placement group lies in one zone, and machines may start in {listed(zones)}"
    hint = f"Give subnets of one zone, such as {zones[0] if zones else 'the first'}."
    return allow(len(zones) <= 1, message, hint=hint, path=nodes.PLACES[starter.type])


@rule("AWS-PLACEMENT-004", on=PLACEMENT_GROUP, source=_GUIDE)
def all_in_a_cluster_group_stand_in_one_zone(group: View) -> Verdict:
    """All groups of machines in one cluster placement group stand in the same zone: the first machine fixes it."""
    if group.text("strategy") != "cluster":
        return NOT_APPLICABLE
    users = _users(group)
    if not users:
        return NOT_APPLICABLE
    places = [(user, nodes.zones(user)) for user in users]
    zones = {zone: user for user, found in places if len(found) == 1 for zone in found}
    message = f"a cluster placement group lies in one zone, and {_listed(zones)}"
    return allow(len(zones) <= 1, message, hint="Make a placement group for each zone.", path="strategy")


@rule("AWS-PLACEMENT-005", on=nodes.STARTERS, source=_GUIDE)
def a_spread_group_holds_the_machines(starter: View) -> Verdict:
    """A group of machines in a spread placement group has up to 7 in each zone."""
    most = limits.find_limit("spread_machines_of_a_zone", "aws").most
    if _strategy(starter) != "spread":
        return NOT_APPLICABLE
    count, zones = nodes.most(starter), nodes.zones(starter)
    if count is None or not zones:
        return NOT_APPLICABLE
    room = most * len(zones)
    message = f"{count} machines may start, and a spread group holds {room} in {listed(zones)}"
    hint = "Use the strategy partition, or fewer machines."
    return allow(count <= room, message, hint=hint, path=_count_key(starter))


@rule(
    "AWS-PLACEMENT-006",
    on=(LAUNCH_TEMPLATE, INSTANCE),
    source="EC2 API, RunInstances; EC2 user guide, spot limitations",
)
def spot_in_a_group_is_not_stopped(holder: View) -> Verdict:
    """Spot machines in a placement group are terminated when AWS takes them back, not stopped or hibernated."""
    options = holder.block("instanceMarketOptions")
    spot = options.block("spotOptions") if options is not None else None
    behaviour = spot.text("instanceInterruptionBehavior") if spot is not None else None
    if spot is None or behaviour is None:
        return NOT_APPLICABLE
    placement = holder.block("placement") if holder.type == LAUNCH_TEMPLATE else holder
    grouped = placement is not None and bool({"groupName", "groupId", "placementGroup"} & set(placement))
    message = f"spot machines in a placement group cannot {behaviour} when AWS takes them back"
    path = spot.at("instanceInterruptionBehavior")
    return allow(not grouped or behaviour == "terminate", message, hint="Use terminate.", path=path)


def _strategy(starter: View) -> str | None:
    group = placement_group(starter)
    return nodes.inside(group).text("strategy") if group is not None else None


def _users(group: View) -> list[View]:
    templates = [
        template
        for path in ("placement.groupName", "placement.groupId")
        for template in group.referrers(LAUNCH_TEMPLATE, path)
    ]
    own = [user for type_ in (INSTANCE, AUTOSCALING_GROUP) for user in group.referrers(type_, "placementGroup")]
    found = [*own, *(starter for template in templates for starter in nodes.starters_from(template))]
    return list({user.urn: user for user in found}.values())


def _listed(zones: dict[str, View]) -> str:
    return listed(f"{user.name} may start in {zone}" for zone, user in sorted(zones.items()))


def _count_key(starter: View) -> str:
    return {NODE_GROUP: "scalingConfig.maxSize", AUTOSCALING_GROUP: "maxSize", INSTANCE: "placementGroup"}[starter.type]

"""Placement groups: strategies, the machines they take and the zones they span."""

from __future__ import annotations

from penstock.aws.model.ec2 import PLACES, Ec2Pool, Ec2Type, instance_types_of, zones_of
from penstock.aws.model.launch_templates import inside, starters_from, template_of
from penstock.aws.rules import nodes
from penstock.aws.types import AUTOSCALING_GROUP, EC2_INSTANCE, EC2_LAUNCH_TEMPLATE, EC2_PLACEMENT_GROUP, EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=EC2_PLACEMENT_GROUP,
    severity=HIGH,
    rationale="CreatePlacementGroup rejects other combinations, and names that are too long or not ASCII.",
    fix="Leave partitionCount or spreadLevel out, or set strategy to the one that takes it.",
    sources=("EC2 API model in botocore 1.44, CreatePlacementGroup",),
)
def aws_placement_group_settings(group: View) -> Verdict:
    """Only the strategy partition has partitions, at most 7, and only the strategy spread has a spread level."""
    longest = limits.find_limit("placement_group_name_characters", "aws").most
    most = limits.find_limit("placement_partitions", "aws").most
    strategy, partitions = group.text("strategy"), group.integer("partitionCount")
    name = group.text("name") or ""
    return together(
        [
            allow(
                not partitions or strategy == "partition",
                f"partitionCount is set for the strategy {strategy}",
                hint="Leave partitionCount out, or set strategy to partition.",
                path="partitionCount",
            ),
            allow(
                not partitions or 1 <= partitions <= most,
                f"partitionCount {partitions} is not within 1 to {most}",
                hint=f"Use at most {most}.",
                path="partitionCount",
            ),
            allow(
                "spreadLevel" not in group or strategy == "spread",
                f"spreadLevel is set for the strategy {strategy}",
                hint="Leave spreadLevel out, or set strategy to spread.",
                path="spreadLevel",
            ),
            allow(
                len(name) <= longest and name.isascii(),
                f"the name is longer than {longest} characters, or not ASCII",
                hint="Leave the name out: Pulumi generates one.",
                path="name",
            ),
        ]
    )


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="EC2 refuses to launch an unsupported instance type into a cluster placement group.",
    fix="Leave the placement group out, or use an instance type of a family that supports cluster placement.",
    joins=True,
    sources=("EC2 DescribeInstanceTypes, PlacementGroupInfo (resources of moto 5.2.5)",),
)
def aws_placement_cluster_types(starter: View) -> Verdict:
    """Instances in a cluster placement group are of types that support it: not burstable, flex or Mac."""
    if _strategy(starter) != "cluster":
        return NOT_APPLICABLE

    def check(named: Ec2Type) -> Verdict:
        facts = named.facts
        if facts is None or "cluster_placement" in facts.unverified:
            return NOT_APPLICABLE
        if facts.cluster_placement:
            return PASS
        message = f"cluster placement groups do not support {named.name}"
        return fail(
            message,
            hint="Leave the placement group out, or use a larger family.",
            path=named.path,
            urn=named.holder.urn,
        )

    return each(instance_types_of(starter), check)


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="A cluster placement group lies in one zone, and launches in any other zone fail.",
    fix="Give the group subnets of a single availability zone.",
    joins=True,
    sources=("EC2 user guide, placement strategies and rules",),
)
def aws_placement_cluster_one_zone(starter: View) -> Verdict:
    """A group of instances in a cluster placement group starts in a single availability zone."""
    if _strategy(starter) != "cluster":
        return NOT_APPLICABLE
    zones = zones_of(starter)
    message = f"a cluster placement group is in one zone; instances can start in {listed(zones)}"
    hint = f"Give subnets of one zone, such as {zones[0] if zones else 'the first'}."
    return allow(len(zones) <= 1, message, hint=hint, path=PLACES[starter.type])


@RULES.rule(
    on=EC2_PLACEMENT_GROUP,
    severity=HIGH,
    rationale="The first instance fixes the zone of a cluster placement group, and launches from other zones fail.",
    fix="Create a placement group for each availability zone.",
    joins=True,
    sources=("EC2 user guide, placement strategies and rules",),
)
def aws_placement_cluster_same_zone(group: View) -> Verdict:
    """All groups of instances that share a cluster placement group start in the same availability zone."""
    if group.text("strategy") != "cluster":
        return NOT_APPLICABLE
    users = _users(group)
    if not users:
        return NOT_APPLICABLE
    places = [(user, zones_of(user)) for user in users]
    zones = {zone: user for user, found in places if len(found) == 1 for zone in found}
    message = f"a cluster placement group is in one zone; {_listed(zones)}"
    return allow(len(zones) <= 1, message, path="strategy")


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="A spread placement group holds 7 running instances in each zone, and EC2 refuses to launch more.",
    fix="Set strategy of the placement group to partition, or start fewer instances.",
    joins=True,
    sources=("EC2 user guide, placement strategies and rules",),
)
def aws_placement_spread_limit(starter: View) -> Verdict:
    """A group of instances in a spread placement group has at most 7 instances in each availability zone."""
    most = limits.find_limit("spread_machines_of_a_zone", "aws").most
    if _strategy(starter) != "spread":
        return NOT_APPLICABLE
    count, zones = Ec2Pool(starter, starter).most(), zones_of(starter)
    if count is None or not zones:
        return NOT_APPLICABLE
    room = most * len(zones)
    message = f"{count} instances can start; a spread placement group holds {room} in {listed(zones)}"
    hint = "Use the strategy partition, or fewer instances."
    return allow(count <= room, message, hint=hint, path=_count_key(starter))


@RULES.rule(
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    severity=HIGH,
    rationale=(
        "RunInstances refuses a spot instance in a placement group whose interruption behavior is stop or hibernate."
    ),
    fix="Set instanceInterruptionBehavior to terminate.",
    sources=("EC2 API, RunInstances", "EC2 user guide, spot limitations"),
)
def aws_placement_spot_terminate(holder: View) -> Verdict:
    """Spot instances in a placement group are terminated on interruption, not stopped or hibernated."""
    options = holder.block("instanceMarketOptions")
    spot = options.block("spotOptions") if options is not None else None
    behaviour = spot.text("instanceInterruptionBehavior") if spot is not None else None
    if spot is None or behaviour is None:
        return NOT_APPLICABLE
    placement = holder.block("placement") if holder.type == EC2_LAUNCH_TEMPLATE else holder
    grouped = placement is not None and bool({"groupName", "groupId", "placementGroup"} & set(placement))
    message = f"spot instances in a placement group cannot {behaviour} when AWS reclaims them"
    path = spot.at("instanceInterruptionBehavior")
    return allow(not grouped or behaviour == "terminate", message, hint="Use terminate.", path=path)


def _strategy(starter: View) -> str | None:
    group = placement_group(starter)
    return inside(group).text("strategy") if group is not None else None


def _users(group: View) -> list[View]:
    templates = [
        template
        for path in ("placement.groupName", "placement.groupId")
        for template in group.referrers(EC2_LAUNCH_TEMPLATE, path)
    ]
    own = [user for type_ in (EC2_INSTANCE, AUTOSCALING_GROUP) for user in group.referrers(type_, "placementGroup")]
    found = [*own, *(starter for template in templates for starter in starters_from(template))]
    return list({user.urn: user for user in found}.values())


def _listed(zones: dict[str, View]) -> str:
    return listed(f"{user.name} can start in {zone}" for zone, user in sorted(zones.items()))


def _count_key(starter: View) -> str:
    return {EKS_NODE_GROUP: "scalingConfig.maxSize", AUTOSCALING_GROUP: "maxSize", EC2_INSTANCE: "placementGroup"}[
        starter.type
    ]


def placement_paths(holder: View) -> list[str]:
    """Where a template or a starter names a placement group."""
    if holder.type == EC2_LAUNCH_TEMPLATE:
        placement = holder.block("placement")
        return (
            [placement.at(key) for key in ("groupName", "groupId") if key in placement] if placement is not None else []
        )
    return ["placementGroup"] if holder.type != EKS_NODE_GROUP and "placementGroup" in holder else []


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
            return block.one(key, EC2_PLACEMENT_GROUP) if block is not None else None
    return None

"""Capacity blocks for machine learning: what a node group and its launch template need to start in one."""

from __future__ import annotations

from penstock.aws.model.ec2 import Ec2Pool, zones_of
from penstock.aws.model.launch_templates import market_of, reservation_target, template_of
from penstock.aws.rules import nodes
from penstock.aws.rules.placement import placement_paths
from penstock.aws.types import EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail, together
from penstock.graph.view import View
from penstock.rules.checks import All, Given, Is, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "CreateNodegroup refuses the capacity type CAPACITY_BLOCK without a launch template that names all three."
    ),
    fix=(
        "Set instanceMarketOptions.marketType to capacity-block, capacityReservationTarget.capacityReservationId and "
        "instanceType in the launch template."
    ),
    joins=True,
    sources=("EKS user guide, capacity blocks with managed node groups",),
)
def aws_eks_capacity_block_template(group: View) -> Verdict:
    """The launch template of a node group in a capacity block sets market type, reservation and instance type."""
    if group.text("capacityType") != "CAPACITY_BLOCK":
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None:
        hint = "Create one with marketType capacity-block, the reservation's id and the instance type."
        return fail("a node group in a capacity block needs a launch template", hint=hint, path="launchTemplate")
    parts = {
        "instanceMarketOptions": (market_of(template) == "capacity-block", "Set marketType to capacity-block."),
        "capacityReservationSpecification": (
            reservation_target(template) is not None
            or market_of(template) == "capacity-block",  # another rule reports a missing target
            "Set capacityReservationTarget.capacityReservationId to the id of the block.",
        ),
        "instanceType": ("instanceType" in template, "Set the instance type of the block."),
    }
    message = "EKS refuses {}: capacityType is CAPACITY_BLOCK, and the launch template lacks {}"
    return together(
        PASS if given else fail(message.format(group.name, path), hint=hint, path=path, urn=template.urn)
        for path, (given, hint) in parts.items()
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="A capacity block lies in one zone, and launches in subnets of any other zone find no capacity.",
    fix="Set subnetIds to subnets of the block's availability zone only.",
    joins=True,
    sources=("EKS user guide, capacity blocks with managed node groups",),
)
def aws_eks_capacity_block_one_zone(group: View) -> Verdict:
    """The subnets of a node group in a capacity block are all in the availability zone of the block."""
    if group.text("capacityType") != "CAPACITY_BLOCK":
        return NOT_APPLICABLE
    zones = zones_of(group)
    message = f"a capacity block is in one zone; the subnets are in {listed(zones)}"
    return allow(len(zones) <= 1, message, hint="Use subnets of the block's zone only.", path="subnetIds")


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale=(
        "EC2 takes no placement group beside a capacity block, since AWS already places the instances of a block close "
        "together."
    ),
    fix="Leave placement.groupName, placement.groupId and placementGroup out.",
    joins=True,
    sources=("EC2 user guide, Capacity Blocks for ML", "CloudFormation of eks-gpu-cluster"),
)
def aws_capacity_block_no_placement(starter: View) -> Verdict:
    """Instances of a capacity block are not in a placement group."""
    holders = [starter, *([template] if (template := template_of(starter)) is not None else [])]
    if not any(market_of(holder) == "capacity-block" for holder in holders):
        return NOT_APPLICABLE
    message = "EC2 does not accept a placement group beside a capacity block"
    named = [(holder, path) for holder in holders for path in placement_paths(holder)]
    hint = "Leave it out."
    return together([PASS, *(fail(message, hint=hint, path=path, urn=holder.urn) for holder, path in named)])


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="No capacity block is offered that holds more instances, so the remaining nodes never start.",
    fix="Create a node group for each capacity block, and lower scalingConfig.maxSize.",
    sources=("EC2 API model in botocore 1.44, DescribeCapacityBlockOfferings",),
)
def aws_eks_capacity_block_size(group: View) -> Verdict:
    """A node group in a capacity block has at most as many nodes as the largest block, which is 64."""
    most = limits.find_limit("machines_of_a_capacity_block", "aws").most
    if group.text("capacityType") != "CAPACITY_BLOCK" or "scalingConfig" not in group:
        return NOT_APPLICABLE
    count = Ec2Pool(group, group).most()
    message = f"{count} instances exceed a capacity block, which has at most {most}"
    return allow(count <= most, message, hint="Create a node group for each block.", path="scalingConfig.maxSize")


RULES.row(
    "aws-eks-capacity-block-starts-empty",
    "A node group in a capacity block starts with no nodes.",
    on=EKS_NODE_GROUP,
    check=Where(
        All(Is("capacityType", "CAPACITY_BLOCK"), Given("scalingConfig.desiredSize")),
        Is("scalingConfig.desiredSize", 0),
    ),
    severity=MEDIUM,
    rationale="Every launch before the start of the block fails, and the creation of the node group fails with it.",
    fix="Set scalingConfig.desiredSize and minSize to 0, and scale out on a schedule.",
    sources=("EKS user guide, capacity blocks with managed node groups: scheduled scaling from 0",),
)

"""Purchase options: the capacity type of a node group and the market options of its launch template."""

from __future__ import annotations

from penstock.aws.model.ec2 import Ec2Type, instance_types_of
from penstock.aws.model.launch_templates import market_of, reservation_target, template_of
from penstock.aws.types import EC2_INSTANCE, EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_WAYS = {"ON_DEMAND": "on_demand", "SPOT": "spot", "CAPACITY_BLOCK": "capacity_block"}


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "CreateNodegroup refuses instanceMarketOptions in the launch template, since EKS sets on-demand or spot by the "
        "capacity type of the node group."
    ),
    fix="Leave instanceMarketOptions out of the launch template, and set capacityType on the node group.",
    joins=True,
    sources=("hashicorp/terraform-provider-aws issue 15118", "EKS API, CreateNodegroup"),
)
def aws_eks_template_no_market(group: View) -> Verdict:
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
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    severity=HIGH,
    rationale=(
        "EC2 refuses spot options for another market type, and cannot launch into a capacity block that is not named."
    ),
    fix=(
        "Set marketType to spot or leave spotOptions out, and set capacityReservationTarget.capacityReservationId for "
        "a capacity block."
    ),
    sources=("EC2 API model in botocore 1.44, MarketType",),
)
def aws_market_options_complete(holder: View) -> Verdict:
    """Only the market type spot has spot options, and the market type capacity-block names its reservation."""
    options = holder.block("instanceMarketOptions")
    if options is None:
        return NOT_APPLICABLE
    market = options.text("marketType")
    return together(
        [
            allow(
                "spotOptions" not in options or market in (None, "spot"),
                f"spotOptions are set for the market type {market}",
                hint="Leave spotOptions out, or set marketType to spot.",
                path=options.at("spotOptions"),
            ),
            allow(
                market != "capacity-block" or reservation_target(holder) is not None,
                "marketType is capacity-block, and no reservation is named",
                hint="Set capacityReservationSpecification.capacityReservationTarget.capacityReservationId.",
                path="capacityReservationSpecification",
            ),
        ]
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EC2 has no capacity of that kind for the instance type, so no node starts.",
    fix="Set capacityType to one that the instance type is sold in.",
    joins=True,
    sources=("EC2 DescribeInstanceTypes, SupportedUsageClasses (catalogue, aws_machines)",),
)
def aws_eks_capacity_type_sold(group: View) -> Verdict:
    """The instance type is sold in the capacity type of the node group: on demand, spot or capacity block."""
    way = _WAYS.get(group.text("capacityType") or "ON_DEMAND")
    if way is None:
        return NOT_APPLICABLE

    def check(named: Ec2Type) -> Verdict:
        machine = named.machine
        if machine is None or "sold" in machine.unverified:
            return NOT_APPLICABLE
        message = f"{named.name} is not offered as {way}"
        return allow(way in machine.sold, message, hint=f"Offered as {listed(machine.sold)}.", path="capacityType")

    return each(instance_types_of(group), check)

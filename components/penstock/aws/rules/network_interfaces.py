"""Network interfaces of launch templates: their type and their addresses."""

from __future__ import annotations

from penstock.aws.model.ec2 import PLACES, subnets_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import Each, Given, Matches, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

INTERFACE_TYPES = ("interface", "efa", "efa-only")


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale=(
        "EC2 associates a public address at launch with a single interface only, and refuses the launch otherwise."
    ),
    fix="Leave associatePublicIpAddress out, and let the instances reach the internet through a NAT gateway.",
    sources=("karpenter-provider-aws PR 5666", "aws-parallelcluster PR 7457"),
)
def aws_lt_public_ip_single_interface(template: View) -> Verdict:
    """A launch template with several network interfaces does not ask for a public IP address."""
    interfaces = template.blocks("networkInterfaces")
    if len(interfaces) < 2:  # noqa: PLR2004 - several
        return NOT_APPLICABLE
    message = f"associatePublicIpAddress is true beside {len(interfaces) - 1} more interfaces, which EC2 refuses"

    def check(interface: Block) -> Verdict:
        if not interface.flag("associatePublicIpAddress"):
            return PASS
        if interface.text("interfaceType") == "efa-only":
            return NOT_APPLICABLE  # it takes no address at all: aws-efa-only-no-address reports that
        return fail(
            message,
            hint="Leave associatePublicIpAddress out, and reach the internet through a NAT gateway.",
            path=interface.at("associatePublicIpAddress"),
        )

    return each(interfaces, check)


@RULES.rule(
    on=(EKS_NODE_GROUP, AUTOSCALING_GROUP),
    severity=HIGH,
    rationale="RunInstances refuses instances with several interfaces in a subnet with mapPublicIpOnLaunch.",
    fix="Use private subnets with a route to a NAT gateway, or set mapPublicIpOnLaunch to false.",
    joins=True,
    sources=("terraform-aws-eks issue 3533", "EC2 API, RunInstances"),
)
def aws_multi_interface_private_subnets(starter: View) -> Verdict:
    """Instances with several network interfaces start in subnets that do not assign public IP addresses at launch."""
    template = template_of(starter)
    if template is None or template.count("networkInterfaces") < 2:  # noqa: PLR2004 - several
        return NOT_APPLICABLE

    def check(subnet: View) -> Verdict:
        message = (
            f"subnet {subnet.name} assigns public addresses, which EC2 refuses for instances with several interfaces"
        )
        public = subnet.flag("mapPublicIpOnLaunch")
        return allow(
            not public, message, hint="Use private subnets with a route to a NAT gateway.", path=PLACES[starter.type]
        )

    return each(subnets_of(starter), check)


RULES.row(
    "aws-lt-interface-type",
    "The type of a network interface is interface, efa or efa-only.",
    on=EC2_LAUNCH_TEMPLATE,
    check=Each(
        "networkInterfaces[]", Where(Given("interfaceType"), Matches("interfaceType", "|".join(INTERFACE_TYPES)))
    ),
    severity=HIGH,
    rationale="EC2 refuses a launch template with any other interface type.",
    fix="Set interfaceType to interface, efa or efa-only.",
    sources=("EC2 API model in botocore 1.44, interface types",),
)

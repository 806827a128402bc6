"""Segmentation of networks on AWS, and of the machines in them."""

from __future__ import annotations

from penstock.aws.model.openings import AwsOpening
from penstock.aws.policies.security_groups import judge_openings, lets_addresses, lets_itself
from penstock.aws.types import (
    EC2_DEFAULT_SECURITY_GROUP,
    EC2_DEFAULT_VPC,
    EC2_EIP,
    EC2_EIP_ASSOCIATION,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_LAUNCH_TEMPLATE,
    EC2_NETWORK_INTERFACE,
    EC2_SECURITY_GROUP,
    EC2_SECURITY_GROUP_RULE,
    EC2_SPOT_INSTANCE_REQUEST,
    EC2_SUBNET,
    EC2_VPC,
    EC2_VPC_ENDPOINT,
    ECS_SERVICE,
    FSX_FILE_CACHE,
    FSX_LUSTRE_FILE_SYSTEM,
    VPC_SECURITY_GROUP_EGRESS_RULE,
    VPC_SECURITY_GROUP_INGRESS_RULE,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.model.openings.addresses import public_range
from penstock.model.openings.reach import ALL
from penstock.policies.open_world import refuse_world
from penstock.rules.checks import Absent, All, ByType, Custom, Given, Is, IsNot, Joined, Matches, NoneOf, Where
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_MACHINES = (
    EC2_INSTANCE,
    EC2_SPOT_INSTANCE_REQUEST,
    EC2_LAUNCH_CONFIGURATION,
)
_ELASTIC_OF_MACHINES = ((EC2_EIP, "instance"), (EC2_EIP_ASSOCIATION, "instanceId"))
_ELASTIC_OF_INTERFACES = (
    (EC2_EIP, "networkInterface"),
    (EC2_EIP_ASSOCIATION, "networkInterfaceId"),
)

_RULES_APART = (VPC_SECURITY_GROUP_INGRESS_RULE, VPC_SECURITY_GROUP_EGRESS_RULE, EC2_SECURITY_GROUP_RULE)

_LUSTRE = (FSX_LUSTRE_FILE_SYSTEM, FSX_FILE_CACHE)
_LUSTRE_PORTS = (988, *range(1018, 1024))
"""What FSx for Lustre and its clients talk on (FSx for Lustre user guide, "File system access control")."""

_WORLD_WHY = "Scanners find an open port within minutes; one weak password or unpatched service behind it is enough."
_WORLD_FIX = (
    "Name the ranges or the security group that need the port; what is meant for everybody goes through a load "
    "balancer on the ports that the parameter public_ports allows."
)


def _refuse_world(it: View, settings: Settings) -> Verdict:
    def one(rule: AwsOpening) -> Verdict:
        return refuse_world(rule.addresses, lambda: rule.reach, settings.parameters.public_ports, rule.path)

    return judge_openings(it, one, "ingress")


RULES.row(
    "aws-sg-no-world-ingress",
    "A security group lets the whole internet reach public ports only.",
    on=(EC2_SECURITY_GROUP, EC2_DEFAULT_SECURITY_GROUP),
    check=Custom(_refuse_world, others=True),
    severity=CRITICAL,
    rationale=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AWS_24 CKV_AWS_25 CKV_AWS_277 AWS-0107 KICS:151187cb KICS:381c3f2a KICS:590d878b "
    "KICS:65905cec KICS:54c417bf KICS:4728cd65 CKV2_AWS_7",
    cis=("AWS 5.0: 5.3", "AWS 5.0: 5.4"),
)
RULES.row(
    "aws-sgr-no-world-ingress",
    "An ingress rule lets the whole internet reach public ports only.",
    on=VPC_SECURITY_GROUP_INGRESS_RULE,
    check=Custom(_refuse_world, others=True),
    severity=CRITICAL,
    rationale=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AWS_24 CKV_AWS_277 AWS-0107 CKV_AWS_25 KICS:151187cb KICS:381c3f2a KICS:590d878b "
    "KICS:65905cec KICS:54c417bf KICS:4728cd65",
    cis=("AWS 5.0: 5.3", "AWS 5.0: 5.4"),
)
RULES.row(
    "aws-sgr-legacy-no-world",
    "A rule of a security group, in the older form, lets the whole internet reach public ports only.",
    on=EC2_SECURITY_GROUP_RULE,
    check=Custom(_refuse_world, others=True),
    severity=CRITICAL,
    rationale=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AWS_24 CKV_AWS_277 AWS-0107 CKV_AWS_25 KICS:151187cb KICS:381c3f2a KICS:590d878b "
    "KICS:65905cec KICS:54c417bf KICS:4728cd65",
    cis=("AWS 5.0: 5.3", "AWS 5.0: 5.4"),
)


@RULES.rule(
    on=(EC2_SECURITY_GROUP, VPC_SECURITY_GROUP_INGRESS_RULE, EC2_SECURITY_GROUP_RULE),
    severity=MEDIUM,
    rationale=(
        "Whoever takes one machine that the rule names reaches every service of all members, the forgotten ones too."
    ),
    fix="Write a rule for each protocol and port that is needed, or let the group name itself where members are peers.",
)
def aws_sg_no_all_protocols(it: View, _: Settings) -> Verdict:
    """An ingress rule names a protocol."""

    def one(rule: AwsOpening) -> Verdict:
        path = rule.protocol_path
        return allow(rule.reach.protocol != ALL, f"{path} lets every protocol and port in", path=path)

    return judge_openings(it, one, "ingress")


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    each_of="networkInterfaces",
    joins=True,
    severity=HIGH,
    rationale=(
        "EFA heeds only rules that name a group by its id: without them a job hangs in its first collective, and one "
        "that names addresses instead opens every port of the nodes and helps the fabric nothing."
    ),
    fix=(
        "Give the group of the EFA interfaces one ingress and one egress rule with protocol -1 that refer to the group "
        "itself, and let addresses in by port only."
    ),
)
def aws_sg_efa_self(interface: Block) -> Verdict:
    """Interfaces with EFA share a group that lets its members, and no address ranges, send each other everything."""
    if interface.text("interfaceType") not in ("efa", "efa-only"):
        return NOT_APPLICABLE
    path = interface.at("securityGroups")
    groups = interface.found("securityGroups", EC2_SECURITY_GROUP)
    fabric = [group for group in groups if lets_itself(group)]
    if not fabric:
        if len(groups) < interface.count("securityGroups"):
            return UNKNOWN
        return fail(f"no group of {path} lets its own members send each other everything", path=path)
    return allow(
        not any(lets_addresses(group) for group in fabric),
        f"a group of {path} lets address ranges send everything",
        path=path,
    )


@RULES.rule(
    on=(EC2_SECURITY_GROUP, VPC_SECURITY_GROUP_EGRESS_RULE, EC2_SECURITY_GROUP_RULE),
    joins=True,
    severity=MEDIUM,
    rationale=(
        "Code that gets in, by a poisoned package say, sends data and weights out by any protocol to any address."
    ),
    fix=(
        "Let out the ports that are needed, such as TCP 443, and to the network's own range where that is enough; "
        "VPC endpoints carry what AWS offers."
    ),
    peers="CKV_AWS_382 AWS-0104",
)
def aws_sg_egress_restrict(it: View, _: Settings) -> Verdict:
    """Egress to the whole internet names its ports."""

    def one(rule: AwsOpening) -> Verdict:
        # no port counts as public here: what matters is that some are left out
        reach = rule.reach
        return refuse_world(rule.addresses, lambda: reach, (), rule.path) if reach.is_everything else PASS

    return judge_openings(it, one, "egress")


@RULES.rule(
    on=(EC2_SECURITY_GROUP, VPC_SECURITY_GROUP_INGRESS_RULE, EC2_SECURITY_GROUP_RULE),
    joins=True,
    severity=HIGH,
    rationale="Lustre asks its clients for no password: whoever reaches port 988 mounts the data sets and checkpoints.",
    fix="Let ports 988 and 1018-1023 be reached from the clients' security group, or from the network's private range.",
)
def aws_sg_lustre_port(it: View, _: Settings) -> Verdict:
    """The ports of Lustre are open to security groups and private ranges only."""

    def one(rule: AwsOpening) -> Verdict:
        if not rule.reach.touches(_LUSTRE_PORTS):
            return NOT_APPLICABLE
        said = of_lustre(rule)
        if said.outcome is Outcome.FAIL and rule.reach.is_everything and not _guards_lustre(rule):
            return NOT_APPLICABLE  # other rules report what lets everything in
        return said

    def of_lustre(rule: AwsOpening) -> Verdict:
        addresses = rule.addresses
        found = public_range(addresses)
        if found is not None:
            return fail(f"{rule.path} opens {rule.reach} to {found}, which is not private", path=rule.path)
        return refuse_world(addresses, lambda: rule.reach, (), rule.path)

    return judge_openings(it, one, "ingress")


def _guards_lustre(rule: AwsOpening) -> bool:
    return any(group.referrers(type_, "securityGroupIds") for group in rule.joined_groups for type_ in _LUSTRE)


RULES.row(
    "aws-sg-description",
    "A security group says what it is for.",
    on=EC2_SECURITY_GROUP,
    check=NoneOf("description", ("Managed by Pulumi", "Managed by Terraform")),
    severity=LOW,
    rationale="In an incident nobody dares to close a group that does not say who needs it.",
    fix="Set description to who reaches what; an existing group is replaced, for AWS cannot change its description.",
    peers="AWS-0099",
)


def _has_no_rules_apart(group: View, _: Settings) -> Verdict:
    rules = [rule.name for type_ in _RULES_APART for rule in group.referrers(type_, "securityGroupId")]
    return allow(not rules, f"the rule {', '.join(rules)} belongs to it")


def _lies_elsewhere(group: View, _: Settings) -> Verdict:
    return allow(not group.found("vpcId", EC2_VPC), "it is judged with its VPC")


_EMPTY = All(Absent("ingress"), Absent("egress"), Custom(_has_no_rules_apart, others=True))

RULES.row(
    "aws-default-sg-closed",
    "The default security group of a VPC has no rules.",
    on=(EC2_VPC, EC2_DEFAULT_SECURITY_GROUP),
    check=ByType(
        {
            EC2_VPC: Joined(
                ((EC2_DEFAULT_SECURITY_GROUP, "vpcId"),), "no resource empties the default security group", _EMPTY
            ),
            EC2_DEFAULT_SECURITY_GROUP: Where(Custom(_lies_elsewhere, others=True), _EMPTY),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "What is launched without a group lands in this one, whose members all reach each other and the internet."
    ),
    fix="Add an aws.ec2.DefaultSecurityGroup with the VPC's vpcId and with neither ingress nor egress.",
    peers="CKV2_AWS_12 AWS-0173 KICS:46883ce1 KICS:9a4ef195",
    cis=("AWS 5.0: 5.5",),
)
RULES.row(
    "aws-subnet-no-public-ip",
    "What is launched in a subnet gets no public address by itself.",
    on=EC2_SUBNET,
    check=Is("mapPublicIpOnLaunch", value=False),
    severity=HIGH,
    rationale="Each machine that someone starts there is on the internet, held back by its security group alone.",
    fix="Set mapPublicIpOnLaunch to false; NAT gateways and load balancers have addresses of their own.",
    peers="CKV_AWS_130 AWS-0164 KICS:52f04a44",
)


@RULES.rule(
    on=(EC2_DEFAULT_VPC, "aws:ec2/defaultSubnet:DefaultSubnet", EC2_SECURITY_GROUP, EC2_SUBNET),
    joins=True,
    severity=MEDIUM,
    rationale="All subnets of the default VPC are public, and all that anybody ever tried out in the account is in it.",
    fix=(
        "Create an aws.ec2.Vpc with private subnets, and give its id as vpcId; an existing resource must be "
        "recreated there."
    ),
    peers="CKV_AWS_148 AWS-0101 KICS:7e4a6e76 KICS:96ed3526",
)
def aws_vpc_not_default(it: View, settings: Settings) -> Verdict:
    """Nothing lies in the default VPC of a region."""
    if it.type not in (EC2_SECURITY_GROUP, EC2_SUBNET):
        return fail("the program works with the region's default VPC")
    given = Given("vpcId").judge(it, settings)
    if given.outcome is Outcome.FAIL:
        return fail("vpcId is not set, so it lies in the region's default VPC", path="vpcId")
    if given.outcome is Outcome.PASS and it.sources("vpcId", EC2_DEFAULT_VPC):
        return fail("vpcId is that of the region's default VPC", path="vpcId")
    return given


RULES.row(
    "aws-vpc-s3-endpoint",
    "A VPC reaches S3 by a gateway endpoint.",
    on=EC2_VPC,
    check=Joined(
        ((EC2_VPC_ENDPOINT, "vpcId"),),
        "no gateway endpoint leads to S3",
        All(Matches("serviceName", r".+\.s3"), Is("vpcEndpointType", "Gateway")),
    ),
    severity=MEDIUM,
    rationale="Data sets go through NAT gateways, which bill each gigabyte, and over public addresses.",
    fix="Add a free aws.ec2.VpcEndpoint for com.amazonaws.REGION.s3, of type Gateway, on the private route tables.",
)
RULES.row(
    "aws-lt-no-public-ip",
    "A launch template gives its machines no public address.",
    on=EC2_LAUNCH_TEMPLATE,
    check=IsNot("networkInterfaces[].associatePublicIpAddress", value=True),
    severity=HIGH,
    rationale=(
        "GPU nodes are reachable from the internet; with more than one interface, as EFA has it, AWS refuses to "
        "launch at all."
    ),
    fix="Set associatePublicIpAddress of each of networkInterfaces to false, and let a NAT gateway carry egress.",
    peers="CKV_AWS_88",
)


def _has_no_elastic_address(it: View, _: Settings) -> Verdict:
    elastic = _ELASTIC_OF_INTERFACES if it.type == EC2_NETWORK_INTERFACE else _ELASTIC_OF_MACHINES
    given = [view.name for type_, path in elastic for view in it.referrers(type_, path)]
    return allow(not given, f"the elastic address {', '.join(given)} makes it public")


_GETS_NONE = Custom(_has_no_elastic_address, others=True)

RULES.row(
    "aws-instance-no-public-ip",
    "An instance, or a task, asks for no public address, and gets none.",
    on=(*_MACHINES, EC2_NETWORK_INTERFACE, ECS_SERVICE),
    check=ByType(
        dict.fromkeys(_MACHINES, All(IsNot("associatePublicIpAddress", value=True), _GETS_NONE))
        | {EC2_NETWORK_INTERFACE: _GETS_NONE, ECS_SERVICE: IsNot("networkConfiguration.assignPublicIp", value=True)}
    ),
    severity=HIGH,
    rationale="Anybody can connect to it, and a misconfiguration of one security group lets them in.",
    fix="Set associatePublicIpAddress to false, which replaces the instance (assignPublicIp of a service), and give it "
    "no Eip; Session Manager needs no public address.",
    peers="CKV_AWS_88 CKV_AWS_333 AWS-0009 KICS:5a2486aa CKV_AWS_389 KICS:bafe7989",
)

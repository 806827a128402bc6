"""Segmentation on AWS."""

from __future__ import annotations

from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.resources.view import Block, View
from penstock_policies.checks import (
    Absent,
    All,
    Custom,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    Matches,
    NoneOf,
    Where,
)
from penstock_policies.open_world import NotOpen, public_range, refuse_world
from penstock_policies.rule import CRITICAL, HIGH, LOW, MEDIUM, Concern, Rules
from penstock_policies.security_groups import (
    DEFAULT_GROUP,
    EGRESS,
    GROUP,
    INGRESS,
    LEGACY,
    GroupRule,
    judge_rules,
    lets_addresses,
    lets_itself,
)
from penstock_policies.settings import Settings

RULES = Rules(Concern.SEGMENTATION)

_VPC = "aws:ec2/vpc:Vpc"
_DEFAULT_VPC = "aws:ec2/defaultVpc:DefaultVpc"
_SUBNET = "aws:ec2/subnet:Subnet"
_ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
_INSTANCE = "aws:ec2/instance:Instance"
_MACHINES = (
    _INSTANCE,
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest",
    "aws:ec2/launchConfiguration:LaunchConfiguration",
)
_ELASTIC = (("aws:ec2/eip:Eip", "instance"), ("aws:ec2/eipAssociation:EipAssociation", "instanceId"))
_LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
_CLUSTER = "aws:eks/cluster:Cluster"
_ACCOUNT_BLOCK = "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock"
_LOAD_BALANCERS = ("aws:lb/loadBalancer:LoadBalancer", "aws:alb/loadBalancer:LoadBalancer")
_CLASSIC = "aws:elb/loadBalancer:LoadBalancer"

_INWARD = ("ingress[].cidrBlocks", "ingress[].ipv6CidrBlocks", "ingress[].protocol", "ingress[].fromPort")
_LUSTRE_PORTS = (988, *range(1018, 1024))
"""What FSx for Lustre and its clients talk on (FSx for Lustre user guide, "File system access control")."""

_WORLD_WHY = "Scanners find an open port within minutes; one weak password or unpatched service behind it is enough."
_WORLD_FIX = (
    "Name the ranges or the security group that need the port; what is meant for everybody goes through a load "
    "balancer on the ports that the parameter public_ports allows."
)


def _refuse_world(it: View, settings: Settings) -> Verdict:
    def one(rule: GroupRule) -> Verdict:
        return refuse_world(rule.addresses(), rule.reach, settings.parameters.public_ports, rule.path)

    return judge_rules(it, one, inward=True)


RULES.row(
    "aws-sg-no-world-ingress",
    "A security group lets the whole internet reach public ports only.",
    on=(GROUP, DEFAULT_GROUP),
    check=Custom(_INWARD, _refuse_world, others=True),
    weight=CRITICAL,
    why=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AWS_24 CKV_AWS_25 CKV_AWS_260 CKV_AWS_277 AWS-0107",
    cis=("AWS 5.2†",),
)
RULES.row(
    "aws-sgr-no-world-ingress",
    "An ingress rule lets the whole internet reach public ports only.",
    on=INGRESS,
    check=Custom(("cidrIpv4", "cidrIpv6", "ipProtocol", "fromPort", "toPort"), _refuse_world, others=True),
    weight=CRITICAL,
    why=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AWS_24 CKV_AWS_277 AWS-0107",
    cis=("AWS 5.2†",),
)
RULES.row(
    "aws-sgr-legacy-no-world",
    "A rule of a security group, in the older form, lets the whole internet reach public ports only.",
    on=LEGACY,
    check=Custom(("type", "cidrBlocks", "ipv6CidrBlocks", "protocol", "fromPort"), _refuse_world, others=True),
    weight=CRITICAL,
    why=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AWS_24 CKV_AWS_277 AWS-0107",
    cis=("AWS 5.2†",),
)


@RULES.rule(
    "aws-sg-no-all-protocols",
    on=(GROUP, INGRESS, LEGACY),
    reads=(),
    weight=MEDIUM,
    why="Whoever takes one machine that the rule names reaches every service of all members, the forgotten ones too.",
    fix="Write a rule for each protocol and port that is needed, or let the group name itself where members are peers.",
)
def _no_all_protocols(it: View, _: Settings) -> Verdict:
    """An ingress rule names a protocol."""

    def one(rule: GroupRule) -> Verdict:
        path = rule.block.at(rule.form.protocol)
        return allow(rule.reach().protocol != "all", f"{path} lets every protocol and port in", path=path)

    return judge_rules(it, one, inward=True)


@RULES.rule(
    "aws-sg-efa-self",
    on=_LAUNCH_TEMPLATE,
    reads=("networkInterfaces[].interfaceType", "networkInterfaces[].securityGroups"),
    joins=True,
    weight=HIGH,
    why=(
        "EFA heeds only rules that name a group by its id: without them a job hangs in its first collective, and one "
        "that names addresses instead opens every port of the nodes and helps the fabric nothing."
    ),
    fix=(
        "Give the group of the EFA interfaces one ingress and one egress rule with protocol -1 that refer to the group "
        "itself, and let addresses in by port only."
    ),
)
def _efa_group(it: View, _: Settings) -> Verdict:
    """Interfaces with EFA share a group that lets its members, and no address ranges, send each other everything."""

    def one(interface: Block) -> Verdict:
        if interface.text("interfaceType") not in ("efa", "efa-only"):
            return NOT_APPLICABLE
        path = interface.at("securityGroups")
        groups = interface.found("securityGroups", GROUP)
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

    return each(it.blocks("networkInterfaces"), one)


@RULES.rule(
    "aws-sg-egress-restrict",
    on=(GROUP, EGRESS, LEGACY),
    reads=(),
    joins=True,
    weight=MEDIUM,
    why="Code that gets in, by a poisoned package say, sends data and weights out by any protocol to any address.",
    fix=(
        "Let out the ports that are needed, such as TCP 443, and to the network's own range where that is enough; "
        "VPC endpoints carry what AWS offers."
    ),
    peers="CKV_AWS_382 AWS-0104",
)
def _egress(it: View, _: Settings) -> Verdict:
    """Egress to the whole internet names its ports."""

    def one(rule: GroupRule) -> Verdict:
        # no port counts as public here: what matters is that some are left out
        reach = rule.reach()
        return refuse_world(rule.addresses(), lambda: reach, (), rule.path) if reach.is_everything else PASS

    return judge_rules(it, one, inward=False)


@RULES.rule(
    "aws-sg-lustre-port",
    on=(GROUP, INGRESS, LEGACY),
    reads=(),
    joins=True,
    weight=HIGH,
    why="Lustre asks its clients for no password: whoever reaches port 988 mounts the data sets and checkpoints.",
    fix="Let ports 988 and 1018-1023 be reached from the clients' security group, or from the network's private range.",
)
def _lustre(it: View, _: Settings) -> Verdict:
    """The ports of Lustre are open to security groups and private ranges only."""

    def one(rule: GroupRule) -> Verdict:
        if not rule.reach().touches(_LUSTRE_PORTS):
            return NOT_APPLICABLE
        addresses = rule.addresses()
        found = public_range(addresses)
        if found is not None:
            return fail(f"{rule.path} opens {rule.reach()} to {found}, which is not private", path=rule.path)
        return refuse_world(addresses, rule.reach, (), rule.path)

    return judge_rules(it, one, inward=True)


RULES.row(
    "aws-sg-description",
    "A security group says what it is for.",
    on=GROUP,
    check=NoneOf("description", ("Managed by Pulumi", "Managed by Terraform")),
    weight=LOW,
    why="In an incident nobody dares to close a group that does not say who needs it.",
    fix="Set description to who reaches what; a group that stands is replaced, for AWS cannot change its description.",
    peers="CKV_AWS_23 AWS-0099 AWS-0124",
)
RULES.row(
    "aws-default-sg-closed",
    "The default security group of a VPC has no rules.",
    on=_VPC,
    check=Joined(
        ((DEFAULT_GROUP, "vpcId"),),
        "no resource empties the default security group",
        All(Absent("ingress"), Absent("egress")),
    ),
    weight=MEDIUM,
    why="What is launched without a group lands in this one, whose members all reach each other and the internet.",
    fix="Add an aws.ec2.DefaultSecurityGroup with the VPC's vpcId and with neither ingress nor egress.",
    peers="CKV2_AWS_12 AWS-0173",
    cis=("AWS 5.3",),
)
RULES.row(
    "aws-subnet-no-public-ip",
    "What is launched in a subnet gets no public address by itself.",
    on=_SUBNET,
    check=Is("mapPublicIpOnLaunch", value=False),
    weight=HIGH,
    why="Each machine that someone starts there is on the internet, held back by its security group alone.",
    fix="Set mapPublicIpOnLaunch to false; NAT gateways and load balancers have addresses of their own.",
    peers="CKV_AWS_130 AWS-0164",
)


@RULES.rule(
    "aws-vpc-not-default",
    on=(_DEFAULT_VPC, "aws:ec2/defaultSubnet:DefaultSubnet", GROUP, _SUBNET),
    reads=(),
    joins=True,
    weight=HIGH,
    why="All subnets of the default VPC are public, and all that anybody ever tried out in the account is in it.",
    fix="Make an aws.ec2.Vpc with private subnets, and give its id as vpcId; what stands must be made anew there.",
    peers="CKV_AWS_148 AWS-0101",
)
def _default_vpc(it: View, settings: Settings) -> Verdict:
    """Nothing lies in the default VPC of a region."""
    if it.type not in (GROUP, _SUBNET):
        return fail("the program works with the region's default VPC")
    given = Given("vpcId").judge(it, settings)
    if given.outcome is Outcome.FAIL:
        return fail("vpcId is not set, so it lies in the region's default VPC", path="vpcId")
    if given.outcome is Outcome.PASS and it.sources("vpcId", _DEFAULT_VPC):
        return fail("vpcId is that of the region's default VPC", path="vpcId")
    return given


RULES.row(
    "aws-vpc-s3-endpoint",
    "A VPC reaches S3 by a gateway endpoint.",
    on=_VPC,
    check=Joined(
        ((_ENDPOINT, "vpcId"),),
        "no gateway endpoint leads to S3",
        All(Matches("serviceName", r"(cn\.)?com\.amazonaws\.[a-z0-9-]+\.s3"), Is("vpcEndpointType", "Gateway")),
    ),
    weight=MEDIUM,
    why="Data sets go through NAT gateways, which bill each gigabyte, and over public addresses.",
    fix="Add a free aws.ec2.VpcEndpoint for com.amazonaws.REGION.s3, of type Gateway, on the private route tables.",
)


def _account_blocks(it: View, settings: Settings) -> Verdict:
    blocks = it.site.of_type(_ACCOUNT_BLOCK)
    return each(blocks, lambda block: _ALL_FOUR.judge(block, settings))


_ALL_FOUR = All(
    Is("blockPublicAcls", value=True),
    Is("blockPublicPolicy", value=True),
    Is("ignorePublicAcls", value=True),
    Is("restrictPublicBuckets", value=True),
)

RULES.row(
    "aws-s3-block-public",
    "A bucket blocks public access in all four ways.",
    on="aws:s3/bucket:Bucket",
    check=Either(
        Joined(
            (("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", "bucket"),),
            "no public access block closes it",
            _ALL_FOUR,
        ),
        Custom((), _account_blocks, others=True),
    ),
    weight=HIGH,
    why=(
        "One policy or ACL in haste puts the data on the internet; buckets older than April 2023, and those where "
        "someone turned the block off by hand, have nothing that stops it."
    ),
    fix="Add an aws.s3.BucketPublicAccessBlock for the bucket with all four properties true.",
    peers="CKV2_AWS_6 CKV_AWS_53 CKV_AWS_54 CKV_AWS_55 CKV_AWS_56 AWS-0086 AWS-0087 AWS-0091 AWS-0093 AWS-0094",
    cis=("AWS 2.1.5†",),
)
RULES.row(
    "aws-eks-private-endpoint",
    "The API server of a production cluster is reached from its VPC only.",
    on=_CLUSTER,
    check=All(
        Is("vpcConfig.endpointPublicAccess", value=False),
        Is("vpcConfig.endpointPrivateAccess", value=True),
    ),
    weight=HIGH,
    why="A stolen token or a flaw of the API server can be used from anywhere.",
    fix=(
        "Set vpcConfig.endpointPublicAccess to false and endpointPrivateAccess to true; from then on kubectl and "
        "Pulumi need a way into the VPC."
    ),
    peers="CKV_AWS_39 AWS-0040",
    cis=("EKS 5.4.2",),
    in_production=True,
)
RULES.row(
    "aws-eks-public-cidrs",
    "A public API server answers named ranges only.",
    on=_CLUSTER,
    check=Where(Is("vpcConfig.endpointPublicAccess", value=True), NotOpen("vpcConfig.publicAccessCidrs")),
    weight=CRITICAL,
    why="The whole internet may try stolen tokens and new flaws on the API server; without ranges, that is so.",
    fix="Set vpcConfig.publicAccessCidrs to the addresses of offices and runners, or turn the public endpoint off.",
    peers="CKV_AWS_38 AWS-0041",
    cis=("EKS 5.4.1",),
)
RULES.row(
    "aws-eks-ng-no-ssh-world",
    "SSH to the nodes of a group is for named security groups.",
    on="aws:eks/nodeGroup:NodeGroup",
    check=Where(Given("remoteAccess.ec2SshKey"), Given("remoteAccess.sourceSecurityGroupIds")),
    weight=HIGH,
    why="With a key and no groups, EKS opens port 22 of every node to the internet.",
    fix="Set remoteAccess.sourceSecurityGroupIds, or drop remoteAccess for Session Manager; either replaces the group.",
    peers="CKV_AWS_100",
)
RULES.row(
    "aws-lt-no-public-ip",
    "A launch template gives its machines no public address.",
    on=_LAUNCH_TEMPLATE,
    check=IsNot("networkInterfaces[].associatePublicIpAddress", value=True),
    weight=HIGH,
    why=("GPU nodes stand on the internet; with more than one interface, as EFA has it, AWS refuses to launch at all."),
    fix="Set associatePublicIpAddress of each of networkInterfaces to false, and let a NAT gateway carry egress.",
    peers="CKV_AWS_88 AWS-0009",
)


def _has_no_elastic_address(it: View, _: Settings) -> Verdict:
    given = [view.name for type_, path in _ELASTIC for view in it.referrers(type_, path)]
    return allow(not given, f"the elastic address {', '.join(given)} makes it public")


RULES.row(
    "aws-instance-no-public-ip",
    "An instance asks for no public address, and gets none.",
    on=_MACHINES,
    check=All(
        IsNot("associatePublicIpAddress", value=True),
        Custom((), _has_no_elastic_address, others=True),
    ),
    weight=HIGH,
    why="Anybody can knock at it, and a slip in one security group lets them in.",
    fix="Set associatePublicIpAddress to false, which replaces the instance, and give it no Eip; Session Manager needs "
    "no public address.",
    peers="CKV_AWS_88 AWS-0009",
)
RULES.row(
    "aws-sagemaker-nb-no-internet",
    "A notebook reaches the internet by the VPC only.",
    on="aws:sagemaker/notebookInstance:NotebookInstance",
    check=Is("directInternetAccess", "Disabled"),
    weight=HIGH,
    why="Notebooks sit beside the data and run what people paste: by a way out of their own it leaves unseen.",
    fix="Set directInternetAccess to Disabled, with subnetId and securityGroups; it replaces the notebook.",
    peers="CKV_AWS_122",
)
RULES.row(
    "aws-rds-not-public",
    "A database has no public address.",
    on=(
        "aws:rds/instance:Instance",
        "aws:rds/clusterInstance:ClusterInstance",
        "aws:neptune/clusterInstance:ClusterInstance",
        "aws:redshift/cluster:Cluster",
        "aws:redshiftserverless/workgroup:Workgroup",
    ),
    check=IsNot("publiclyAccessible", value=True),
    weight=CRITICAL,
    why="Passwords are tried from all over the world, and one that leaked elsewhere opens everything.",
    fix="Set publiclyAccessible to false; clients outside the VPC then need a VPN or a bastion.",
    peers="CKV_AWS_17 AWS-0180",
    cis=("AWS 2.3.3†",),
)


@RULES.rule(
    "aws-lb-internal",
    on=(*_LOAD_BALANCERS, _CLASSIC),
    reads=("internal",),
    weight=HIGH,
    why="Notebooks, dashboards and model endpoints behind it answer everybody on the internet.",
    fix="Set internal to true, which replaces it; where it shall be public, set the parameter public_load_balancers.",
    peers="AWS-0053",
)
def _internal(it: View, settings: Settings) -> Verdict:
    """A load balancer has private addresses only, unless the stack says that its load balancers are public."""
    if settings.parameters.public_load_balancers or it.text("loadBalancerType") == "gateway":
        return NOT_APPLICABLE
    return allow(it.flag("internal"), "internal is not true, so it faces the internet", path="internal")


RULES.row(
    "aws-lb-drop-headers",
    "An application load balancer drops malformed headers.",
    on=_LOAD_BALANCERS,
    check=Where(Is("loadBalancerType", "application"), Is("dropInvalidHeaderFields", value=True)),
    weight=MEDIUM,
    why="Servers behind it read such headers in their own ways, by which one request is smuggled within another.",
    fix="Set dropInvalidHeaderFields to true; header names with underscores are dropped from then on.",
    peers="CKV_AWS_131 AWS-0052",
)
RULES.row(
    "aws-efs-access-point",
    "An access point has a user of its own other than root, and a directory below the root.",
    on="aws:efs/accessPoint:AccessPoint",
    check=All(Given("posixUser"), IsNot("posixUser.uid", 0), IsNot("rootDirectory.path", "/")),
    weight=MEDIUM,
    why="A pod that is root writes as root over the whole file system, the homes of other teams included.",
    fix="Set posixUser to a uid above 0 and rootDirectory.path to the team's directory; both replace the access point.",
    peers="CKV_AWS_329 CKV_AWS_330",
)

"""Routes between networks on AWS, and what is put into public or default parts of them."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import (
    EC2_DEFAULT_ROUTE_TABLE,
    EC2_DEFAULT_SECURITY_GROUP,
    EC2_INSTANCE,
    EC2_INTERNET_GATEWAY,
    EC2_ROUTE,
    EC2_ROUTE_TABLE,
    EC2_ROUTE_TABLE_ASSOCIATION,
    EC2_SECURITY_GROUP,
    EC2_SECURITY_GROUP_RULE,
    EC2_SPOT_INSTANCE_REQUEST,
    EC2_SUBNET,
    EC2_VPC_ENDPOINT_SERVICE,
    ECS_SERVICE,
    ECS_TASK_DEFINITION,
    RDS_SUBNET_GROUP,
    TRANSFER_SERVER,
    VPC_SECURITY_GROUP_EGRESS_RULE,
    VPC_SECURITY_GROUP_INGRESS_RULE,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, ByType, Custom, Each, Either, Given, Is, IsNot, NoneOf, OneOf, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_TABLES: Final = (EC2_ROUTE_TABLE, EC2_DEFAULT_ROUTE_TABLE)
_INSTANCES: Final = (EC2_INSTANCE, EC2_SPOT_INSTANCE_REQUEST)
_RULES_APART: Final = (
    VPC_SECURITY_GROUP_INGRESS_RULE,
    VPC_SECURITY_GROUP_EGRESS_RULE,
    EC2_SECURITY_GROUP_RULE,
)
_SUBNET_GROUPS: Final = (
    RDS_SUBNET_GROUP,
    "aws:docdb/subnetGroup:SubnetGroup",
    "aws:neptune/subnetGroup:SubnetGroup",
    "aws:elasticache/subnetGroup:SubnetGroup",
    "aws:memorydb/subnetGroup:SubnetGroup",
    "aws:redshift/subnetGroup:SubnetGroup",
    "aws:dms/replicationSubnetGroup:ReplicationSubnetGroup",
)
_WORLD: Final = ("0.0.0.0/0", "::/0")
_PEERED: Final = Given("vpcPeeringConnectionId")

RULES.row(
    "aws-route-peering-narrow",
    "Routes to a peered VPC lead to ranges of that VPC only.",
    on=(EC2_ROUTE, *_TABLES),
    check=ByType(
        {
            EC2_ROUTE: Where(
                _PEERED, All(NoneOf("destinationCidrBlock", _WORLD), NoneOf("destinationIpv6CidrBlock", _WORLD))
            )
        }
        | dict.fromkeys(
            _TABLES,
            Each("routes[]", Where(_PEERED, All(NoneOf("cidrBlock", _WORLD), NoneOf("ipv6CidrBlock", _WORLD)))),
        )
    ),
    severity=MEDIUM,
    rationale="Traffic for the whole internet goes to the other VPC, and its owner sees it or drops it.",
    fix="Set the destination of the route to the CIDR block of the peered VPC, or of the subnet that is needed there.",
    peers="CKV2_AWS_44 KICS:b3a41501",
    cis=("AWS 5.0: 5.6",),
)
RULES.row(
    "aws-tgw-no-auto-accept",
    "A transit gateway waits for approval before other accounts attach their VPCs.",
    on="aws:ec2transitgateway/transitGateway:TransitGateway",
    check=IsNot("autoAcceptSharedAttachments", "enable"),
    severity=MEDIUM,
    rationale="Any account with which the gateway is shared joins its VPC to the network, without approval.",
    fix="Set autoAcceptSharedAttachments to disable, and accept attachments by VpcAttachmentAccepter.",
    peers="CKV_AWS_331",
)
RULES.row(
    "aws-endpoint-service-acceptance",
    "An endpoint service waits for approval before others connect.",
    on=EC2_VPC_ENDPOINT_SERVICE,
    check=Is("acceptanceRequired", value=True),
    severity=LOW,
    rationale="Every account among allowedPrincipals connects as it likes, also one that was forgotten there.",
    fix="Set acceptanceRequired to true, and accept by VpcEndpointConnectionAccepter.",
    peers="CKV_AWS_123",
)


def _lie_in_private_subnets(group: View, _: Settings) -> Verdict:
    subnets = group.found("subnetIds", EC2_SUBNET)
    if not subnets:
        return NOT_APPLICABLE
    public = [subnet.name for subnet in subnets if _is_public(subnet)]
    return allow(not public, f"{', '.join(public)} routes to an internet gateway", path="subnetIds")


def _is_public(subnet: View) -> bool:
    if subnet.flag("mapPublicIpOnLaunch"):
        return True
    tables = (
        table
        for association in subnet.referrers(EC2_ROUTE_TABLE_ASSOCIATION, "subnetId")
        for table in association.found("routeTableId", *_TABLES)
    )
    return any(_leads_out(table) for table in tables)


def _leads_out(table: View) -> bool:
    if table.found("routes[].gatewayId", EC2_INTERNET_GATEWAY):
        return True
    return any(route.found("gatewayId", EC2_INTERNET_GATEWAY) for route in table.referrers(EC2_ROUTE, "routeTableId"))


RULES.row(
    "aws-db-private-subnets",
    "Databases and caches lie in subnets without a route to an internet gateway.",
    on=_SUBNET_GROUPS,
    check=Custom(_lie_in_private_subnets, others=True),
    severity=MEDIUM,
    rationale="One switch, publiclyAccessible, and one rule of a security group put the database on the internet.",
    fix="Set subnetIds to private subnets, whose route table leads to a NAT gateway at most.",
    peers="KICS:2f737336",
)


def _has_own_groups(it: View, _: Settings) -> Verdict:
    if any(key in it for key in ("networkInterfaces", "primaryNetworkInterface", "launchTemplate")):
        return NOT_APPLICABLE
    if "vpcSecurityGroupIds" not in it and "securityGroups" not in it:
        return fail("vpcSecurityGroupIds is not set, so it has the default security group", path="vpcSecurityGroupIds")
    return each(
        ("vpcSecurityGroupIds", "securityGroups"),
        lambda path: allow(not _has_default(it, path), f"{path} has the default security group", path=path),
    )


def _tasks_have_own_groups(it: View, _: Settings) -> Verdict:
    network = it.block("networkConfiguration")
    if network is None:
        return NOT_APPLICABLE
    path = "networkConfiguration.securityGroups"
    if "securityGroups" not in network:
        return fail(f"{path} is not set, so its tasks have the default security group", path=path)
    return allow(not _has_default(it, path), f"{path} has the default security group", path=path)


def _has_default(it: View, path: str) -> bool:
    by_name = any(place.value == "default" for place in it.locations(f"{path}[]"))
    return by_name or any(
        group.type == EC2_DEFAULT_SECURITY_GROUP
        for group in it.found(path, EC2_SECURITY_GROUP, EC2_DEFAULT_SECURITY_GROUP)
    )


RULES.row(
    "aws-ec2-own-security-group",
    "An instance, or a task, has a security group of its own.",
    on=(*_INSTANCES, ECS_SERVICE),
    check=ByType(
        dict.fromkeys(
            _INSTANCES,
            Custom(_has_own_groups, others=True),
        )
        | {ECS_SERVICE: Custom(_tasks_have_own_groups, others=True)}
    ),
    severity=MEDIUM,
    rationale="All that was started without a group shares the default one, and its members reach each other.",
    fix="Create an aws.ec2.SecurityGroup with the ports that are needed, and name it in vpcSecurityGroupIds "
    "(networkConfiguration.securityGroups of a service).",
    peers="KICS:f1adc521 KICS:a31a5a29",
)
RULES.row(
    "aws-sgr-description",
    "A rule of a security group says what it is for.",
    on=(*_RULES_APART, EC2_SECURITY_GROUP),
    check=ByType(
        dict.fromkeys(_RULES_APART, Given("description"))
        | {EC2_SECURITY_GROUP: All(Each("ingress[]", Given("description")), Each("egress[]", Given("description")))}
    ),
    severity=LOW,
    rationale="A review does not show who needs the port, so that it stays open for years.",
    fix="Set description of the rule to who reaches what.",
    peers="CKV_AWS_23 AWS-0124",
)
RULES.row(
    "aws-ecs-own-network",
    "A task has a network interface of its own.",
    on=ECS_TASK_DEFINITION,
    # Instances outside AWS take no other mode (ECS developer guide, external instances).
    check=Where(
        Either(Absent("requiresCompatibilities"), NoneOf("requiresCompatibilities[]", ("EXTERNAL",))),
        NoneOf("networkMode", ("host", "bridge")),
    ),
    severity=MEDIUM,
    rationale="Tasks share the interface and the security groups of their machine, and in host mode its ports too.",
    fix="Set networkMode to awsvpc, and name subnets and security groups in networkConfiguration of the Service; a "
    "new revision of the task definition is made.",
    peers="KICS:9f4a9409",
)
RULES.row(
    "aws-transfer-private",
    "A file transfer server has no public endpoint.",
    on=TRANSFER_SERVER,
    check=OneOf("endpointType", ("VPC", "VPC_ENDPOINT")),
    severity=MEDIUM,
    rationale="Passwords and keys of partners are tried from all over the world, and no security group filters them.",
    fix="Set endpointType to VPC with endpointDetails, and name the ranges of partners in its security group.",
    peers="CKV_AWS_164",
)

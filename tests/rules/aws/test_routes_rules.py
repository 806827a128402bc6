"""Routes and endpoints: ways that lead somewhere."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import (
    DEFAULT_ROUTE_TABLE,
    EIP,
    ENDPOINT_ROUTE_TABLE_ASSOCIATION,
    INGRESS_RULE,
    INTERNET_GATEWAY,
    MAIN_ROUTE_TABLE_ASSOCIATION,
    NAT_GATEWAY,
    NODE_GROUP,
    ROUTE,
    ROUTE_PROPAGATION,
    ROUTE_TABLE,
    ROUTE_TABLE_ASSOCIATION,
    SECURITY_GROUP,
    SUBNET,
    VPC,
    VPC_ENDPOINT,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

EVERYWHERE = "0.0.0.0/0"
OUT = {"destinationCidrBlock": EVERYWHERE, "routeTableId": Ref("table")}


def network(*, vpc: str = "vpc", associated: bool = True, **more: Any) -> Program:
    """A subnet with a route table and a gateway to the internet."""
    association = {"association": (ROUTE_TABLE_ASSOCIATION, {"subnetId": Ref("subnet"), "routeTableId": Ref("table")})}
    return {
        "vpc": (VPC, {}),
        "other": (VPC, {}),
        "gateway": (INTERNET_GATEWAY, {"vpcId": Ref(vpc)}),
        "subnet": (SUBNET, {"vpcId": Ref("vpc"), "availabilityZone": "us-east-1a"}),
        "table": (ROUTE_TABLE, {"vpcId": Ref("vpc")}),
        **(association if associated else {}),
        **more,
    }


def nat(**inputs: Any) -> dict[str, Any]:
    """A NAT gateway in the subnet."""
    return {"it": (NAT_GATEWAY, {"subnetId": Ref("subnet"), "allocationId": "eipalloc-1", **inputs})}


def lone(**inputs: Any) -> Program:
    """A NAT gateway in a subnet outside the program."""
    return nat(subnetId="subnet-1", **inputs)


WAY_OUT: dict[str, Any] = {"out": (ROUTE, {**OUT, "gatewayId": Ref("gateway")})}
WRONG_WAY: dict[str, Any] = {"out": (ROUTE, {**OUT, "natGatewayId": "nat-0123456789abcdef0"})}
THROUGH_FIREWALL: dict[str, Any] = {"out": (ROUTE, {**OUT, "vpcEndpointId": "vpce-0123456789abcdef0"})}
LEARNT: dict[str, Any] = {"vpn": (ROUTE_PROPAGATION, {"routeTableId": Ref("table"), "vpnGatewayId": "vgw-1"})}
LEARNING: dict[str, Any] = {"table": (ROUTE_TABLE, {"vpcId": Ref("vpc"), "propagatingVgws": ["vgw-1"]})}
INLINE: dict[str, Any] = {
    "table": (ROUTE_TABLE, {"vpcId": Ref("vpc"), "routes": [{"cidrBlock": EVERYWHERE, "gatewayId": Ref("gateway")}]})
}
MAIN: dict[str, Any] = {"main": (MAIN_ROUTE_TABLE_ASSOCIATION, {"vpcId": Ref("vpc"), "routeTableId": Ref("table")})}
NODES: dict[str, Any] = {"it": (NODE_GROUP, {"subnetIds": [Ref("subnet")]})}
CLOSED: dict[str, Any] = {"ecr": (VPC_ENDPOINT, {"vpcId": Ref("vpc"), "vpcEndpointType": "Interface"})}


def route(**inputs: Any) -> Program:
    """A single route."""
    return {"it": (ROUTE, {"routeTableId": "rtb-1", "destinationCidrBlock": EVERYWHERE, **inputs})}


def table(*routes: Any, **more: Any) -> Program:
    """A table with routes of its own."""
    return {"it": (ROUTE_TABLE, {"vpcId": Ref("vpc"), "routes": list(routes) or None}), "vpc": (VPC, {}), **more}


def beside(**inputs: Any) -> tuple[str, dict[str, Any]]:
    """A route beside the table."""
    return ROUTE, {"routeTableId": Ref("it"), "destinationCidrBlock": EVERYWHERE, **inputs}


LOCAL = {"cidrBlock": "10.1.0.0/16", "vpcPeeringConnectionId": "pcx-1"}
DEFAULT = {"cidrBlock": EVERYWHERE, "gatewayId": Ref("gateway")}
GATEWAY: dict[str, Any] = {"gateway": (INTERNET_GATEWAY, {"vpcId": Ref("vpc")})}
STRANGE: dict[str, Any] = {"gateway": (INTERNET_GATEWAY, {"vpcId": Ref("other")}), "other": (VPC, {})}


def associated(*tables: str, vpc: str = "vpc") -> Program:
    """A subnet with associations."""
    return {
        "vpc": (VPC, {}),
        "other": (VPC, {}),
        "it": (SUBNET, {"vpcId": Ref("vpc")}),
        **{each: (ROUTE_TABLE, {"vpcId": Ref(vpc)}) for each in tables},
        **{
            f"to-{each}": (ROUTE_TABLE_ASSOCIATION, {"subnetId": Ref("it"), "routeTableId": Ref(each)})
            for each in tables
        },
    }


def endpoint(service: Any = "s3", **inputs: Any) -> Program:
    """An endpoint."""
    name = service if service is UNKNOWN or service.startswith("com.") else f"com.amazonaws.us-east-1.{service}"
    return {"it": (VPC_ENDPOINT, {"serviceName": name, **inputs})}


def guarded(*ingress: Any, service: str = "ecr.api") -> Program:
    """An interface endpoint behind a security group."""
    return {
        "group": (SECURITY_GROUP, {"ingress": list(ingress)}),
        **endpoint(service, vpcEndpointType="Interface", securityGroupIds=[Ref("group")]),
    }


def placed(*zones: Any) -> Program:
    """An interface endpoint in subnets."""
    return {
        **{f"s{rank}": (SUBNET, {"availabilityZone": zone}) for rank, zone in enumerate(zones)},
        **endpoint("ecr.api", subnetIds=[Ref(f"s{rank}") for rank in range(len(zones))] or None),
    }


HTTPS = {"protocol": "tcp", "fromPort": 443, "toPort": 443, "cidrBlocks": ["10.0.0.0/16"]}
SHARED: dict[str, Any] = {"address": (EIP, {}), "first": (NAT_GATEWAY, {"allocationId": Ref("address")})}

CASES = [
    Case("aws-nat-internet-route", PASS, network(**WAY_OUT, **nat())),
    Case("aws-nat-internet-route", PASS, network(**WAY_OUT, **nat()), preview=True),
    Case("aws-nat-internet-route", PASS, {**network(**nat()), **INLINE}),
    Case("aws-nat-internet-route", PASS, network(associated=False, **MAIN, **WAY_OUT, **nat())),
    Case("aws-nat-internet-route", PASS, network(**THROUGH_FIREWALL, **nat())),
    Case("aws-nat-internet-route", FAIL, network(**WRONG_WAY, **nat()), path="subnetId", says="internet gateway"),
    Case("aws-nat-internet-route", FAIL, network(**WRONG_WAY, **nat()), path="subnetId", preview=True),
    Case("aws-nat-internet-route", FAIL, network(associated=False, **WAY_OUT, **nat()), path="subnetId"),
    Case("aws-nat-internet-route", CANNOT_TELL, network(**nat(subnetId="subnet-1"))),
    Case("aws-nat-internet-route", CANNOT_TELL, network(associated=False, default=(DEFAULT_ROUTE_TABLE, {}), **nat())),
    Case("aws-nat-internet-route", NOT_APPLICABLE, network(**nat(connectivityType="private"))),
    Case("aws-nat-elastic-ip", PASS, lone()),
    Case("aws-nat-elastic-ip", PASS, lone(allocationId=UNKNOWN)),
    Case("aws-nat-elastic-ip", PASS, lone(allocationId=None, connectivityType="private")),
    Case("aws-nat-elastic-ip", FAIL, lone(allocationId=None), path="allocationId", says="Eip"),
    Case("aws-nat-elastic-ip", FAIL, lone(connectivityType="private"), path="allocationId", says="Leave"),
    Case("aws-nat-elastic-ip", CANNOT_TELL, lone(connectivityType=UNKNOWN)),
    Case("aws-nat-elastic-ip", NOT_APPLICABLE, lone(availabilityMode="regional", allocationId=None)),
    Case(
        "aws-nat-elastic-ip-unique", PASS, {"address": (EIP, {}), "it": (NAT_GATEWAY, {"allocationId": Ref("address")})}
    ),
    Case(
        "aws-nat-elastic-ip-unique",
        FAIL,
        {**SHARED, "it": (NAT_GATEWAY, {"allocationId": Ref("address")})},
        path="allocationId",
        preview=True,
    ),
    Case("aws-nat-elastic-ip-unique", CANNOT_TELL, {"it": (NAT_GATEWAY, {"allocationId": UNKNOWN})}),
    Case("aws-nat-elastic-ip-unique", NOT_APPLICABLE, {"it": (NAT_GATEWAY, {})}),
    Case("aws-route-one-target", PASS, route(gatewayId="igw-1")),
    Case("aws-route-one-target", PASS, route(natGatewayId=UNKNOWN)),
    Case("aws-route-one-target", FAIL, route(), path="gatewayId", says="one target"),
    Case("aws-route-one-target", FAIL, route(gatewayId="igw-1", natGatewayId="nat-1"), path="natGatewayId"),
    Case("aws-route-one-target", CANNOT_TELL, route(gatewayId="igw-1", natGatewayId=UNKNOWN)),
    Case(
        "aws-route-one-target", FAIL, route(destinationCidrBlock=None, gatewayId="igw-1"), path="destinationCidrBlock"
    ),
    Case("aws-route-one-target", NOT_APPLICABLE, table()),
    Case("aws-route-destination-unique", PASS, table(DEFAULT, LOCAL, **GATEWAY)),
    Case(
        "aws-route-destination-unique",
        FAIL,
        table(DEFAULT, DEFAULT, **GATEWAY),
        path="routes[1].cidrBlock",
        says="0.0.0.0/0",
    ),
    Case(
        "aws-route-destination-unique", FAIL, table(a=beside(), b=beside()), path="destinationCidrBlock", preview=True
    ),
    Case("aws-route-destination-unique", CANNOT_TELL, table(a=beside(destinationCidrBlock=UNKNOWN))),
    Case("aws-route-destination-unique", NOT_APPLICABLE, table()),
    Case("aws-route-inline-or-separate", PASS, table(LOCAL)),
    Case("aws-route-inline-or-separate", FAIL, table(LOCAL, extra=beside()), path="routes", says="extra"),
    Case("aws-route-inline-or-separate", CANNOT_TELL, table(LOCAL, extra=beside(routeTableId=UNKNOWN))),
    Case("aws-route-inline-or-separate", NOT_APPLICABLE, table(extra=beside())),
    Case("aws-route-gateway-same-vpc", PASS, table(DEFAULT, **GATEWAY)),
    Case("aws-route-gateway-same-vpc", PASS, table(a=beside(gatewayId=Ref("gateway")), **GATEWAY), preview=True),
    Case("aws-route-gateway-same-vpc", FAIL, table(DEFAULT, **STRANGE), path="routes[0].gatewayId", says="another VPC"),
    Case(
        "aws-route-gateway-same-vpc",
        FAIL,
        table(a=beside(gatewayId=Ref("gateway")), **STRANGE),
        path="gatewayId",
        preview=True,
    ),
    Case("aws-route-gateway-same-vpc", CANNOT_TELL, table({"cidrBlock": EVERYWHERE, "gatewayId": UNKNOWN})),
    Case("aws-route-gateway-same-vpc", NOT_APPLICABLE, table(LOCAL)),
    Case("aws-subnet-one-route-table", PASS, associated("a")),
    Case("aws-subnet-one-route-table", FAIL, associated("a", "b"), path="subnetId", says="to-a"),
    Case("aws-subnet-one-route-table", FAIL, associated("a", vpc="other"), path="routeTableId", says="another VPC"),
    Case(
        "aws-subnet-one-route-table",
        CANNOT_TELL,
        {**associated(), "x": (ROUTE_TABLE_ASSOCIATION, {"subnetId": UNKNOWN})},
    ),
    Case("aws-subnet-one-route-table", NOT_APPLICABLE, associated()),
    Case("aws-eks-node-egress", PASS, network(**WRONG_WAY, **NODES), preview=True),
    Case("aws-eks-node-egress", PASS, network(**CLOSED, **NODES)),
    Case("aws-eks-node-egress", FAIL, network(**NODES), path="subnetIds", says="NAT gateway"),
    Case("aws-eks-node-egress", FAIL, network(associated=False, **NODES), path="subnetIds", preview=True),
    Case("aws-eks-node-egress", CANNOT_TELL, {"it": (NODE_GROUP, {"subnetIds": ["subnet-1"]})}),
    Case("aws-eks-node-egress", CANNOT_TELL, network(**LEARNT, **NODES)),
    Case("aws-eks-node-egress", CANNOT_TELL, {**network(**NODES), **LEARNING}),
    Case("aws-eks-node-egress", NOT_APPLICABLE, {"it": (NODE_GROUP, {})}),
    Case("aws-endpoint-gateway-service", PASS, endpoint()),
    Case("aws-endpoint-gateway-service", PASS, endpoint("dynamodb", vpcEndpointType="Gateway")),
    Case("aws-endpoint-gateway-service", FAIL, endpoint("ecr.api"), path="vpcEndpointType", says="Interface"),
    Case("aws-endpoint-gateway-service", CANNOT_TELL, endpoint(UNKNOWN)),
    Case("aws-endpoint-gateway-service", NOT_APPLICABLE, endpoint("ecr.api", vpcEndpointType="Interface")),
    Case("aws-endpoint-type-fields", PASS, endpoint(routeTableIds=["rtb-1"], privateDnsEnabled=False)),
    Case("aws-endpoint-type-fields", FAIL, endpoint(subnetIds=["subnet-1"]), path="subnetIds"),
    Case(
        "aws-endpoint-type-fields",
        FAIL,
        endpoint(vpcEndpointType="Interface", routeTableIds=["rtb-1"]),
        path="routeTableIds",
    ),
    Case("aws-endpoint-type-fields", CANNOT_TELL, endpoint(vpcEndpointType=UNKNOWN)),
    Case("aws-endpoint-type-fields", NOT_APPLICABLE, endpoint(vpcEndpointType="GatewayLoadBalancer")),
    Case("aws-endpoint-https-ingress", PASS, guarded(HTTPS)),
    Case("aws-endpoint-https-ingress", PASS, guarded({"protocol": "-1", "self": True})),
    Case("aws-endpoint-https-ingress", FAIL, guarded({**HTTPS, "fromPort": 80, "toPort": 80}), path="securityGroupIds"),
    Case("aws-endpoint-https-ingress", FAIL, guarded(), path="securityGroupIds", says="443", preview=True),
    Case(
        "aws-endpoint-https-ingress",
        PASS,
        {**guarded(), "in": (INGRESS_RULE, {"securityGroupId": Ref("group"), "ipProtocol": "-1"})},
        preview=True,
    ),
    Case(
        "aws-endpoint-https-ingress",
        CANNOT_TELL,
        endpoint("ecr.api", vpcEndpointType="Interface", securityGroupIds=["sg-1"]),
    ),
    Case("aws-endpoint-https-ingress", NOT_APPLICABLE, endpoint()),
    Case("aws-endpoint-https-ingress", NOT_APPLICABLE, guarded(service="email-smtp")),
    Case(
        "aws-endpoint-https-ingress",
        NOT_APPLICABLE,
        guarded(service="com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0"),
    ),
    Case("aws-endpoint-gateway-route-table", PASS, endpoint(routeTableIds=["rtb-1"])),
    Case(
        "aws-endpoint-gateway-route-table",
        PASS,
        {**endpoint(), "x": (ENDPOINT_ROUTE_TABLE_ASSOCIATION, {"vpcEndpointId": Ref("it"), "routeTableId": "rtb-1"})},
    ),
    Case("aws-endpoint-gateway-route-table", FAIL, endpoint(), path="routeTableIds"),
    Case("aws-endpoint-gateway-route-table", CANNOT_TELL, endpoint(routeTableIds=UNKNOWN)),
    Case("aws-endpoint-gateway-route-table", NOT_APPLICABLE, endpoint(vpcEndpointType="Interface")),
    Case("aws-endpoint-subnet-per-zone", PASS, placed("us-east-1a", "us-east-1b")),
    Case("aws-endpoint-subnet-per-zone", FAIL, placed("us-east-1a", "us-east-1a"), path="subnetIds", says="us-east-1a"),
    Case("aws-endpoint-subnet-per-zone", CANNOT_TELL, placed("us-east-1a", None)),
    Case("aws-endpoint-subnet-per-zone", NOT_APPLICABLE, placed()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_route_rule_says_what_aws_would(case: Case) -> None:
    check(case)

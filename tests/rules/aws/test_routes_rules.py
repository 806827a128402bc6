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
    Case("AWS-NAT-001", PASS, network(**WAY_OUT, **nat())),
    Case("AWS-NAT-001", PASS, network(**WAY_OUT, **nat()), preview=True),
    Case("AWS-NAT-001", PASS, {**network(**nat()), **INLINE}),
    Case("AWS-NAT-001", PASS, network(associated=False, **MAIN, **WAY_OUT, **nat())),
    Case("AWS-NAT-001", PASS, network(**THROUGH_FIREWALL, **nat())),
    Case("AWS-NAT-001", FAIL, network(**WRONG_WAY, **nat()), path="subnetId", says="internet gateway"),
    Case("AWS-NAT-001", FAIL, network(**WRONG_WAY, **nat()), path="subnetId", preview=True),
    Case("AWS-NAT-001", FAIL, network(associated=False, **WAY_OUT, **nat()), path="subnetId"),
    Case("AWS-NAT-001", CANNOT_TELL, network(**nat(subnetId="subnet-1"))),
    Case("AWS-NAT-001", CANNOT_TELL, network(associated=False, default=(DEFAULT_ROUTE_TABLE, {}), **nat())),
    Case("AWS-NAT-001", NOT_APPLICABLE, network(**nat(connectivityType="private"))),
    Case("AWS-NAT-002", PASS, lone()),
    Case("AWS-NAT-002", PASS, lone(allocationId=UNKNOWN)),
    Case("AWS-NAT-002", PASS, lone(allocationId=None, connectivityType="private")),
    Case("AWS-NAT-002", FAIL, lone(allocationId=None), path="allocationId", says="Eip"),
    Case("AWS-NAT-002", FAIL, lone(connectivityType="private"), path="allocationId", says="Leave"),
    Case("AWS-NAT-002", CANNOT_TELL, lone(connectivityType=UNKNOWN)),
    Case("AWS-NAT-002", NOT_APPLICABLE, lone(availabilityMode="regional", allocationId=None)),
    Case("AWS-NAT-003", PASS, {"address": (EIP, {}), "it": (NAT_GATEWAY, {"allocationId": Ref("address")})}),
    Case(
        "AWS-NAT-003",
        FAIL,
        {**SHARED, "it": (NAT_GATEWAY, {"allocationId": Ref("address")})},
        path="allocationId",
        preview=True,
    ),
    Case("AWS-NAT-003", CANNOT_TELL, {"it": (NAT_GATEWAY, {"allocationId": UNKNOWN})}),
    Case("AWS-NAT-003", NOT_APPLICABLE, {"it": (NAT_GATEWAY, {})}),
    Case("AWS-ROUTE-001", PASS, route(gatewayId="igw-1")),
    Case("AWS-ROUTE-001", PASS, route(natGatewayId=UNKNOWN)),
    Case("AWS-ROUTE-001", FAIL, route(), path="gatewayId", says="one target"),
    Case("AWS-ROUTE-001", FAIL, route(gatewayId="igw-1", natGatewayId="nat-1"), path="natGatewayId"),
    Case("AWS-ROUTE-001", CANNOT_TELL, route(gatewayId="igw-1", natGatewayId=UNKNOWN)),
    Case("AWS-ROUTE-001", FAIL, route(destinationCidrBlock=None, gatewayId="igw-1"), path="destinationCidrBlock"),
    Case("AWS-ROUTE-001", NOT_APPLICABLE, table()),
    Case("AWS-ROUTE-002", PASS, table(DEFAULT, LOCAL, **GATEWAY)),
    Case("AWS-ROUTE-002", FAIL, table(DEFAULT, DEFAULT, **GATEWAY), path="routes[1].cidrBlock", says="0.0.0.0/0"),
    Case("AWS-ROUTE-002", FAIL, table(a=beside(), b=beside()), path="destinationCidrBlock", preview=True),
    Case("AWS-ROUTE-002", CANNOT_TELL, table(a=beside(destinationCidrBlock=UNKNOWN))),
    Case("AWS-ROUTE-002", NOT_APPLICABLE, table()),
    Case("AWS-ROUTE-003", PASS, table(LOCAL)),
    Case("AWS-ROUTE-003", FAIL, table(LOCAL, extra=beside()), path="routes", says="extra"),
    Case("AWS-ROUTE-003", CANNOT_TELL, table(LOCAL, extra=beside(routeTableId=UNKNOWN))),
    Case("AWS-ROUTE-003", NOT_APPLICABLE, table(extra=beside())),
    Case("AWS-ROUTE-004", PASS, table(DEFAULT, **GATEWAY)),
    Case("AWS-ROUTE-004", PASS, table(a=beside(gatewayId=Ref("gateway")), **GATEWAY), preview=True),
    Case("AWS-ROUTE-004", FAIL, table(DEFAULT, **STRANGE), path="routes[0].gatewayId", says="another VPC"),
    Case("AWS-ROUTE-004", FAIL, table(a=beside(gatewayId=Ref("gateway")), **STRANGE), path="gatewayId", preview=True),
    Case("AWS-ROUTE-004", CANNOT_TELL, table({"cidrBlock": EVERYWHERE, "gatewayId": UNKNOWN})),
    Case("AWS-ROUTE-004", NOT_APPLICABLE, table(LOCAL)),
    Case("AWS-ROUTE-005", PASS, associated("a")),
    Case("AWS-ROUTE-005", FAIL, associated("a", "b"), path="subnetId", says="to-a"),
    Case("AWS-ROUTE-005", FAIL, associated("a", vpc="other"), path="routeTableId", says="another VPC"),
    Case("AWS-ROUTE-005", CANNOT_TELL, {**associated(), "x": (ROUTE_TABLE_ASSOCIATION, {"subnetId": UNKNOWN})}),
    Case("AWS-ROUTE-005", NOT_APPLICABLE, associated()),
    Case("AWS-ROUTE-006", PASS, network(**WRONG_WAY, **NODES), preview=True),
    Case("AWS-ROUTE-006", PASS, network(**CLOSED, **NODES)),
    Case("AWS-ROUTE-006", FAIL, network(**NODES), path="subnetIds", says="NAT gateway"),
    Case("AWS-ROUTE-006", FAIL, network(associated=False, **NODES), path="subnetIds", preview=True),
    Case("AWS-ROUTE-006", CANNOT_TELL, {"it": (NODE_GROUP, {"subnetIds": ["subnet-1"]})}),
    Case("AWS-ROUTE-006", CANNOT_TELL, network(**LEARNT, **NODES)),
    Case("AWS-ROUTE-006", CANNOT_TELL, {**network(**NODES), **LEARNING}),
    Case("AWS-ROUTE-006", NOT_APPLICABLE, {"it": (NODE_GROUP, {})}),
    Case("AWS-ENDPOINT-001", PASS, endpoint()),
    Case("AWS-ENDPOINT-001", PASS, endpoint("dynamodb", vpcEndpointType="Gateway")),
    Case("AWS-ENDPOINT-001", FAIL, endpoint("ecr.api"), path="vpcEndpointType", says="Interface"),
    Case("AWS-ENDPOINT-001", CANNOT_TELL, endpoint(UNKNOWN)),
    Case("AWS-ENDPOINT-001", NOT_APPLICABLE, endpoint("ecr.api", vpcEndpointType="Interface")),
    Case("AWS-ENDPOINT-002", PASS, endpoint(routeTableIds=["rtb-1"], privateDnsEnabled=False)),
    Case("AWS-ENDPOINT-002", FAIL, endpoint(subnetIds=["subnet-1"]), path="subnetIds"),
    Case(
        "AWS-ENDPOINT-002", FAIL, endpoint(vpcEndpointType="Interface", routeTableIds=["rtb-1"]), path="routeTableIds"
    ),
    Case("AWS-ENDPOINT-002", CANNOT_TELL, endpoint(vpcEndpointType=UNKNOWN)),
    Case("AWS-ENDPOINT-002", NOT_APPLICABLE, endpoint(vpcEndpointType="GatewayLoadBalancer")),
    Case("AWS-ENDPOINT-003", PASS, guarded(HTTPS)),
    Case("AWS-ENDPOINT-003", PASS, guarded({"protocol": "-1", "self": True})),
    Case("AWS-ENDPOINT-003", FAIL, guarded({**HTTPS, "fromPort": 80, "toPort": 80}), path="securityGroupIds"),
    Case("AWS-ENDPOINT-003", FAIL, guarded(), path="securityGroupIds", says="443", preview=True),
    Case(
        "AWS-ENDPOINT-003",
        PASS,
        {**guarded(), "in": (INGRESS_RULE, {"securityGroupId": Ref("group"), "ipProtocol": "-1"})},
        preview=True,
    ),
    Case("AWS-ENDPOINT-003", CANNOT_TELL, endpoint("ecr.api", vpcEndpointType="Interface", securityGroupIds=["sg-1"])),
    Case("AWS-ENDPOINT-003", NOT_APPLICABLE, endpoint()),
    Case("AWS-ENDPOINT-003", NOT_APPLICABLE, guarded(service="email-smtp")),
    Case(
        "AWS-ENDPOINT-003", NOT_APPLICABLE, guarded(service="com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0")
    ),
    Case("AWS-ENDPOINT-004", PASS, endpoint(routeTableIds=["rtb-1"])),
    Case(
        "AWS-ENDPOINT-004",
        PASS,
        {**endpoint(), "x": (ENDPOINT_ROUTE_TABLE_ASSOCIATION, {"vpcEndpointId": Ref("it"), "routeTableId": "rtb-1"})},
    ),
    Case("AWS-ENDPOINT-004", FAIL, endpoint(), path="routeTableIds"),
    Case("AWS-ENDPOINT-004", CANNOT_TELL, endpoint(routeTableIds=UNKNOWN)),
    Case("AWS-ENDPOINT-004", NOT_APPLICABLE, endpoint(vpcEndpointType="Interface")),
    Case("AWS-ENDPOINT-005", PASS, placed("us-east-1a", "us-east-1b")),
    Case("AWS-ENDPOINT-005", FAIL, placed("us-east-1a", "us-east-1a"), path="subnetIds", says="us-east-1a"),
    Case("AWS-ENDPOINT-005", CANNOT_TELL, placed("us-east-1a", None)),
    Case("AWS-ENDPOINT-005", NOT_APPLICABLE, placed()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_route_rule_says_what_aws_would(case: Case) -> None:
    check(case)

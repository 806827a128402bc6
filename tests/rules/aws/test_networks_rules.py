"""Networks: ranges, zones and names."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import CIDR_ASSOCIATION, CLUSTER, INTERNET_GATEWAY, PEERING, SUBNET, VPC, VPC_ENDPOINT

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def vpc(**inputs: Any) -> Program:
    """A VPC."""
    return {"it": (VPC, {"cidrBlock": "10.0.0.0/16", **inputs})}


def subnet(cidr: Any, *, network: Any = "10.0.0.0/16", **more: Any) -> Program:
    """A subnet in a VPC."""
    return {"vpc": (VPC, {"cidrBlock": network}), "it": (SUBNET, {"vpcId": Ref("vpc"), "cidrBlock": cidr}), **more}


def subnets(*ranges: Any) -> Program:
    """A VPC with subnets."""
    return {
        **vpc(),
        **{f"s{rank}": (SUBNET, {"vpcId": Ref("it"), "cidrBlock": cidr}) for rank, cidr in enumerate(ranges)},
    }


def zoned(zone: Any, **inputs: Any) -> Program:
    """A subnet in a zone."""
    return {"it": (SUBNET, {"availabilityZone": zone, **inputs})}


def among(*zones: str) -> Program:
    """Subnets of one VPC, the last of them judged, where nobody knows the region."""
    *others, last = zones
    return {
        "vpc": (VPC, {}),
        **{zone: (SUBNET, {"vpcId": Ref("vpc"), "availabilityZone": zone}) for zone in others},
        **zoned(last, vpcId=Ref("vpc")),
    }


def resolving(user: tuple[str, dict[str, Any]], **inputs: Any) -> Program:
    """A VPC with something in it."""
    return {**vpc(**inputs), "subnet": (SUBNET, {"vpcId": Ref("it")}), "user": user}


SECOND = {"second": (CIDR_ASSOCIATION, {"vpcId": Ref("vpc"), "cidrBlock": "100.64.0.0/16"})}
CHOSEN = {"second": (CIDR_ASSOCIATION, {"vpcId": Ref("vpc"), "ipv4IpamPoolId": "ipam-1"})}
ENDPOINT = (VPC_ENDPOINT, {"vpcId": Ref("it"), "privateDnsEnabled": True})
PRIVATE = (CLUSTER, {"vpcConfig": {"subnetIds": [Ref("subnet")], "endpointPrivateAccess": True}})
PUBLIC = (CLUSTER, {"vpcConfig": {"subnetIds": [Ref("subnet")]}})


def peers(first: Any, second: Any) -> Program:
    """Two VPCs that are peered."""
    return {
        "a": (VPC, {"cidrBlock": first}),
        "b": (VPC, {"cidrBlock": second}),
        "it": (PEERING, {"vpcId": Ref("a"), "peerVpcId": Ref("b")}),
    }


CASES = [
    Case("AWS-VPC-001", PASS, vpc()),
    Case("AWS-VPC-001", PASS, {"it": (SUBNET, {"cidrBlock": "10.0.0.16/28"})}),
    Case("AWS-VPC-001", FAIL, vpc(cidrBlock="10.0.0.0/8"), path="cidrBlock", says="10.0.0.0/16"),
    Case("AWS-VPC-001", FAIL, {"it": (SUBNET, {"cidrBlock": "10.0.0.0/29"})}, path="cidrBlock", says="/28"),
    Case("AWS-VPC-001", FAIL, vpc(cidrBlock="10.0.5.0/16"), path="cidrBlock", says="Write 10.0.0.0/16"),
    Case("AWS-VPC-001", FAIL, vpc(cidrBlock="ten"), path="cidrBlock"),
    Case("AWS-VPC-001", CANNOT_TELL, vpc(cidrBlock=UNKNOWN)),
    Case("AWS-VPC-001", NOT_APPLICABLE, vpc(cidrBlock=None, ipv4IpamPoolId="ipam-1")),
    Case("AWS-VPC-001", NOT_APPLICABLE, vpc(cidrBlock="", ipv4IpamPoolId="ipam-1")),
    Case("AWS-VPC-002", PASS, subnet("10.0.64.0/18")),
    Case("AWS-VPC-002", PASS, subnet("100.64.0.0/18", **SECOND)),
    Case("AWS-VPC-002", PASS, subnet("10.0.64.0/18"), preview=True),
    Case("AWS-VPC-002", FAIL, subnet("10.1.0.0/18"), path="cidrBlock", says="10.0.0.0/16"),
    Case("AWS-VPC-002", FAIL, subnet("10.1.0.0/18"), path="cidrBlock", preview=True),
    Case("AWS-VPC-002", FAIL, subnet("10.1.0.0/18", **SECOND), path="cidrBlock", says="100.64.0.0/16"),
    Case("AWS-VPC-002", CANNOT_TELL, subnet("100.64.0.0/18", **CHOSEN)),
    Case("AWS-VPC-002", CANNOT_TELL, {"it": (SUBNET, {"vpcId": "vpc-1", "cidrBlock": "10.1.0.0/18"})}),
    Case("AWS-VPC-002", NOT_APPLICABLE, subnet(None)),
    Case("AWS-VPC-003", PASS, subnets("10.0.0.0/24", "10.0.64.0/18", "10.0.1.0/24")),
    Case("AWS-VPC-003", PASS, subnets("10.0.0.0/24", "10.0.1.0/24"), preview=True),
    Case("AWS-VPC-003", FAIL, subnets("10.0.64.0/18", "10.0.96.0/19"), path="cidrBlock", says="10.0.96.0/19 overlaps"),
    Case("AWS-VPC-003", FAIL, subnets("10.0.96.0/19", "10.0.64.0/18"), path="cidrBlock", says="10.0.64.0/18 overlaps"),
    Case("AWS-VPC-003", FAIL, subnets("10.0.0.0/17", "10.0.1.0/24", "10.0.100.0/24"), path="cidrBlock", says="s0"),
    Case("AWS-VPC-003", CANNOT_TELL, subnets("10.0.0.0/24", UNKNOWN)),
    Case("AWS-VPC-003", NOT_APPLICABLE, vpc()),
    Case("AWS-VPC-004", PASS, zoned("eu-west-1a", region="eu-west-1")),
    Case("AWS-VPC-004", PASS, zoned("us-west-2-lax-1a", region="us-west-2")),
    Case("AWS-VPC-004", FAIL, zoned("eu-west-2a", region="eu-west-1"), path="availabilityZone", says="eu-west-1a"),
    Case("AWS-VPC-004", FAIL, among("eu-west-1a", "eu-west-1b", "us-east-1a"), path="availabilityZone", preview=True),
    Case("AWS-VPC-004", PASS, among("eu-west-1a", "eu-west-1b", "eu-west-1c"), preview=True),
    Case("AWS-VPC-004", CANNOT_TELL, zoned("eu-west-1a")),
    Case("AWS-VPC-004", CANNOT_TELL, {**zoned("eu-west-1a"), "own": ("pulumi:providers:aws", {"profile": "eu"})}),
    Case("AWS-VPC-004", CANNOT_TELL, among("eu-west-1a", "us-east-1a"), preview=True),
    Case("AWS-VPC-004", NOT_APPLICABLE, zoned(None)),
    Case("AWS-VPC-005", PASS, resolving(ENDPOINT, enableDnsHostnames=True)),
    Case("AWS-VPC-005", PASS, resolving(PRIVATE, enableDnsHostnames=True), preview=True),
    Case("AWS-VPC-005", FAIL, resolving(ENDPOINT), path="enableDnsHostnames", says="to true"),
    Case(
        "AWS-VPC-005",
        FAIL,
        resolving(PRIVATE, enableDnsHostnames=True, enableDnsSupport=False),
        path="enableDnsSupport",
    ),
    Case("AWS-VPC-005", CANNOT_TELL, resolving(ENDPOINT, enableDnsHostnames=UNKNOWN)),
    Case("AWS-VPC-005", NOT_APPLICABLE, resolving(PUBLIC)),
    Case("AWS-VPC-006", PASS, vpc()),
    Case("AWS-VPC-006", FAIL, vpc(cidrBlock="169.254.0.0/16"), path="cidrBlock"),
    Case("AWS-VPC-006", FAIL, vpc(cidrBlock="127.0.0.0/16"), path="cidrBlock"),
    Case("AWS-VPC-006", CANNOT_TELL, vpc(cidrBlock=UNKNOWN)),
    Case("AWS-VPC-006", NOT_APPLICABLE, vpc(cidrBlock=None)),
    Case("AWS-VPC-007", PASS, peers("10.0.0.0/16", "10.1.0.0/16")),
    Case("AWS-VPC-007", FAIL, peers("10.0.0.0/16", "10.0.128.0/20"), path="peerVpcId", says="10.0.128.0/20"),
    Case("AWS-VPC-007", CANNOT_TELL, {"it": (PEERING, {"vpcId": "vpc-1", "peerVpcId": "vpc-2"})}),
    Case("AWS-VPC-007", NOT_APPLICABLE, {"it": (PEERING, {})}),
    Case("AWS-VPC-008", PASS, {**vpc(), "a": (INTERNET_GATEWAY, {"vpcId": Ref("it")})}),
    Case(
        "AWS-VPC-008",
        FAIL,
        {**vpc(), "a": (INTERNET_GATEWAY, {"vpcId": Ref("it")}), "b": (INTERNET_GATEWAY, {"vpcId": Ref("it")})},
        path="vpcId",
        says="a is attached",
    ),
    Case("AWS-VPC-008", CANNOT_TELL, {**vpc(), "a": (INTERNET_GATEWAY, {"vpcId": UNKNOWN})}),
    Case("AWS-VPC-008", NOT_APPLICABLE, vpc()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_network_rule_says_what_aws_would(case: Case) -> None:
    check(case)

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
    Case("aws-vpc-cidr-size", PASS, vpc()),
    Case("aws-vpc-cidr-size", PASS, {"it": (SUBNET, {"cidrBlock": "10.0.0.16/28"})}),
    Case("aws-vpc-cidr-size", FAIL, vpc(cidrBlock="10.0.0.0/8"), path="cidrBlock", says="10.0.0.0/16"),
    Case("aws-vpc-cidr-size", FAIL, {"it": (SUBNET, {"cidrBlock": "10.0.0.0/29"})}, path="cidrBlock", says="/28"),
    Case("aws-vpc-cidr-size", FAIL, vpc(cidrBlock="10.0.5.0/16"), path="cidrBlock", says="Write 10.0.0.0/16"),
    Case("aws-vpc-cidr-size", FAIL, vpc(cidrBlock="ten"), path="cidrBlock"),
    Case("aws-vpc-cidr-size", CANNOT_TELL, vpc(cidrBlock=UNKNOWN)),
    Case("aws-vpc-cidr-size", NOT_APPLICABLE, vpc(cidrBlock=None, ipv4IpamPoolId="ipam-1")),
    Case("aws-vpc-cidr-size", NOT_APPLICABLE, vpc(cidrBlock="", ipv4IpamPoolId="ipam-1")),
    Case("aws-subnet-in-vpc-cidr", PASS, subnet("10.0.64.0/18")),
    Case("aws-subnet-in-vpc-cidr", PASS, subnet("100.64.0.0/18", **SECOND)),
    Case("aws-subnet-in-vpc-cidr", PASS, subnet("10.0.64.0/18"), preview=True),
    Case("aws-subnet-in-vpc-cidr", FAIL, subnet("10.1.0.0/18"), path="cidrBlock", says="10.0.0.0/16"),
    Case("aws-subnet-in-vpc-cidr", FAIL, subnet("10.1.0.0/18"), path="cidrBlock", preview=True),
    Case("aws-subnet-in-vpc-cidr", FAIL, subnet("10.1.0.0/18", **SECOND), path="cidrBlock", says="100.64.0.0/16"),
    Case("aws-subnet-in-vpc-cidr", CANNOT_TELL, subnet("100.64.0.0/18", **CHOSEN)),
    Case("aws-subnet-in-vpc-cidr", CANNOT_TELL, {"it": (SUBNET, {"vpcId": "vpc-1", "cidrBlock": "10.1.0.0/18"})}),
    Case("aws-subnet-in-vpc-cidr", NOT_APPLICABLE, subnet(None)),
    Case("aws-subnet-no-overlap", PASS, subnets("10.0.0.0/24", "10.0.64.0/18", "10.0.1.0/24")),
    Case("aws-subnet-no-overlap", PASS, subnets("10.0.0.0/24", "10.0.1.0/24"), preview=True),
    Case(
        "aws-subnet-no-overlap",
        FAIL,
        subnets("10.0.64.0/18", "10.0.96.0/19"),
        path="cidrBlock",
        says="10.0.96.0/19 overlaps",
    ),
    Case(
        "aws-subnet-no-overlap",
        FAIL,
        subnets("10.0.96.0/19", "10.0.64.0/18"),
        path="cidrBlock",
        says="10.0.64.0/18 overlaps",
    ),
    Case(
        "aws-subnet-no-overlap",
        FAIL,
        subnets("10.0.0.0/17", "10.0.1.0/24", "10.0.100.0/24"),
        path="cidrBlock",
        says="s0",
    ),
    Case("aws-subnet-no-overlap", CANNOT_TELL, subnets("10.0.0.0/24", UNKNOWN)),
    Case("aws-subnet-no-overlap", NOT_APPLICABLE, vpc()),
    Case("aws-subnet-zone-in-region", PASS, zoned("eu-west-1a", region="eu-west-1")),
    Case("aws-subnet-zone-in-region", PASS, zoned("us-west-2-lax-1a", region="us-west-2")),
    Case(
        "aws-subnet-zone-in-region",
        FAIL,
        zoned("eu-west-2a", region="eu-west-1"),
        path="availabilityZone",
        says="eu-west-1a",
    ),
    Case(
        "aws-subnet-zone-in-region",
        FAIL,
        among("eu-west-1a", "eu-west-1b", "us-east-1a"),
        path="availabilityZone",
        preview=True,
    ),
    Case("aws-subnet-zone-in-region", PASS, among("eu-west-1a", "eu-west-1b", "eu-west-1c"), preview=True),
    Case("aws-subnet-zone-in-region", CANNOT_TELL, zoned("eu-west-1a")),
    Case(
        "aws-subnet-zone-in-region",
        CANNOT_TELL,
        {**zoned("eu-west-1a"), "own": ("pulumi:providers:aws", {"profile": "eu"})},
    ),
    Case("aws-subnet-zone-in-region", CANNOT_TELL, among("eu-west-1a", "us-east-1a"), preview=True),
    Case("aws-subnet-zone-in-region", NOT_APPLICABLE, zoned(None)),
    Case("aws-vpc-dns-enabled", PASS, resolving(ENDPOINT, enableDnsHostnames=True)),
    Case("aws-vpc-dns-enabled", PASS, resolving(PRIVATE, enableDnsHostnames=True), preview=True),
    Case("aws-vpc-dns-enabled", FAIL, resolving(ENDPOINT), path="enableDnsHostnames", says="to true"),
    Case(
        "aws-vpc-dns-enabled",
        FAIL,
        resolving(PRIVATE, enableDnsHostnames=True, enableDnsSupport=False),
        path="enableDnsSupport",
    ),
    Case("aws-vpc-dns-enabled", CANNOT_TELL, resolving(ENDPOINT, enableDnsHostnames=UNKNOWN)),
    Case("aws-vpc-dns-enabled", NOT_APPLICABLE, resolving(PUBLIC)),
    Case("aws-vpc-cidr-usable", PASS, vpc()),
    Case("aws-vpc-cidr-usable", FAIL, vpc(cidrBlock="169.254.0.0/16"), path="cidrBlock"),
    Case("aws-vpc-cidr-usable", FAIL, vpc(cidrBlock="127.0.0.0/16"), path="cidrBlock"),
    Case("aws-vpc-cidr-usable", CANNOT_TELL, vpc(cidrBlock=UNKNOWN)),
    Case("aws-vpc-cidr-usable", NOT_APPLICABLE, vpc(cidrBlock=None)),
    Case("aws-vpc-peering-no-overlap", PASS, peers("10.0.0.0/16", "10.1.0.0/16")),
    Case(
        "aws-vpc-peering-no-overlap",
        FAIL,
        peers("10.0.0.0/16", "10.0.128.0/20"),
        path="peerVpcId",
        says="10.0.128.0/20",
    ),
    Case("aws-vpc-peering-no-overlap", CANNOT_TELL, {"it": (PEERING, {"vpcId": "vpc-1", "peerVpcId": "vpc-2"})}),
    Case("aws-vpc-peering-no-overlap", NOT_APPLICABLE, {"it": (PEERING, {})}),
    Case("aws-vpc-one-internet-gateway", PASS, {**vpc(), "a": (INTERNET_GATEWAY, {"vpcId": Ref("it")})}),
    Case(
        "aws-vpc-one-internet-gateway",
        FAIL,
        {**vpc(), "a": (INTERNET_GATEWAY, {"vpcId": Ref("it")}), "b": (INTERNET_GATEWAY, {"vpcId": Ref("it")})},
        path="vpcId",
        says="a is attached",
    ),
    Case("aws-vpc-one-internet-gateway", CANNOT_TELL, {**vpc(), "a": (INTERNET_GATEWAY, {"vpcId": UNKNOWN})}),
    Case("aws-vpc-one-internet-gateway", NOT_APPLICABLE, vpc()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_network_rule_says_what_aws_would(case: Case) -> None:
    check(case)

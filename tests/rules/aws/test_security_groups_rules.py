"""Security groups: what EC2 refuses, and what leaves a fabric or a file system unreachable."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import (
    EGRESS_RULE,
    INGRESS_RULE,
    LAUNCH_TEMPLATE,
    NODE_GROUP,
    SECURITY_GROUP,
    SECURITY_GROUP_RULE,
    SUBNET,
    VPC,
    VPC_ENDPOINT,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

SELF = {"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}
WORLD = {"protocol": "-1", "fromPort": 0, "toPort": 0, "cidrBlocks": ["0.0.0.0/0"]}
OUTSIDE = "sg-0123456789abcdef0"


def fabric(group: dict[str, Any], *others: Any, kind: str = "efa-only", **more: Any) -> Program:
    """A group on an EFA interface, alone or beside others."""
    interface = {"interfaceType": kind, "securityGroups": [Ref("it"), *others]}
    return {
        "it": (SECURITY_GROUP, group),
        "template": (LAUNCH_TEMPLATE, {"networkInterfaces": [{"networkCardIndex": 0}, interface]}),
        **more,
    }


def member(**inputs: Any) -> dict[str, Any]:
    """A rule resource from and to the group itself."""
    return {"securityGroupId": Ref("it"), "referencedSecurityGroupId": Ref("it"), "ipProtocol": "-1", **inputs}


BOTH: dict[str, Any] = {"in": (INGRESS_RULE, member()), "out": (EGRESS_RULE, member())}
CIDR_IN: dict[str, Any] = {
    "in": (INGRESS_RULE, member(referencedSecurityGroupId=None, cidrIpv4="10.0.0.0/16")),
    "out": BOTH["out"],
}
CIDR_OUT: dict[str, Any] = {
    "in": BOTH["in"],
    "out": (EGRESS_RULE, member(referencedSecurityGroupId=None, cidrIpv4="0.0.0.0/0")),
}
OLD: dict[str, Any] = {
    direction: (
        SECURITY_GROUP_RULE,
        {"type": direction, "securityGroupId": Ref("it"), "self": True, "protocol": "all", "fromPort": 0, "toPort": 0},
    )
    for direction in ("ingress", "egress")
}
OTHER: dict[str, Any] = {"other": (SECURITY_GROUP, {"ingress": [SELF], "egress": [SELF]})}


def rule(type_: str = INGRESS_RULE, **inputs: Any) -> Program:
    """A single rule."""
    return {"it": (type_, {"securityGroupId": "sg-1", "ipProtocol": "tcp", "fromPort": 443, "toPort": 443, **inputs})}


def old(**inputs: Any) -> Program:
    """A single rule in the older form."""
    return {"it": (SECURITY_GROUP_RULE, {"type": "ingress", "securityGroupId": "sg-1", "protocol": "tcp", **inputs})}


def group(*ingress: Any, **more: Any) -> Program:
    """A group with rules of its own."""
    return {"it": (SECURITY_GROUP, {"ingress": list(ingress)}), **more}


def networked(holder: tuple[str, dict[str, Any]], *, vpc: str = "vpc") -> Program:
    """Something in a subnet of `vpc`, beside a group in another VPC."""
    return {
        "vpc": (VPC, {}),
        "other": (VPC, {}),
        "subnet": (SUBNET, {"vpcId": Ref(vpc)}),
        "group": (SECURITY_GROUP, {"vpcId": Ref("vpc")}),
        "it": holder,
        "nodes": (NODE_GROUP, {"launchTemplate": {"id": Ref("it")}, "subnetIds": [Ref("subnet")]}),
    }


TEMPLATE = (LAUNCH_TEMPLATE, {"vpcSecurityGroupIds": [Ref("group")]})
INTERFACES = (LAUNCH_TEMPLATE, {"networkInterfaces": [{"securityGroups": [Ref("group"), OUTSIDE]}]})
TAGGED = {"tags": {"kubernetes.io/cluster/train": "owned"}}


def tagged(first: dict[str, Any], second: dict[str, Any]) -> Program:
    """A template with two groups."""
    return {
        "a": (SECURITY_GROUP, first),
        "b": (SECURITY_GROUP, second),
        "it": (LAUNCH_TEMPLATE, {"vpcSecurityGroupIds": [Ref("a"), Ref("b")]}),
    }


TWICE = {
    "it": (SECURITY_GROUP, {}),
    "a": (INGRESS_RULE, member(ipProtocol="tcp", fromPort=22, toPort=22)),
    "b": (INGRESS_RULE, member(ipProtocol="6", fromPort=22, toPort=22)),
}

CASES = [
    *(Case("aws-sg-protocol", PASS, rule(ipProtocol=each)) for each in ("tcp", "UDP", "-1", "icmpv6", "50", "all")),
    Case("aws-sg-protocol", PASS, group({"protocol": -1})),
    Case("aws-sg-protocol", FAIL, rule(ipProtocol="any"), path="ipProtocol", says='"-1"'),
    Case("aws-sg-protocol", FAIL, old(protocol="256"), path="protocol", says="'256'"),
    Case("aws-sg-protocol", FAIL, group(SELF, {"protocol": "http"}), path="ingress[1].protocol"),
    Case("aws-sg-protocol", CANNOT_TELL, rule(ipProtocol=UNKNOWN)),
    Case("aws-sg-protocol", NOT_APPLICABLE, group()),
    Case("aws-efa-sg-self-reference", PASS, fabric({}, **BOTH)),
    Case("aws-efa-sg-self-reference", PASS, fabric({}, **BOTH), preview=True),
    Case("aws-efa-sg-self-reference", PASS, fabric({}, **OLD)),
    Case("aws-efa-sg-self-reference", PASS, fabric({"ingress": [SELF], "egress": [SELF, WORLD]})),
    Case("aws-efa-sg-self-reference", PASS, fabric({"ingress": [WORLD], "egress": [WORLD]}, Ref("other"), **OTHER)),
    Case(
        "aws-efa-sg-self-reference",
        FAIL,
        fabric({"ingress": [WORLD], "egress": [WORLD]}),
        path="ingress",
        says="by its id",
    ),
    Case(
        "aws-efa-sg-self-reference", FAIL, fabric({"ingress": [SELF], "egress": [WORLD]}), path="egress", says="out to"
    ),
    Case("aws-efa-sg-self-reference", FAIL, fabric({}, OUTSIDE, **CIDR_IN), path="ingress", says="in from"),
    Case("aws-efa-sg-self-reference", FAIL, fabric({}, OUTSIDE, **CIDR_OUT), path="egress", says="out to"),
    Case("aws-efa-sg-self-reference", FAIL, fabric({}, **CIDR_IN), path="ingress", preview=True),
    Case("aws-efa-sg-self-reference", FAIL, fabric({}), path="ingress"),
    Case("aws-efa-sg-self-reference", CANNOT_TELL, fabric({"egress": [WORLD]}, OUTSIDE)),
    Case("aws-efa-sg-self-reference", CANNOT_TELL, fabric({"ingress": UNKNOWN})),
    Case("aws-efa-sg-self-reference", NOT_APPLICABLE, fabric({}, kind="interface")),
    Case("aws-sg-port-range", PASS, rule()),
    Case("aws-sg-port-range", PASS, group({"protocol": "tcp", "fromPort": 0, "toPort": 65535}, WORLD)),
    Case("aws-sg-port-range", FAIL, rule(fromPort=8080, toPort=80), path="fromPort", says="8080 to 80"),
    Case("aws-sg-port-range", FAIL, rule(fromPort=0, toPort=70000), path="fromPort"),
    Case("aws-sg-port-range", FAIL, rule(fromPort=None, toPort=None), path="fromPort", says="no ports"),
    Case(
        "aws-sg-port-range",
        FAIL,
        group(WORLD, {"protocol": "udp", "fromPort": 9, "toPort": 1}),
        path="ingress[1].fromPort",
    ),
    Case("aws-sg-port-range", CANNOT_TELL, rule(toPort=UNKNOWN)),
    Case("aws-sg-port-range", NOT_APPLICABLE, rule(ipProtocol="icmp", fromPort=8, toPort=-1)),
    Case("aws-sg-inline-all-protocols-ports", PASS, group(WORLD)),
    Case(
        "aws-sg-inline-all-protocols-ports",
        FAIL,
        group({**WORLD, "toPort": 65535}),
        path="ingress[0].fromPort",
        says="Set both ports to 0",
    ),
    Case("aws-sg-inline-all-protocols-ports", CANNOT_TELL, group({**WORLD, "toPort": UNKNOWN})),
    Case("aws-sg-inline-all-protocols-ports", NOT_APPLICABLE, group({"protocol": "tcp", "fromPort": 1, "toPort": 2})),
    Case("aws-sg-all-protocols-no-ports", PASS, rule(ipProtocol="-1", fromPort=None, toPort=None)),
    Case("aws-sg-all-protocols-no-ports", PASS, rule(ipProtocol="-1", fromPort=-1, toPort=-1)),
    Case("aws-sg-all-protocols-no-ports", FAIL, rule(ipProtocol="-1"), path="fromPort", says="443"),
    Case("aws-sg-all-protocols-no-ports", CANNOT_TELL, rule(ipProtocol=UNKNOWN)),
    Case("aws-sg-all-protocols-no-ports", NOT_APPLICABLE, rule()),
    Case("aws-sg-rule-one-peer", PASS, rule(cidrIpv4="10.0.0.0/8")),
    Case("aws-sg-rule-one-peer", PASS, old(cidrBlocks=["10.0.0.0/8"], ipv6CidrBlocks=["::/0"])),
    Case("aws-sg-rule-one-peer", PASS, old(self=False, sourceSecurityGroupId="sg-2")),
    Case("aws-sg-rule-one-peer", PASS, old(prefixListIds=["pl-1"])),
    Case("aws-sg-rule-one-peer", FAIL, rule(), path="cidrIpv4", says="exactly one"),
    Case("aws-sg-rule-one-peer", FAIL, rule(cidrIpv4="10.0.0.0/8", cidrIpv6="::/0"), path="cidrIpv6"),
    Case("aws-sg-rule-one-peer", FAIL, old(cidrBlocks=["10.0.0.0/8"], self=True), path="sourceSecurityGroupId"),
    Case("aws-sg-rule-one-peer", CANNOT_TELL, old(self=UNKNOWN)),
    Case("aws-sg-rule-one-peer", NOT_APPLICABLE, group()),
    Case("aws-sg-cidr-network", PASS, rule(cidrIpv4="10.0.0.0/8")),
    Case("aws-sg-cidr-network", PASS, group(WORLD)),
    Case("aws-sg-cidr-network", FAIL, rule(cidrIpv4="10.0.1.5/16"), path="cidrIpv4", says="10.0.0.0/16"),
    Case("aws-sg-cidr-network", FAIL, rule(cidrIpv4="203.0.113.7"), path="cidrIpv4", says="203.0.113.7/32"),
    Case("aws-sg-cidr-network", FAIL, group({**WORLD, "cidrBlocks": ["::/0", "any"]}), path="ingress[0].cidrBlocks[1]"),
    Case("aws-sg-cidr-network", CANNOT_TELL, rule(cidrIpv4=UNKNOWN)),
    Case("aws-sg-cidr-network", NOT_APPLICABLE, rule(referencedSecurityGroupId="sg-2")),
    Case("aws-sg-inline-or-separate", PASS, group(WORLD)),
    Case("aws-sg-inline-or-separate", PASS, group(WORLD, out=BOTH["out"])),
    Case("aws-sg-inline-or-separate", FAIL, group(WORLD, extra=BOTH["in"]), path="ingress", says="extra"),
    Case("aws-sg-inline-or-separate", CANNOT_TELL, group(WORLD, extra=(INGRESS_RULE, {"securityGroupId": UNKNOWN}))),
    Case("aws-sg-inline-or-separate", NOT_APPLICABLE, {"it": (SECURITY_GROUP, {}), **BOTH}),
    Case("aws-sg-rule-unique", PASS, {"it": (SECURITY_GROUP, {}), **BOTH}),
    Case("aws-sg-rule-unique", FAIL, TWICE, path="securityGroupId", says="a says the same"),
    Case("aws-sg-rule-unique", FAIL, TWICE, path="securityGroupId", preview=True),
    Case("aws-sg-rule-unique", CANNOT_TELL, {**TWICE, "b": (INGRESS_RULE, member(ipProtocol=UNKNOWN))}),
    Case("aws-sg-rule-unique", NOT_APPLICABLE, group(WORLD)),
    Case("aws-quota-sg-rules", PASS, group(WORLD)),
    Case(
        "aws-quota-sg-rules",
        FAIL,
        group({"protocol": "tcp", "cidrBlocks": [f"10.0.{index}.0/24" for index in range(61)]}),
        path="ingress",
        says="61",
    ),
    Case("aws-quota-sg-rules", FAIL, group(SELF, WORLD), path="ingress", quotas={"L-0EA8095F": 1}),
    Case("aws-quota-sg-rules", CANNOT_TELL, group({"protocol": "tcp", "cidrBlocks": UNKNOWN})),
    Case("aws-quota-sg-rules", NOT_APPLICABLE, {"it": (SECURITY_GROUP, {})}),
    Case("aws-quota-sg-per-interface", PASS, {"it": (LAUNCH_TEMPLATE, {"vpcSecurityGroupIds": ["sg-1"] * 5})}),
    Case(
        "aws-quota-sg-per-interface",
        PASS,
        {"it": (LAUNCH_TEMPLATE, {"vpcSecurityGroupIds": ["sg-1"] * 6})},
        quotas={"L-2AFB9258": 8},
    ),
    Case(
        "aws-quota-sg-per-interface",
        FAIL,
        {"it": (LAUNCH_TEMPLATE, {"networkInterfaces": [{}, {"securityGroups": ["sg-1"] * 6}]})},
        path="networkInterfaces[1].securityGroups",
    ),
    Case("aws-quota-sg-per-interface", CANNOT_TELL, {"it": (LAUNCH_TEMPLATE, {"vpcSecurityGroupIds": UNKNOWN})}),
    Case("aws-quota-sg-per-interface", NOT_APPLICABLE, {"it": (LAUNCH_TEMPLATE, {})}),
    Case("aws-sg-same-vpc", PASS, networked(TEMPLATE)),
    Case("aws-sg-same-vpc", PASS, networked(INTERFACES), preview=True),
    Case("aws-sg-same-vpc", FAIL, networked(INTERFACES, vpc="other"), path="networkInterfaces", says="another VPC"),
    Case("aws-sg-same-vpc", FAIL, networked(TEMPLATE, vpc="other"), path="vpcSecurityGroupIds", preview=True),
    Case(
        "aws-sg-same-vpc",
        FAIL,
        networked((VPC_ENDPOINT, {"vpcId": Ref("other"), "securityGroupIds": [Ref("group")]})),
        path="securityGroupIds",
    ),
    Case("aws-sg-same-vpc", CANNOT_TELL, {**networked(TEMPLATE), "group": (SECURITY_GROUP, {})}),
    Case("aws-sg-same-vpc", NOT_APPLICABLE, networked((LAUNCH_TEMPLATE, {"vpcSecurityGroupIds": [OUTSIDE]}))),
    Case("aws-eks-one-owned-sg", PASS, tagged(TAGGED, {})),
    Case("aws-eks-one-owned-sg", FAIL, tagged(TAGGED, TAGGED), path="vpcSecurityGroupIds", says="cluster/train"),
    Case("aws-eks-one-owned-sg", CANNOT_TELL, tagged(TAGGED, {"tags": UNKNOWN})),
    Case("aws-eks-one-owned-sg", NOT_APPLICABLE, {"it": (LAUNCH_TEMPLATE, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_security_group_rule_says_what_aws_would(case: Case) -> None:
    check(case)

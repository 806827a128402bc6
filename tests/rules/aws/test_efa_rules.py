"""EFA: layouts of interfaces that AWS has, and those that it has not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, fabric, from_template, network, scaled, template
from tests.rulecases import Case, Ref, check, verdict

from penstock.catalog import machines
from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws import efa

P5 = "p5.48xlarge"
B300 = "p6-b300.48xlarge"
GRACE = "p6e-gb200.36xlarge"


def it(machine_type: Any, *interfaces: dict[str, Any], **inputs: Any) -> Parts:
    """A launch template for a machine, with these interfaces."""
    return template("it", instanceType=machine_type, networkInterfaces=list(interfaces), **inputs)


def seat(card: Any, device: Any, kind: Any = "efa-only", **more: Any) -> dict[str, Any]:
    """An interface."""
    return {"networkCardIndex": card, "deviceIndex": device, "interfaceType": kind, **more}


PLAIN = seat(0, 0, "interface")
NO_EFA = template("it", instanceType=P5)
LEGACY = [seat(0, 0, "efa"), *(seat(card, 1, "efa") for card in range(1, 32))]
ALL = it(P5, *fabric(P5))
ZONES = {"subnetIds": [Ref("a"), Ref("b")]}
TWO = network("us-east-1a", "us-east-1b")
WITH_EFA = template(instanceType=P5, networkInterfaces=fabric(P5))

CASES = [
    Case("aws-efa-primary-interface", Outcome.PASS, ALL),
    Case("aws-efa-primary-interface", Outcome.PASS, it(P5, {"interfaceType": "efa"})),
    Case(
        "aws-efa-primary-interface", Outcome.FAIL, it(P5, seat(0, 1), seat(1, 0)), "networkInterfaces", "deviceIndex 0"
    ),
    Case(
        "aws-efa-primary-interface",
        Outcome.FAIL,
        it(P5, *fabric(P5, interfaceType="efa-only")),
        "networkInterfaces[0].interfaceType",
    ),
    Case("aws-efa-primary-interface", Outcome.UNKNOWN, it(P5, seat(UNKNOWN, 0))),
    Case("aws-efa-primary-interface", Outcome.NOT_APPLICABLE, NO_EFA),
    Case("aws-efa-one-device-per-card", Outcome.PASS, ALL),
    Case(
        "aws-efa-one-device-per-card",
        Outcome.PASS,
        it("p5en.48xlarge", PLAIN, seat(0, 1), seat(1, 0), seat(1, 1, "interface")),
    ),
    Case(
        "aws-efa-one-device-per-card",
        Outcome.FAIL,
        it(P5, PLAIN, seat(1, 0), seat(1, 1)),
        "networkInterfaces[2].networkCardIndex",
    ),
    Case(
        "aws-efa-one-device-per-card",
        Outcome.FAIL,
        it(P5, seat(0, 0, "efa"), seat(0, 1)),
        "networkInterfaces[1].networkCardIndex",
    ),
    Case("aws-efa-one-device-per-card", Outcome.UNKNOWN, it(P5, PLAIN, seat(1, 0, UNKNOWN))),
    Case("aws-efa-one-device-per-card", Outcome.NOT_APPLICABLE, it(P5, PLAIN)),
    Case("aws-efa-max-devices", Outcome.PASS, ALL),
    Case("aws-efa-max-devices", Outcome.PASS, it(P5, *LEGACY)),
    Case("aws-efa-max-devices", Outcome.FAIL, it("p5en.48xlarge", *fabric(P5)), "networkInterfaces", "16"),
    Case(
        "aws-efa-max-devices",
        Outcome.FAIL,
        it(B300, PLAIN, *(seat(card, 0) for card in range(17))),
        "networkInterfaces",
        "17",
    ),
    Case(
        "aws-efa-max-devices",
        Outcome.FAIL,
        it(None, *fabric(P5))
        | from_template("group", launchTemplate={"id": Ref("it")}, instanceTypes=["p5en.48xlarge"]),
        "networkInterfaces",
        preview=True,
    ),
    Case("aws-efa-max-devices", Outcome.UNKNOWN, it(UNKNOWN, *fabric(P5))),
    Case("aws-efa-max-devices", Outcome.NOT_APPLICABLE, it("not.known", *fabric(P5))),
    Case("aws-lt-interface-card-exists", Outcome.PASS, ALL),
    Case("aws-lt-interface-card-exists", Outcome.PASS, it(P5, *LEGACY)),
    Case(
        "aws-lt-interface-card-exists",
        Outcome.FAIL,
        it(P5, PLAIN, seat(1, 2)),
        "networkInterfaces[1].deviceIndex",
        "0 to 1",
    ),
    Case(
        "aws-lt-interface-card-exists",
        Outcome.FAIL,
        it("p4d.24xlarge", PLAIN, seat(4, 0)),
        "networkInterfaces[1].networkCardIndex",
        "0 to 3",
    ),
    Case("aws-lt-interface-card-exists", Outcome.UNKNOWN, it(P5, PLAIN, seat(UNKNOWN, 0))),
    Case("aws-lt-interface-card-exists", Outcome.NOT_APPLICABLE, NO_EFA),
    Case("aws-lt-interface-index-unique", Outcome.PASS, ALL),
    Case(
        "aws-lt-interface-index-unique",
        Outcome.FAIL,
        it(P5, PLAIN, seat(1, 0), seat(1, 0)),
        "networkInterfaces[2].deviceIndex",
    ),
    Case(
        "aws-lt-interface-index-unique",
        Outcome.FAIL,
        it(P5, PLAIN, {"interfaceType": "efa"}),
        "networkInterfaces[1].deviceIndex",
    ),
    Case("aws-lt-interface-index-unique", Outcome.FAIL, it(P5, PLAIN, seat(-1, 0)), "networkInterfaces[1].deviceIndex"),
    Case("aws-lt-interface-index-unique", Outcome.UNKNOWN, it(P5, PLAIN, seat(1, UNKNOWN))),
    Case("aws-lt-interface-index-unique", Outcome.NOT_APPLICABLE, NO_EFA),
    Case("aws-efa-not-on-card-zero", Outcome.PASS, it(B300, *fabric(B300))),
    Case(
        "aws-efa-not-on-card-zero",
        Outcome.FAIL,
        it(B300, PLAIN, seat(0, 1)),
        "networkInterfaces[1].interfaceType",
        "1 to 16",
    ),
    Case("aws-efa-not-on-card-zero", Outcome.UNKNOWN, it(B300, PLAIN, seat(UNKNOWN, 0))),
    Case("aws-efa-not-on-card-zero", Outcome.NOT_APPLICABLE, ALL),
    Case("aws-efa-gb200-odd-cards", Outcome.PASS, it(GRACE, PLAIN, *(seat(card, 0) for card in (1, 5, 9, 13)))),
    Case(
        "aws-efa-gb200-odd-cards",
        Outcome.FAIL,
        it(GRACE, PLAIN, seat(2, 0)),
        "networkInterfaces[1].networkCardIndex",
        "card 2",
    ),
    Case(
        "aws-efa-gb200-odd-cards",
        Outcome.FAIL,
        it(GRACE, PLAIN, seat(1, 1)),
        "networkInterfaces[1].networkCardIndex",
        "device 1",
    ),
    Case("aws-efa-gb200-odd-cards", Outcome.UNKNOWN, it(GRACE, PLAIN, seat(UNKNOWN, 0))),
    Case("aws-efa-gb200-odd-cards", Outcome.NOT_APPLICABLE, ALL),
    Case("aws-efa-only-no-address", Outcome.PASS, ALL),
    Case(
        "aws-efa-only-no-address",
        Outcome.PASS,
        it(P5, PLAIN, seat(1, 0, associatePublicIpAddress="false", ipv4Addresses=[])),
    ),
    Case(
        "aws-efa-only-no-address",
        Outcome.FAIL,
        it(P5, PLAIN, seat(1, 0, ipv4PrefixCount=1)),
        "networkInterfaces[1].ipv4PrefixCount",
    ),
    Case(
        "aws-efa-only-no-address",
        Outcome.FAIL,
        it(P5, PLAIN, seat(1, 0, associatePublicIpAddress="true")),
        "networkInterfaces[1].associatePublicIpAddress",
    ),
    Case("aws-efa-only-no-address", Outcome.UNKNOWN, it(P5, PLAIN, seat(1, 0, privateIpAddress=UNKNOWN))),
    Case("aws-efa-only-no-address", Outcome.NOT_APPLICABLE, it(P5, seat(0, 0, "efa", ipv4AddressCount=1))),
    Case("aws-lt-public-ip-single-interface", Outcome.PASS, it(P5, *fabric(P5, associatePublicIpAddress="false"))),
    Case(
        "aws-lt-public-ip-single-interface",
        Outcome.FAIL,
        it(P5, *fabric(P5, associatePublicIpAddress="true")),
        "networkInterfaces[0].associatePublicIpAddress",
        "NAT",
    ),
    Case("aws-lt-public-ip-single-interface", Outcome.UNKNOWN, it(P5, *fabric(P5, associatePublicIpAddress=UNKNOWN))),
    Case(
        "aws-lt-public-ip-single-interface",
        Outcome.NOT_APPLICABLE,
        it(P5, seat(0, 0, "interface", associatePublicIpAddress="true")),
    ),
    Case("aws-multi-interface-private-subnets", Outcome.PASS, from_template() | WITH_EFA),
    Case(
        "aws-multi-interface-private-subnets",
        Outcome.FAIL,
        from_template() | WITH_EFA | network(mapPublicIpOnLaunch=True),
        "subnetIds",
        "private",
    ),
    Case(
        "aws-multi-interface-private-subnets",
        Outcome.FAIL,
        scaled() | WITH_EFA | network(mapPublicIpOnLaunch=True),
        "vpcZoneIdentifiers",
    ),
    Case(
        "aws-multi-interface-private-subnets",
        Outcome.FAIL,
        from_template() | WITH_EFA | network(mapPublicIpOnLaunch=True),
        "subnetIds",
        preview=True,
    ),
    Case("aws-multi-interface-private-subnets", Outcome.UNKNOWN, from_template(subnetIds=["subnet-0123"]) | WITH_EFA),
    Case(
        "aws-multi-interface-private-subnets",
        Outcome.NOT_APPLICABLE,
        from_template() | template() | network(mapPublicIpOnLaunch=True),
    ),
    Case("aws-efa-one-zone", Outcome.PASS, from_template() | WITH_EFA),
    Case("aws-efa-one-zone", Outcome.FAIL, from_template(**ZONES) | WITH_EFA | TWO, "subnetIds", "us-east-1a"),
    Case("aws-efa-one-zone", Outcome.FAIL, from_template(**ZONES) | WITH_EFA | TWO, "subnetIds", preview=True),
    Case(
        "aws-efa-one-zone",
        Outcome.FAIL,
        scaled(launchTemplate={"name": Ref("template", "name")}, vpcZoneIdentifiers=[Ref("a"), Ref("b")])
        | WITH_EFA
        | TWO,
        "vpcZoneIdentifiers",
    ),
    Case("aws-efa-one-zone", Outcome.UNKNOWN, from_template() | WITH_EFA | network(availabilityZone=UNKNOWN)),
    Case("aws-efa-one-zone", Outcome.UNKNOWN, from_template(launchTemplate={"id": "lt-0123"})),
    Case("aws-efa-one-zone", Outcome.NOT_APPLICABLE, from_template(**ZONES) | template(instanceType=P5) | TWO),
    Case("aws-efa-one-card-layout", Outcome.PASS, ALL),
    Case(
        "aws-efa-one-card-layout",
        Outcome.PASS,
        it(None, *fabric(P5))
        | from_template("group", launchTemplate={"id": Ref("it")}, instanceTypes=[P5, "p5e.48xlarge"]),
    ),
    Case(
        "aws-efa-one-card-layout",
        Outcome.FAIL,
        it(None, *fabric("p5en.48xlarge"))
        | from_template("group", launchTemplate={"id": Ref("it")}, instanceTypes=[P5, "p5en.48xlarge"]),
        "networkInterfaces",
        "p5en.48xlarge",
    ),
    Case("aws-efa-one-card-layout", Outcome.UNKNOWN, it(UNKNOWN, *fabric(P5))),
    Case("aws-efa-one-card-layout", Outcome.NOT_APPLICABLE, NO_EFA),
    Case("aws-efa-all-devices-used", Outcome.PASS, ALL),
    Case("aws-efa-all-devices-used", Outcome.FAIL, it(P5, PLAIN, seat(0, 1)), "networkInterfaces", "32"),
    Case("aws-efa-all-devices-used", Outcome.UNKNOWN, it(UNKNOWN, PLAIN, seat(0, 1))),
    Case("aws-efa-all-devices-used", Outcome.NOT_APPLICABLE, it(GRACE, PLAIN, seat(1, 0))),
    Case("aws-efa-supported-type", Outcome.PASS, it("g6.8xlarge", PLAIN, seat(0, 1))),
    Case(
        "aws-efa-supported-type",
        Outcome.FAIL,
        it("g6.2xlarge", PLAIN, seat(0, 1)),
        "networkInterfaces[1].interfaceType",
        "no EFA",
    ),
    Case(
        "aws-efa-supported-type", Outcome.FAIL, it("m7i.large", seat(0, 0, "efa")), "networkInterfaces[0].interfaceType"
    ),
    Case("aws-efa-supported-type", Outcome.UNKNOWN, it(UNKNOWN, seat(0, 0, "efa"))),
    Case("aws-efa-supported-type", Outcome.NOT_APPLICABLE, it("m7i.large", PLAIN)),
    Case("aws-lt-interface-type", Outcome.PASS, ALL),
    Case(
        "aws-lt-interface-type",
        Outcome.FAIL,
        it(P5, seat(0, 0, "EFA")),
        "networkInterfaces[0].interfaceType",
        "efa-only",
    ),
    Case("aws-lt-interface-type", Outcome.UNKNOWN, it(P5, seat(0, 0, UNKNOWN))),
    Case("aws-lt-interface-type", Outcome.NOT_APPLICABLE, it(P5, {"deviceIndex": 0})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_efa_rule_says_what_aws_would(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    "machine", [each for each in machines.all() if each.efa_max], ids=lambda each: each.machine_type
)
def test_the_layout_that_aws_recommends_passes_every_rule(machine: machines.AwsMachine) -> None:
    program = it(machine.machine_type, *fabric(machine.machine_type))
    codes = [rule.id for rule in efa.RULES if "launchTemplate" in rule.on[0]]

    for code in codes:
        assert verdict(Case(code, Outcome.PASS, program)).outcome in (Outcome.PASS, Outcome.NOT_APPLICABLE), code

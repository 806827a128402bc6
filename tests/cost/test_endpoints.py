"""Private endpoints on the bill: by the hour in each zone, but for gateways, which are free."""

from __future__ import annotations

from typing import Any

import pytest
from tests.programs import IT, Program, Ref, graph_of

from penstock import cost
from penstock.cost import Cost
from penstock.graph.values import UNKNOWN

ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
APART = "aws:ec2/vpcEndpointSubnetAssociation:VpcEndpointSubnetAssociation"
A_ZONE = 7.3


def bill(inputs: dict[str, Any], **others: Any) -> Cost:
    program: Program = {IT: (ENDPOINT, {"vpcId": "vpc-1", "serviceName": "s", **inputs}), **others}
    return cost.cost_of(graph_of(program))


@pytest.mark.parametrize("kind", ["Interface", "GatewayLoadBalancer"])
@pytest.mark.parametrize("zones", [1, 3])
def test_an_interface_is_paid_in_each_zone(kind: str, zones: int) -> None:
    subnets = [f"subnet-{index}" for index in range(zones)]

    assert bill({"vpcEndpointType": kind, "subnetIds": subnets}).monthly_usd == pytest.approx(zones * A_ZONE)


def test_zones_that_are_given_apart_count() -> None:
    apart = (APART, {"vpcEndpointId": Ref(IT), "subnetId": "subnet-2"})

    assert bill({"vpcEndpointType": "Interface", "subnetIds": ["subnet-1"]}, apart=apart).monthly_usd == pytest.approx(
        2 * A_ZONE
    )


@pytest.mark.parametrize("inputs", [{}, {"vpcEndpointType": "Gateway"}])
def test_a_gateway_is_free(inputs: dict[str, Any]) -> None:
    found = bill(inputs)

    assert (found.lines, found.unpriced) == ((), ())


@pytest.mark.parametrize(
    "inputs", [{"vpcEndpointType": "Resource"}, {"vpcEndpointType": "Interface", "subnetIds": UNKNOWN}]
)
def test_what_has_no_price_is_named(inputs: dict[str, Any]) -> None:
    found = bill(inputs)

    assert not found.lines
    assert len(found.unpriced) == 1

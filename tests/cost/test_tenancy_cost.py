"""Machines on hardware of their own are not billed at the price of shared hardware."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cost.reference_architectures import AWS
from tests.programs import Program, Ref, graph_of

from penstock.cost import Cost, cost_of

_FEE = "fee of a region with dedicated instances"
_INSTANCE = "aws:ec2/instance:Instance"
_PLAIN = {"instanceType": "g5.xlarge", "rootBlockDevice": {"volumeSize": 8}}


def _machines(bill: Cost) -> list[str]:
    return [line.what for line in bill.lines if "×" in line.what]


def _bill(program: Program) -> Cost:
    return cost_of(graph_of({**AWS, **program}))


def _in_network(tenancy: str) -> Program:
    return {
        "vpc": ("aws:ec2/vpc:Vpc", {"instanceTenancy": tenancy}),
        "subnet": ("aws:ec2/subnet:Subnet", {"vpcId": Ref("vpc")}),
        "it": (_INSTANCE, {**_PLAIN, "subnetId": Ref("subnet")}),
    }


_TEMPLATE: dict[str, Any] = {"instanceType": "g5.xlarge", "placement": {"tenancy": "dedicated"}}
_GROUP: dict[str, Any] = {"launchTemplate": {"id": Ref("lt")}, "minSize": 1, "maxSize": 1, "desiredCapacity": 1}


@pytest.mark.parametrize(
    "program",
    [
        {"it": (_INSTANCE, {**_PLAIN, "tenancy": "dedicated"})},
        {"lt": ("aws:ec2/launchTemplate:LaunchTemplate", _TEMPLATE), "it": ("aws:autoscaling/group:Group", _GROUP)},
        _in_network("dedicated"),
    ],
)
def test_dedicated_machines_are_named_and_the_fee_of_their_region_is_billed(program: Program) -> None:
    bill = _bill(program)

    assert not _machines(bill)
    assert "1 × g5.xlarge, on demand, on dedicated hardware: no price known" in [each.why for each in bill.unpriced]
    assert [line.monthly_usd for line in bill.lines if line.what == _FEE] == [1460]


def test_the_fee_is_billed_once_for_a_region() -> None:
    bill = _bill({name: (_INSTANCE, {**_PLAIN, "tenancy": "dedicated"}) for name in ("a", "b")})

    assert [line.what for line in bill.lines].count(_FEE) == 1


def test_a_host_is_billed_in_place_of_its_machines() -> None:
    bill = _bill({"it": (_INSTANCE, {**_PLAIN, "tenancy": "host"})})

    assert not _machines(bill)
    assert not [line for line in bill.lines if line.what == _FEE]
    assert any("which is billed in their place" in each.why for each in bill.unpriced)


def test_shared_machines_are_billed_as_before() -> None:
    assert _machines(_bill(_in_network("default"))) == ["1 × g5.xlarge, on demand"]


def test_a_dedicated_reservation_is_named() -> None:
    held = {"instanceType": "g5.xlarge", "instanceCount": 2, "tenancy": "dedicated"}
    bill = _bill({"it": ("aws:ec2/capacityReservation:CapacityReservation", held)})

    assert not bill.lines
    assert [each.why for each in bill.unpriced] == ["2 × g5.xlarge, reserved, on dedicated hardware: no price known"]

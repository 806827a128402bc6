"""Properties of which one must be given."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import BUCKET, SUBNET


def subnet(**inputs: Any) -> Program:
    """A subnet."""
    return {"it": (SUBNET, {"vpcId": "vpc-0123456789abcdef0", **inputs})}


CASES = [
    Case("aws-api-one-of-required", Outcome.PASS, subnet(cidrBlock="10.0.0.0/24")),
    Case("aws-api-one-of-required", Outcome.PASS, subnet(ipv4IpamPoolId="ipam-pool-0123456789abcdef0")),
    Case("aws-api-one-of-required", Outcome.FAIL, subnet(), path="cidrBlock", says="Give cidrBlock, "),
    Case("aws-api-one-of-required", Outcome.FAIL, subnet(cidrBlock=""), path="cidrBlock", says="none of cidrBlock, "),
    Case("aws-api-one-of-required", Outcome.UNKNOWN, subnet(cidrBlock=UNKNOWN)),
    Case("aws-api-one-of-required", Outcome.NOT_APPLICABLE, {"it": (BUCKET, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_one_of_several_properties_is_missed(case: Case) -> None:
    check(case)

"""FSx for Lustre: what AWS sells and accepts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, check

from penstock.rehearsal.rules.aws.types import LUSTRE
from penstock.rehearsal.rules.verdict import Outcome
from penstock.rehearsal.values import UNKNOWN


def filesystem(**inputs: Any) -> Program:
    """A file system."""
    return {"it": (LUSTRE, inputs)}


CASES = [
    Case("AWS-FSX-001", Outcome.PASS, filesystem(perUnitStorageThroughput=250, storageCapacity=4800)),
    Case(
        "AWS-FSX-001",
        Outcome.FAIL,
        filesystem(perUnitStorageThroughput=250, storageCapacity=5000),
        path="storageCapacity",
        says="4800",
    ),
    Case(
        "AWS-FSX-001",
        Outcome.FAIL,
        filesystem(perUnitStorageThroughput=250, storageCapacity=4800, efaEnabled=True),
        path="storageCapacity",
        says="19200",
    ),
    Case("AWS-FSX-001", Outcome.UNKNOWN, filesystem(perUnitStorageThroughput=UNKNOWN, storageCapacity=5000)),
    Case("AWS-FSX-001", Outcome.NOT_APPLICABLE, filesystem(storageCapacity=1200)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_lustre_rule_says_what_aws_would(case: Case) -> None:
    check(case)

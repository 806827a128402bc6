"""Bills of single resources equal the ones that a public cost tool publishes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from tests.programs import IT, graph_of

from penstock.cost import cost_of
from penstock.description.usage import parse_usage

BILLS: Final = yaml.safe_load(Path(__file__).with_name("published_bills.yaml").read_text())
WITHIN: Final = 0.005
"""Golden files show two decimals of a price that has more."""


def place(type_: str, region: str) -> tuple[str, dict[str, Any]]:
    if type_.startswith("aws:"):
        return "pulumi:providers:aws", {"region": region}
    if type_.startswith("gcp:"):
        return "pulumi:providers:gcp", {"region": region}
    return "pulumi:providers:azure-native", {"location": region}


@pytest.mark.parametrize("published", BILLS, ids=[each["is"] for each in BILLS])
def test_a_bill_equals_the_published_one(published: Mapping[str, Any]) -> None:
    type_, usage = published["type"], published.get("usage")
    program = {"provider": place(type_, published["in"]), IT: (type_, published["inputs"])}
    bill = cost_of(graph_of(program), parse_usage(usage) if usage else None)

    lines = [line for line in bill.lines if published.get("line", "") in line.what]
    assert sum(line.monthly_usd for line in lines) == pytest.approx(published["usd"], rel=WITHIN, abs=0.02)
    assert {line.confidence for line in lines if line.monthly_usd} == {"list"}
    assert not bill.unmatched
    assert not bill.misdeclared

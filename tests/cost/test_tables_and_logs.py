"""Tables of DynamoDB are billed by what they are given or declared, log groups by their class."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cost.reference_architectures import AWS
from tests.programs import IT, Program, graph_of

from penstock.cost import Cost, cost_of
from penstock.description.usage import parse_usage

_TABLE = "aws:dynamodb/table:Table"
_GIVEN: dict[str, Any] = {"billingMode": "PROVISIONED", "readCapacity": 30, "writeCapacity": 20}


def _bill(inputs: dict[str, Any], beside: Program | None = None, **held: float) -> Cost:
    usage = parse_usage({"storage": {IT: held}}) if held else None
    return cost_of(graph_of({**AWS, **(beside or {}), IT: (_TABLE, inputs)}), usage)


def _priced(bill: Cost) -> dict[str, float]:
    return {line.what: line.monthly_usd for line in bill.lines}


def test_capacity_that_a_table_is_given_is_billed() -> None:
    bill = _bill(_GIVEN)

    assert _priced(bill) == {
        "20 capacity units for writes": pytest.approx(9.49),
        "30 capacity units for reads": pytest.approx(2.85),
    }
    assert [each.depends_on for each in bill.unpriced] == ["penstock:usage.storage.it.gb"]


def test_indexes_have_capacity_and_replicas_take_the_writes_again() -> None:
    index = {"name": "by-owner", "readCapacity": 10, "writeCapacity": 5}
    bill = _bill({**_GIVEN, "globalSecondaryIndexes": [index], "replicas": [{"regionName": "us-west-2"}]})

    assert set(_priced(bill)) == {"50 capacity units for writes", "40 capacity units for reads"}


def test_a_table_on_demand_is_billed_by_its_requests() -> None:
    inputs = {"billingMode": "PAY_PER_REQUEST"}
    declared = _bill(inputs, gb=230, reads=8_000_000, writes=3_000_000)

    assert sorted(_priced(declared).values()) == pytest.approx([1.0, 1.88, 57.5], abs=0.01)
    assert len(_bill(inputs).unpriced) == 3


def test_a_table_of_infrequent_access_costs_more_to_use_and_less_to_keep() -> None:
    usual, other = (
        _bill({**_GIVEN, "tableClass": kind}, gb=100) for kind in ("STANDARD", "STANDARD_INFREQUENT_ACCESS")
    )
    costs, others = _priced(usual), _priced(other)

    assert others["20 capacity units for writes"] > costs["20 capacity units for writes"]
    assert others["items"] < costs["items"]
    assert {line.confidence for line in other.lines} == {"unverified"}


def test_autoscaling_of_a_table_is_said() -> None:
    target = ("aws:appautoscaling/target:Target", {"resourceId": "table/orders", "minCapacity": 5, "maxCapacity": 50})
    bill = _bill({**_GIVEN, "name": "orders"}, {"target": target})

    assert {line.assumes for line in bill.lines} == {"autoscaling changes them"}


@pytest.mark.parametrize(
    ("class_", "usd", "confidence"), [(None, 500, "list"), ("INFREQUENT_ACCESS", 250, "unverified")]
)
def test_logs_cost_by_their_class(class_: str | None, usd: float, confidence: str) -> None:
    inputs = {"logGroupClass": class_} if class_ else {}
    graph = graph_of({**AWS, IT: ("aws:cloudwatch/logGroup:LogGroup", inputs)})
    (line,) = cost_of(graph, parse_usage({"logs": {IT: {"gb": 1000}}})).lines

    assert (line.monthly_usd, line.confidence) == (usd, confidence)

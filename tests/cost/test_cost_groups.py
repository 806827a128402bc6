"""A bill by component, pool, type and tag, and the difference that a change makes to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.graphs import graph_of, graphs, resource

from penstock.cost import cost_of, grouped
from penstock.cost.change import cost_change
from penstock.cost.groups import NONE, WAYS
from penstock.graph.graph import STACK_TYPE, Graph

NAT, KEY, EIP = "aws:ec2/natGateway:NatGateway", "aws:kms/key:Key", "aws:ec2/eip:Eip"


def platform(*, gateways: int = 2) -> Graph:
    stack = resource(STACK_TYPE, "stack", custom=False)
    whole = resource("penstock:index:Platform", "platform", parent=stack, custom=False)
    network = resource("penstock:aws:Network", "p-network", parent=whole, custom=False)
    egress = resource("penstock:aws:Egress", "p-egress", parent=network, custom=False)
    pool = resource("penstock:aws:NodePool", "p-train", parent=whole, custom=False)
    tags = {"tags": {"owner": "ml"}}
    nats = [resource(NAT, f"nat-{index}", parent=egress) for index in range(gateways)]
    address = resource(EIP, "address", parent=pool)
    return graph_of(
        stack, whole, network, egress, pool, *nats, address, resource(KEY, "key", inputs=tags, parent=stack)
    )


def names(by: str) -> dict[str, float]:
    graph = platform()
    return {group.name: round(group.monthly_usd, 2) for group in grouped(cost_of(graph), graph, by)}


def test_components_are_the_outermost_below_the_platform() -> None:
    assert names("component") == {"p-network": 65.70, "p-train": 3.65, NONE: 1.0}


def test_pools_types_and_tags() -> None:
    assert names("pool") == {NONE: 66.70, "p-train": 3.65}
    assert names("type") == {NAT: 65.70, EIP: 3.65, KEY: 1.0}
    assert names("resource") == {
        "nat-0 (NatGateway)": 32.85, "nat-1 (NatGateway)": 32.85, "address (Eip)": 3.65, "key (Key)": 1.0
    }  # fmt: skip
    assert names("tag:owner") == {NONE: 69.35, "ml": 1.0}


def test_another_way_is_refused() -> None:
    graph = platform()

    with pytest.raises(ValueError, match="component, pool, resource, type or tag:KEY"):
        grouped(cost_of(graph), graph, "colour")


def test_a_program_without_components_is_one_by_resource() -> None:
    stack = resource(STACK_TYPE, "stack", custom=False)
    graph = graph_of(stack, resource(KEY, "one", parent=stack), resource(KEY, "two", parent=stack))

    groups = grouped(cost_of(graph), graph, "component")

    assert {group.name for group in groups} == {"one (Key)", "two (Key)"}


@settings(max_examples=30)
@given(graphs())
def test_every_line_is_in_one_group(graph: Graph) -> None:
    cost = cost_of(graph)

    for by in (*WAYS, "tag:owner"):
        groups = grouped(cost, graph, by)
        assert sorted(line.urn + line.what for group in groups for line in group.lines) == sorted(
            line.urn + line.what for line in cost.lines
        )
        assert sum(len(group.unpriced) for group in groups) == len(cost.unpriced)
        assert sum(group.monthly_usd for group in groups) == pytest.approx(cost.monthly_usd)


def test_a_change_names_the_components_whose_cost_differs() -> None:
    before, after = platform(gateways=1), platform(gateways=3)

    change = cost_change(cost_of(before), before, cost_of(after), after)

    assert [(step.component, round(step.difference_usd or 0, 2)) for step in change.steps] == [("p-network", 65.70)]
    assert change.difference_usd == pytest.approx(65.70)


def test_nothing_changes_between_equals() -> None:
    graph = platform()

    change = cost_change(cost_of(graph), graph, cost_of(graph), graph)

    assert not change.steps
    assert change.difference_usd == 0

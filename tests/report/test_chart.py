"""The timeline as a chart: readable at any width, and without colour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs import CLUSTER, VPC, graph_of, graphs, resource

from penstock.graph.graph import Graph
from penstock.report import chart
from penstock.timeline.timeline import schedule


def lines(graph: Graph, width: int = 100) -> list[str]:
    return list(chart.lines(schedule(graph), graph, width=width))


def test_bars_stand_where_and_as_long_as_resources_are_made() -> None:
    network = resource(VPC, "network")
    part = resource(CLUSTER, "main", using={"x": [network]})
    _, first, second = lines(graph_of(network, part))

    assert first.startswith("network (Vpc)")
    assert "#" in first
    assert first.rstrip().endswith("17 s")
    assert second.index("#") > first.index("#")
    assert second.count("#") > first.count("#")
    assert second.rstrip().endswith("10 min")


def test_the_critical_path_is_reported_from_what_is_beside_it() -> None:
    graph = graph_of(resource(CLUSTER, "main"), resource(VPC, "beside"))
    rows = {line.split()[0]: line for line in lines(graph)}

    assert "#" in rows["main"]
    assert "#" not in rows["beside"]
    assert "=" in rows["beside"]


def test_a_long_program_has_a_short_chart_with_all_that_decides() -> None:
    many = [resource(VPC, f"v{index}") for index in range(100)]
    rows = lines(graph_of(*many, resource(CLUSTER, "main")))

    assert len(rows) == chart.ROWS + 1
    assert any(line.startswith("main") for line in rows)


def test_a_short_step_on_the_critical_path_is_shown_before_longer_ones_beside_it() -> None:
    beside = [resource("aws:ec2/natGateway:NatGateway", f"n{index}") for index in range(chart.ROWS)]
    first = resource(VPC, "first")
    rows = lines(graph_of(*beside, first, resource(CLUSTER, "main", using={"x": [first]})))

    assert any(line.startswith("first") for line in rows)


def test_a_wait_without_need_is_reported_when_it_costs_a_minute() -> None:
    slow = resource(CLUSTER, "slow")
    costly, cheap = (
        graph_of(slow, resource(type_, "late", after=[slow])) for type_ in ("aws:rds/instance:Instance", VPC)
    )

    assert lines(costly)[-1] == "late (Instance) waits for slow (Cluster) and uses nothing of it: 9 min more."
    assert not any("waits for" in line for line in lines(cheap))


def test_nothing_has_no_chart() -> None:
    assert not lines(graph_of())
    assert not lines(graph_of(resource("my:index:Component", "c", custom=False)))


@given(graphs(), st.integers(20, 200))
def test_a_chart_keeps_to_its_width(graph: Graph, width: int) -> None:
    rows = [line for line in lines(graph, width) if "waits for" not in line]

    assert all(len(line) <= width for line in rows)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_chart_is_of_plain_characters(width: int) -> None:
    assert all(line.isascii() for line in lines(graph_of(resource(CLUSTER, "main")), width))

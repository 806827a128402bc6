"""The bill in a terminal of whatever width."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from tests.graphs import graph_of, resource

from penstock.cost import cost_of, grouped
from penstock.graph.graph import STACK_TYPE
from penstock.report.cost import Bill
from penstock.report.cost_table import show


def shown(width: int) -> str:
    stack = resource(STACK_TYPE, "stack", custom=False)
    gateways = [resource("aws:ec2/natGateway:NatGateway", f"nat{number}", parent=stack) for number in range(3)]
    keys = [resource("aws:kms/key:Key", f"key{number}", parent=stack) for number in range(2)]
    graph = graph_of(stack, *gateways, *keys)
    cost = cost_of(graph)
    printed = io.StringIO()
    show(Bill("dev", "p", cost, "type", grouped(cost, graph, "type"), (), ()), Console(file=printed, width=width))
    return printed.getvalue()


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_a_narrow_terminal_shows_the_same_figures(width: int) -> None:
    text = re.sub(r"\s+", " ", shown(width))

    assert "98.55" in text
    assert "2,190" in text
    assert "0.045/hour" in text
    assert max(map(len, shown(width).splitlines()[1:8])) <= width

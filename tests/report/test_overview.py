"""What follows from a rehearsal follows from any, whatever is not known of it or is wrong in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.environments import rehearsed

from penstock.app.assess import overview_of
from penstock.graph.graph import Graph
from penstock.graph.values import UNKNOWN, Secret
from penstock.report import html, json
from penstock.simulate.run import Rehearsal
from penstock.timeline.faults import parse_faults

STACKS = Path(__file__).parents[2] / "stacks"


@cache
def trained() -> Rehearsal:
    return rehearsed("aws-train")


def spoiled(value: Any, odd: Any, depth: int) -> Any:
    if depth == 0:
        return Secret(value) if odd is Secret else odd
    if isinstance(value, Mapping):
        return {key: spoiled(item, odd, depth - 1) for key, item in value.items()}
    return [spoiled(item, odd, depth - 1) for item in value] if isinstance(value, list) else spoiled(value, odd, 0)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("odd", [UNKNOWN, Secret, "odd", -1, [], {}, True], ids=repr)
def test_odd_inputs_end_no_report(odd: Any, depth: int) -> None:
    rehearsal = trained()
    resources = {each.urn: replace(each, inputs=spoiled(each.inputs, odd, depth)) for each in rehearsal.graph}
    graph = Graph(rehearsal.graph.project, rehearsal.graph.stack, resources)

    reported = overview_of(
        replace(rehearsal, graph=graph), environment="odd", cloud=None, faults=parse_faults(["seed=1"])
    )

    assert json.render(reported)
    assert html.render(reported)

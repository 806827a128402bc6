"""Charts that bring monitors are installed once the cluster knows monitors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.environments import STACKS, rehearsed

from penstock.graph.graph import Graph, Resource
from penstock.kubernetes.facts.charts import RELEASE

CRDS = "prometheus-operator-crds"


def monitored(values: Any) -> bool:
    """Whether values turn a monitor on, however deep."""
    if isinstance(values, Mapping):
        its = values.get("serviceMonitor")
        return (isinstance(its, Mapping) and its.get("enabled") is True) or any(map(monitored, values.values()))
    return False


def needed(resource: Resource, graph: Graph) -> Iterator[Resource]:
    """All that is there before a resource is created."""
    seen, waiting = set[str](), list(resource.dependencies)
    while waiting:
        urn = waiting.pop()
        if urn in seen or urn not in graph.resources:
            continue
        seen.add(urn)
        yield graph[urn]
        waiting += graph[urn].dependencies


@pytest.mark.parametrize("stack", STACKS)
def test_a_chart_with_monitors_waits_for_their_kind(stack: str) -> None:
    graph = rehearsed(stack).graph
    for release in graph.of_type(RELEASE):
        if monitored(release.inputs.get("values")) and release.inputs["chart"] != CRDS:
            charts = [str(each.inputs.get("chart")) for each in needed(release, graph)]
            assert any(CRDS in chart for chart in charts), release.name

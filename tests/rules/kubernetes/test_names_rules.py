"""Names, labels and annotations: what an API server takes."""

from __future__ import annotations

from dataclasses import replace

from tests.programs import graph_of

from penstock.graph.graph import Graph
from penstock.kubernetes.rules.types import CONFIG_MAP
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings


def test_an_object_without_a_name_is_held_to_that_of_its_resource() -> None:
    (urn, resource), *_ = graph_of({"it": (CONFIG_MAP, {})}).resources.items()
    graph = Graph("project", "stack", {urn: replace(resource, name="myConfig")})

    (finding,) = judge(graph, Settings(), RuleKind.PROVIDER).findings

    assert finding.code == "k8s-object-name-form"
    assert "myConfig-" in finding.message

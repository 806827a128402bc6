"""Namespaces of add-ons: each is ours, and goes with the platform."""

from __future__ import annotations

import pytest
from tests.kubernetes.every_addon import DESCRIPTIONS, built

from penstock.resources.graph import Graph, Resource

RELEASE, NAMESPACE = "kubernetes:helm.sh/v3:Release", "kubernetes:core/v1:Namespace"


def waited_for(graph: Graph, resource: Resource) -> set[str]:
    """All that is there before a resource."""
    found: set[str] = set()
    open_ = [resource.urn]
    while open_:
        for urn in graph.resources[open_.pop()].dependencies:
            if urn not in found:
                found.add(urn)
                open_.append(urn)
    return found


@pytest.mark.parametrize("provider", DESCRIPTIONS)
def test_each_release_goes_into_a_namespace_that_is_destroyed_with_it(provider: str) -> None:
    for run in built(provider):
        ours = {each.inputs["metadata"]["name"]: each.urn for each in run.graph.of_type(NAMESPACE)}
        for release in run.graph.of_type(RELEASE):
            if release.inputs["namespace"] == "kube-system":
                continue
            assert not release.inputs.get("createNamespace")
            assert ours[release.inputs["namespace"]] in waited_for(run.graph, release), release.name

"""Namespaces of add-ons: each is ours, and goes with the platform."""

from __future__ import annotations

import pytest
from tests.addon_cases import PLATFORMS
from tests.kubernetes.every_addon import built

from penstock import description
from penstock.graph.graph import Graph, Resource
from penstock.platform.namespace_labels import labels

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


@pytest.mark.parametrize("provider", PLATFORMS)
def test_each_release_goes_into_a_namespace_that_is_destroyed_with_it(provider: str) -> None:
    for run in built(provider):
        ours = {each.inputs["metadata"]["name"]: each.urn for each in run.graph.of_type(NAMESPACE)}
        for release in run.graph.of_type(RELEASE):
            if release.inputs["namespace"] == "kube-system":
                continue
            assert not release.inputs.get("createNamespace")
            assert ours[release.inputs["namespace"]] in waited_for(run.graph, release), release.name


@pytest.mark.parametrize("provider", PLATFORMS)
def test_each_namespace_says_whose_it_is(provider: str) -> None:
    for run in built(provider, owner="training", tags={"cost-center": "4711"}):
        for each in run.graph.of_type(NAMESPACE):
            found = each.inputs["metadata"]["labels"]
            assert (found["owner"], found["environment"], found["cost-center"]) == ("training", "prod", "4711")


def test_its_own_labels_stay_beside_those() -> None:
    (run,) = built("kubernetes", tags={"penstock.dev/team": "everybody"})

    (team,) = [each for each in run.graph.of_type(NAMESPACE) if each.inputs["metadata"]["name"] == "vision"]
    assert team.inputs["metadata"]["labels"]["penstock.dev/team"] == "vision"


@pytest.mark.parametrize(
    ("owner", "label"),
    [("ml@example.com", "ml-example.com"), ("ML Platform (SF)", "ML-Platform-SF"), ("x" * 80, "x" * 63)],
)
def test_an_owner_that_is_no_label_is_still_known(owner: str, label: str) -> None:
    assert labels(description.parse({**PLATFORMS["kubernetes"], "owner": owner}))["owner"] == label


def test_what_cannot_be_a_label_is_left_out() -> None:
    found = labels(description.parse({**PLATFORMS["kubernetes"], "tags": {"cost center": "1", "note": "!"}}))

    assert found == {"platform": "platform", "environment": "prod"}

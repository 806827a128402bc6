"""Pools are counted once: their resources describe them, and components only where those cannot yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.programs import graph_of

from penstock.gcp.types import CONTAINER_NODE_POOL
from penstock.graph.graph import Graph
from penstock.graph.values import UNKNOWN
from penstock.graph.view import Site, View
from penstock.model.pools import described_pools, program_pools
from penstock.policies.pool_verdicts import judge_idle_machines, total_of
from penstock.rules.settings import Settings

COMPONENT = "penstock:aws:NodePool"
GROUP = "aws:eks/nodeGroup:NodeGroup"


def platform(maximum: Any, *, reported: bool = True, minimum: int = 0) -> Graph:
    """A component with four machines, and its node group with other bounds."""
    spec = {"name": "train", "accelerator": "h100", "nodes": {"min": 0, "max": 4}} if reported else {}
    scaling = {"minSize": minimum, "maxSize": maximum}
    graph = graph_of(
        {
            "train": (COMPONENT, spec),
            "group": (GROUP, {"instanceTypes": ["p5.48xlarge"], "scalingConfig": scaling}),
        }
    )
    (component,), (group,) = graph.of_type(COMPONENT), graph.of_type(GROUP)
    return replace(graph, resources={**graph.resources, group.urn: replace(group, parent=component.urn)})


@pytest.mark.parametrize(
    ("maximum", "reported", "parts", "unclear"),
    [
        pytest.param(8, True, (("group", 64),), False, id="what the cloud gets is counted"),
        pytest.param(UNKNOWN, True, (("train", 32),), False, id="the component speaks for what is not known"),
        pytest.param(8, False, (("group", 64),), False, id="a component that describes nothing is silent"),
        pytest.param(UNKNOWN, False, (), True, id="undetermined"),
    ],
)
def test_a_pool_is_counted_once(
    maximum: Any, reported: bool, parts: tuple[tuple[str, int], ...], unclear: bool
) -> None:
    found = total_of(program_pools(Site(platform(maximum, reported=reported)), "aws"))

    assert (found.parts, found.unclear) == (parts, unclear)


def test_a_pool_that_idles_is_reported_of_once() -> None:
    graph = platform(8, minimum=2)
    site = Site(graph)
    said = [
        judge_idle_machines(described_pools(View(resource, site)), Settings(environment="dev")) for resource in graph
    ]

    assert [failure.path for verdict in said for failure in verdict.failures] == ["scalingConfig.minSize"]


def test_slices_of_a_component_are_counted_once() -> None:
    slice_ = {
        "nodeLocations": ["us-east5-a"],
        "nodeConfig": {"machineType": "ct5p-hightpu-4t"},
        "autoscaling": {"minNodeCount": 0, "maxNodeCount": 16},
    }
    spec = {"accelerator": "tpu-v5p", "topology": "4x4x4", "slices": 2, "nodes": {"min": 0, "max": 32}}
    graph = graph_of(
        {
            "slices": ("penstock:gcp:TpuPool", spec),
            "first": (CONTAINER_NODE_POOL, slice_),
            "second": (CONTAINER_NODE_POOL, slice_),
        }
    )
    (component,) = graph.of_type("penstock:gcp:TpuPool")
    inside = {each.urn: replace(each, parent=component.urn) for each in graph.of_type(CONTAINER_NODE_POOL)}

    found = total_of(program_pools(Site(replace(graph, resources={**graph.resources, **inside})), "gcp"), chips=True)

    assert found.parts == (("first", 64), ("second", 64))


def test_a_total_tells_the_largest_pools_first() -> None:
    groups = {
        f"pool-{number}": (GROUP, {"instanceTypes": ["p5.48xlarge"], "scalingConfig": {"maxSize": number}})
        for number in range(1, 6)
    }

    found = total_of(program_pools(Site(graph_of(groups)), "aws"))

    assert (found.number, found.in_words()) == (120, "pool-5 40, pool-4 32, pool-3 24 and 2 more")

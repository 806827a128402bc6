"""Platforms performed: the real Pulumi CLI and Kubernetes provider build them on a real control plane, and clear it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.addon_cases import record_performed
from tests.cluster import stage
from tests.cluster.api import Api, Object
from tests.cluster.contents import clear_nodes, held, left
from tests.cluster.control_plane import ControlPlane
from tests.cluster.nodes import join, machines
from tests.cluster.objects import manifests
from tests.cluster.stand_ins import define_kinds, write_charts
from tests.environments import PROJECT, STACKS, environment, rehearsed

from penstock import description
from penstock.description.nodes import nodes_of
from penstock.graph.graph import Graph
from penstock.kubernetes.facts import chart_crds, charts
from penstock.kubernetes.facts.charts import RELEASE

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(stage.missing()), reason=stage.missing())]


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "charts"
    folder.mkdir()
    return folder


@pytest.fixture
def empty(bare_cluster: ControlPlane) -> Iterator[ControlPlane]:
    """The cluster, whose machines leave with the test."""
    yield bare_cluster
    clear_nodes(bare_cluster.api)


@pytest.mark.parametrize("stack", STACKS)
def test_a_platform_is_built_stays_as_it_is_and_leaves_nothing(
    stack: str, empty: ControlPlane, mirror: Path, request: pytest.FixtureRequest
) -> None:
    graph = rehearsed(stack).graph
    define_kinds(empty.api, graph, installed=write_charts(graph, mirror))
    bring_runtimes(empty.api, stack)
    join(empty.api, machines(stack))
    before = held(empty.api)

    with stage.performed(stage.with_charts(environment(stack), mirror), empty) as scratch:
        scratch.order()
        up = scratch.stack.up()
        absent = [manifest for _, manifest in manifests(graph) if empty.api.find(manifest) is None]
        scratch.settle()
        second = scratch.stack.up()
        scratch.settle()
        if any(resource.get("protect") for resource in scratch.resources()):
            scratch.pulumi("state", "unprotect", "--all", "--yes")
        scratch.stack.destroy()
    for definition in kinds_that_survive(empty.api, graph):
        empty.api.delete(definition)

    assert up.summary.resource_changes == {"create": counted(graph)}
    assert absent == []
    assert second.summary.resource_changes == {"same": counted(graph)}
    assert left(empty.api, before) == []
    if request.config.getoption("--accept"):
        record_performed(stack, datetime.now(tz=UTC).date())


def counted(graph: Graph) -> int:
    """How many resources the CLI counts: all but the providers that it makes by itself for a package."""
    return sum(not (each.type.startswith("pulumi:providers:") and each.name.startswith("default_")) for each in graph)


def bring_runtimes(api: Api, stack: str) -> None:
    """Create the runtime classes that pods with accelerators name, which the cluster has by itself, as k3s does."""
    pools = nodes_of(description.load(PROJECT.stack_file(stack)))
    for name in {pool.runtime_class for pool in pools if pool.runtime_class}:
        metadata = {"name": name}
        api.apply({"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": metadata, "handler": name})


def kinds_that_survive(api: Api, graph: Graph) -> list[Object]:
    """The definitions that charts of a program keep when these go, as the charts' rows say, to keep their objects."""
    named = {str(release.inputs["name"]) for release in graph.of_type(RELEASE)}
    groups = {group for name in named if charts.find_chart(name).crds_survive for group in chart_crds.groups(name)}
    definitions = api.objects("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    return [
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", **each}
        for each in definitions
        if each["spec"]["group"] in groups
    ]

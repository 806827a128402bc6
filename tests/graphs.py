"""Graphs made by hand and by chance, for what is a function of a Graph alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from penstock.graph.graph import DEFAULT_OPTIONS, Graph, Options, Resource

VPC, SUBNET, CLUSTER = "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:eks/cluster:Cluster"


def resource(
    type_: str,
    name: str,
    *,
    after: Iterable[Resource] = (),
    using: Mapping[str, Iterable[Resource]] | None = None,
    inputs: Mapping[str, Any] | None = None,
    parent: Resource | None = None,
    custom: bool = True,
    external: bool = False,
    options: Options = DEFAULT_OPTIONS,
) -> Resource:
    """A resource that waits for those it comes `after`, and for those whose values its properties are `using`."""
    flows = {key: tuple(each.urn for each in sources) for key, sources in (using or {}).items()}
    dependencies = {each.urn for each in after} | {urn for urns in flows.values() for urn in urns}
    return Resource(
        urn=f"urn:pulumi:s::p::{type_}::{name}",
        type=type_,
        name=name,
        custom=custom,
        id=f"{name}-id" if custom else "",
        inputs=inputs or {},
        outputs={},
        parent=parent.urn if parent else "",
        provider="",
        dependencies=tuple(sorted(dependencies)),
        property_dependencies=flows,
        options=options,
        place=None,
        external=external,
    )


def graph_of(*resources: Resource) -> Graph:
    """A Graph of these, in this order."""
    return Graph("p", "s", {each.urn: each for each in resources})


def awaited(graph: Graph, urn: str) -> set[str]:
    """Everything that must be there before a resource, however far back."""
    before: set[str] = set()
    todo = [urn]
    while todo:
        new = set(graph[todo.pop()].dependencies) - before
        before |= new
        todo += new
    return before


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs of any shape, in which a resource may use any that come before it, or only wait for them.

    Some are components, some are the parent of others, some are only looked up.
    """
    made: list[Resource] = []
    for index in range(draw(st.integers(1, 25))):
        some = st.lists(st.sampled_from(made), max_size=3) if made else st.just([])
        type_ = draw(st.sampled_from([VPC, SUBNET, CLUSTER, "my:index:Component"]))
        custom = type_ != "my:index:Component"
        made.append(
            resource(
                type_,
                f"r{index}",
                after=draw(some),
                using={"vpcId": draw(some)} if custom else {},
                parent=draw(st.none() | st.sampled_from(made)) if made else None,
                custom=custom,
                external=custom and draw(st.integers(0, 9)) == 0,
            )
        )
    return graph_of(*made)

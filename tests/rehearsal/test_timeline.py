"""When what would be there."""

from __future__ import annotations

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_aws import ec2, eks
from tests.descriptions import TRAINING, changed

from penstock.catalog import latencies
from penstock.rehearsal.graph import DEFAULT_OPTIONS, Graph, Resource
from penstock.rehearsal.timeline import schedule
from penstock.testing import rehearse

VPC, SUBNET = "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet"


def seconds(type_: str) -> float:
    return latencies.of(type_).median_s


def test_a_resource_starts_when_what_it_needs_has_ended() -> None:
    def program() -> None:
        ec2.Subnet("s", vpc_id=ec2.Vpc("v", cidr_block="10.0.0.0/16").id)

    timeline = schedule(rehearse(program).graph)

    assert timeline.makespan_s == seconds(VPC) + seconds(SUBNET)
    assert [urn.rsplit("::", 1)[-1] for urn in timeline.critical_path] == ["v", "s"]


def test_what_needs_nothing_of_each_other_is_made_at_once() -> None:
    def program() -> None:
        for index in range(5):
            ec2.Vpc(f"v{index}", cidr_block=f"10.{index}.0.0/16")

    graph = rehearse(program).graph

    assert schedule(graph).makespan_s == seconds(VPC)
    assert schedule(graph, parallel=2).makespan_s == 3 * seconds(VPC)


def test_the_first_accelerator_comes_with_the_first_pool_that_starts_one() -> None:
    platform = rehearse(changed("node_pools.1.nodes", 2)).graph
    timeline = schedule(platform)
    (train,) = (group for group in platform.of_type("aws:eks/nodeGroup:NodeGroup") if "train" in group.name)

    assert timeline.time_to_first_accelerator_s == timeline.ends[train.urn]


def test_a_pool_that_starts_empty_brings_no_accelerator() -> None:
    assert schedule(rehearse(TRAINING).graph).time_to_first_accelerator_s is None


def test_a_provider_is_waited_for() -> None:
    def program() -> None:
        cluster = eks.Cluster("c", role_arn="r", vpc_config={"subnet_ids": ["s"]})
        from pulumi_kubernetes import Provider
        from pulumi_kubernetes.helm.v3 import Release

        Release("r", chart="c", opts=pulumi.ResourceOptions(provider=Provider("p", kubeconfig=cluster.endpoint)))

    names = [urn.rsplit("::", 1)[-1] for urn in schedule(rehearse(program).graph).critical_path]

    assert names == ["c", "r"]


def test_nothing_takes_no_time() -> None:
    assert schedule(Graph("p", "s", {})).makespan_s == 0


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs of any shape, in which a resource may need any that come before it."""
    resources: dict[str, Resource] = {}
    for index in range(draw(st.integers(1, 25))):
        needs = draw(st.sets(st.sampled_from(sorted(resources)), max_size=3)) if resources else set()
        type_ = draw(st.sampled_from([VPC, SUBNET, "aws:eks/cluster:Cluster"]))
        urn = f"urn:pulumi:s::p::{type_}::r{index}"
        resources[urn] = Resource(
            urn, type_, f"r{index}", True, "", {}, {}, "", "", tuple(sorted(needs)), {}, DEFAULT_OPTIONS, None
        )  # fmt: skip
    return Graph("p", "s", resources)


@given(graphs(), st.integers(1, 4))
def test_no_order_is_broken_and_no_slot_used_twice(graph: Graph, parallel: int) -> None:
    timeline = schedule(graph, parallel=parallel)
    starts = {resource.urn: timeline.ends[resource.urn] - seconds(resource.type) for resource in graph}

    for resource in graph:
        assert all(starts[resource.urn] >= timeline.ends[need] for need in resource.dependencies)
        under_way = [urn for urn in starts if starts[urn] <= starts[resource.urn] < timeline.ends[urn]]
        assert len(under_way) <= parallel


@given(graphs())
def test_with_slots_enough_the_critical_path_is_the_makespan(graph: Graph) -> None:
    timeline = schedule(graph, parallel=len(graph))

    assert timeline.makespan_s == pytest.approx(sum(seconds(graph[urn].type) for urn in timeline.critical_path))

"""When what would be there."""

from __future__ import annotations

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_aws import ec2, eks
from tests.descriptions import TRAINING, changed
from tests.graphs import CLUSTER, SUBNET, VPC, graph_of, graphs, resource

from penstock.catalog import latencies
from penstock.graph.graph import Graph, Options
from penstock.testing import rehearse
from penstock.timeline.needs import waits
from penstock.timeline.timeline import schedule

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
ADDON = "aws:eks/addon:Addon"


def seconds(type_: str) -> float:
    return latencies.latency_of(type_).median_s


def test_a_resource_starts_when_what_it_needs_has_ended() -> None:
    def program() -> None:
        ec2.Subnet("s", vpc_id=ec2.Vpc("v", cidr_block="10.0.0.0/16").id)

    timeline = schedule(rehearse(program).graph)

    assert timeline.makespan_s == seconds(VPC) + seconds(SUBNET)
    assert [urn.rsplit("::", 1)[-1] for urn in timeline.critical_path] == ["v", "s"]


def test_the_best_case_and_the_95th_percentile_are_those_of_each_resource() -> None:
    figures = latencies.latency_of(CLUSTER)
    span = schedule(graph_of(resource(CLUSTER, "c"))).makespan

    assert (span.min_s, span.median_s, span.p95_s) == (figures.min_s, figures.median_s, figures.p95_s)


def test_what_needs_nothing_of_each_other_is_made_at_once() -> None:
    def program() -> None:
        for index in range(5):
            ec2.Vpc(f"v{index}", cidr_block=f"10.{index}.0.0/16")

    graph = rehearse(program).graph

    assert schedule(graph).makespan_s == seconds(VPC)
    assert schedule(graph, parallel=2).makespan_s == 3 * seconds(VPC)


def test_a_child_waits_for_a_parent_that_is_a_resource_of_a_cloud() -> None:
    def program() -> None:
        parent = ec2.Vpc("v", cidr_block="10.0.0.0/16")
        ec2.Vpc("w", cidr_block="10.1.0.0/16", opts=pulumi.ResourceOptions(parent=parent))

    assert schedule(rehearse(program).graph).makespan_s == 2 * seconds(VPC)


def test_a_child_does_not_wait_for_its_siblings() -> None:
    def program() -> None:
        child = pulumi.ResourceOptions(parent=pulumi.ComponentResource("my:index:Component", "c"))
        ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=child)
        ec2.Vpc("w", cidr_block="10.1.0.0/16", opts=child)

    assert schedule(rehearse(program).graph).makespan_s == seconds(VPC)


def test_what_is_only_looked_up_takes_as_long_as_a_look_up() -> None:
    graph = graph_of(resource(CLUSTER, "c", external=True), resource(CLUSTER, "d", options=Options(import_id="d")))

    assert schedule(graph).makespan_s == latencies.of_reading().median_s


def test_the_first_accelerator_comes_with_the_first_pool_that_starts_one() -> None:
    platform = rehearse(changed("node_pools.1.nodes", 2)).graph
    timeline = schedule(platform)
    (train,) = (group for group in platform.of_type(NODE_GROUP) if "train" in group.name)

    assert timeline.time_to_first_accelerator_s == timeline.ends[train.urn]


def test_a_pool_that_starts_empty_brings_no_accelerator() -> None:
    timeline = schedule(rehearse(TRAINING).graph)

    assert timeline.time_to_first_accelerator_s is None
    assert timeline.first_accelerator is None
    assert timeline.first_accelerator_bound_s is None


def test_a_provider_is_waited_for() -> None:
    def program() -> None:
        cluster = eks.Cluster("c", role_arn="r", vpc_config={"subnet_ids": ["s"]})
        from pulumi_kubernetes import Provider
        from pulumi_kubernetes.helm.v3 import Release

        Release("r", chart="c", opts=pulumi.ResourceOptions(provider=Provider("p", kubeconfig=cluster.endpoint)))

    names = [urn.rsplit("::", 1)[-1] for urn in schedule(rehearse(program).graph).critical_path]

    assert names == ["c", "r"]


def test_an_addon_ends_after_the_nodes_that_it_does_not_wait_for() -> None:
    cluster = resource(CLUSTER, "c")
    group = resource(NODE_GROUP, "g", using={"clusterName": [cluster]})
    names = resource(ADDON, "dns", using={"clusterName": [cluster]}, inputs={"addonName": "coredns"})
    network = resource(ADDON, "cni", using={"clusterName": [cluster]}, inputs={"addonName": "vpc-cni"})

    timeline = schedule(graph_of(cluster, names, network, group))

    assert timeline.ends[names.urn] > timeline.ends[group.urn]
    assert timeline.starts[network.urn] == timeline.ends[cluster.urn]


def test_nodes_that_wait_for_an_addon_come_after_it() -> None:
    cluster = resource(CLUSTER, "c")
    names = resource(ADDON, "dns", using={"clusterName": [cluster]}, inputs={"addonName": "coredns"})
    group = resource(NODE_GROUP, "g", using={"clusterName": [cluster]}, after=[names])

    timeline = schedule(graph_of(cluster, names, group))

    assert timeline.starts[group.urn] == timeline.ends[names.urn]


def test_nothing_takes_no_time() -> None:
    timeline = schedule(Graph("p", "s", {}))

    assert timeline.makespan_s == timeline.bound_s == 0
    assert not timeline.critical_path
    assert not timeline.excess


def test_all_work_shared_among_the_operations_at_once_is_a_bound_too() -> None:
    graph = graph_of(*(resource(VPC, f"v{index}") for index in range(10)))

    assert schedule(graph, parallel=2).bound_s == 5 * seconds(VPC)


def test_a_wait_without_need_is_reported_with_what_it_costs() -> None:
    slow, group = resource(CLUSTER, "slow"), resource(SUBNET, "own")
    waiting = resource(VPC, "v", after=[slow], using={"tags": [group]})
    timeline = schedule(graph_of(slow, group, waiting))
    (excess,) = timeline.excess

    assert (excess.waiting, excess.dependency) == (waiting.urn, slow.urn)
    assert excess.saves_s == seconds(VPC)  # then the cluster alone decides
    assert timeline.bound_s == seconds(CLUSTER)


def test_a_wait_that_delays_the_first_accelerator_is_distinguished() -> None:
    slow, later = resource(CLUSTER, "slow"), resource(CLUSTER, "later")
    gpu = resource("aws:ec2/instance:Instance", "gpu", after=[slow], inputs={"instanceType": "p5.48xlarge"})
    tail = resource(CLUSTER, "tail", using={"x": [later]})
    (excess,) = schedule(graph_of(slow, later, gpu, tail)).excess

    assert excess.saves_s == 0
    assert excess.saves_first_accelerator_s == seconds(CLUSTER)


@given(graphs(), st.integers(1, 4))
def test_no_order_is_broken_and_no_slot_used_twice(graph: Graph, parallel: int) -> None:
    timeline = schedule(graph, parallel=parallel)
    before = waits(graph)

    for each in graph:
        assert all(timeline.starts[each.urn] >= timeline.ends[need] for need in before[each.urn])
        start = timeline.starts[each.urn]
        under_way = [urn for urn in timeline.starts if timeline.starts[urn] <= start < timeline.ends[urn]]
        assert len(under_way) <= parallel


@given(graphs(), st.integers(1, 16))
def test_no_schedule_is_shorter_than_the_bound(graph: Graph, parallel: int) -> None:
    timeline = schedule(graph, parallel=parallel)

    assert timeline.bound_s <= timeline.makespan_s + 1e-6


@given(graphs(), st.integers(1, 16))
def test_the_median_lies_between_the_fastest_and_the_slowest(graph: Graph, parallel: int) -> None:
    span = schedule(graph, parallel=parallel).makespan

    assert span.min_s <= span.median_s <= span.p95_s


@given(graphs())
def test_with_slots_enough_the_critical_path_is_the_makespan(graph: Graph) -> None:
    timeline = schedule(graph, parallel=len(graph))
    lengths = [timeline.ends[urn] - timeline.starts[urn] for urn in timeline.critical_path]

    assert timeline.makespan_s == pytest.approx(sum(lengths))

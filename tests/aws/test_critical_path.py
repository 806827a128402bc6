"""What waits for what, from an empty account to nodes: each false wait would delay the first accelerator."""

from __future__ import annotations

import pytest
from tests.graphs import awaited

from penstock.aws.components.cluster import Cluster
from penstock.aws.components.keys import Keys
from penstock.aws.components.network import Network
from penstock.aws.components.node_pool import NodePool
from penstock.description.block import HoldingSpec
from penstock.description.cluster import ClusterSpec
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

ZONES = ("us-east-1a", "us-east-1b")
CLUSTER = "aws:eks/cluster:Cluster"
GROUP = "aws:eks/nodeGroup:NodeGroup"
NAT = "aws:ec2/natGateway:NatGateway"
ADDON = "aws:eks/addon:Addon"


def program(*pools: str) -> None:
    keys = Keys("keys", HoldingSpec(), region="us-east-1", account="123456789012")
    network = Network("net", NetworkSpec(), zones=ZONES, region="us-east-1", key=keys.logs).handle
    cluster = Cluster("main", ClusterSpec(), network=network, key=keys.cluster, logs_key=keys.logs).handle
    for pool in pools:
        spec = NodePoolSpec.model_validate({"name": pool, "accelerator": "h100", "nodes": {"min": 0, "max": 4}})
        NodePool(pool, spec, cluster=cluster, network=network, key=keys.data)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearse(lambda: program("train")).graph


def one(graph: Graph, type_: str) -> str:
    (resource,) = graph.of_type(type_)
    return resource.urn


def test_the_control_plane_starts_before_the_nat_gateways_are_there(graph: Graph) -> None:
    before = awaited(graph, one(graph, CLUSTER))

    assert not before & {gateway.urn for gateway in graph.of_type(NAT)}


def test_nodes_start_when_they_can_reach_images_and_become_ready(graph: Graph) -> None:
    before = awaited(graph, one(graph, GROUP))

    assert {gateway.urn for gateway in graph.of_type(NAT)} <= before
    assert {endpoint.urn for endpoint in graph.of_type("aws:ec2/vpcEndpoint:VpcEndpoint")} <= before
    assert {addon.inputs["addonName"] for addon in graph.of_type(ADDON) if addon.urn in before} == {
        "vpc-cni",
        "kube-proxy",
        "eks-pod-identity-agent",
    }


def test_addons_wait_for_no_node_in_the_program(graph: Graph) -> None:
    group = one(graph, GROUP)

    assert not [addon for addon in graph.of_type(ADDON) if group in awaited(graph, addon.urn)]


def test_adding_a_pool_leaves_the_others_alone(graph: Graph) -> None:
    more = rehearse(lambda: program("batch", "train")).graph

    for resource in graph:
        assert more[resource.urn].inputs == resource.inputs

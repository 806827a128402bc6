"""What waits for what, from an empty project to nodes: each false wait would delay the first accelerator."""

from __future__ import annotations

import pytest
from tests.gcphandles import PROJECT
from tests.graphs import awaited

from penstock.description.block import HoldingSpec
from penstock.description.cluster import ClusterSpec
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.components.cluster import Cluster
from penstock.gcp.components.fabric import Fabric
from penstock.gcp.components.keys import Keys
from penstock.gcp.components.network import Network
from penstock.gcp.components.node_pool import NodePool
from penstock.gcp.components.project import Project
from penstock.gcp.facts import fabrics
from penstock.graph.graph import Graph
from penstock.testing import rehearse

REGION = "us-central1"
ZONES = ("us-central1-a", "us-central1-b")
APIS = (
    "binaryauthorization",
    "cloudkms",
    "compute",
    "container",
    "containerfilesystem",
    "iam",
    "lustre",
    "servicenetworking",
)
CLUSTER = "gcp:container/cluster:Cluster"
POOL = "gcp:container/nodePool:NodePool"
NAT = "gcp:compute/routerNat:RouterNat"
VPC = "gcp:compute/network:Network"
GRANT = "gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember"
MEMBER = "gcp:projects/iAMMember:IAMMember"
PEERING = "gcp:servicenetworking/connection:Connection"


def program(*pools: str) -> None:
    project = Project("project", project=PROJECT.id, apis=APIS).handle
    users = ("compute", "container", "lustre")
    keys = Keys("keys", HoldingSpec(), project=project, region=REGION, users=users)
    network = Network("net", NetworkSpec(), region=REGION, project=project, peered=True).handle
    cluster = Cluster(
        "main",
        ClusterSpec(admins=("user:ada@example.com",)),
        network=network,
        project=project,
        key=keys.cluster,
        disk_key=keys.data,
        multi_networking=True,
        drivers=(),
        zones=ZONES,
    ).handle
    fabric = Fabric(
        "tcpxo",
        fabric=fabrics.find_fabric("tcpxo"),
        zone=ZONES[0],
        region=REGION,
        project=project,
        first=0,
    ).handle
    for pool in pools:
        spec = NodePoolSpec.model_validate({"name": pool, "accelerator": "h100", "nodes": {"min": 0, "max": 4}})
        NodePool(pool, spec, cluster=cluster, network=network, key=keys.data, zones=ZONES, fabric=fabric)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearse(lambda: program("train")).graph


def names_before(graph: Graph, type_: str, *of_types: str) -> set[str]:
    (resource,) = graph.of_type(type_)
    before = awaited(graph, resource.urn)
    return {one.name for one in graph.of_type(*of_types) if one.urn in before}


def test_the_control_plane_waits_for_no_way_out_no_peering_and_no_fabric(graph: Graph) -> None:
    assert names_before(graph, CLUSTER, NAT, PEERING, MEMBER) == set()
    assert names_before(graph, CLUSTER, VPC) == {"net"}


def test_the_control_plane_waits_for_its_own_key_and_that_of_its_first_disks(graph: Graph) -> None:
    assert names_before(graph, CLUSTER, GRANT) == {"keys-cluster-container", "keys-data-compute"}


def test_the_control_plane_waits_for_no_api_that_it_does_not_use(graph: Graph) -> None:
    before = names_before(graph, CLUSTER, "gcp:projects/service:Service")

    assert before == {f"project-{api}" for api in ("binaryauthorization", "cloudkms", "compute", "container", "iam")}


def test_nodes_start_when_they_can_decrypt_reach_images_and_talk_to_each_other(graph: Graph) -> None:
    assert names_before(graph, POOL, GRANT) == {"keys-cluster-container", "keys-data-compute"}
    assert names_before(graph, POOL, NAT) == {"net-egress"}
    assert len(names_before(graph, POOL, VPC)) == 1 + 8
    assert names_before(graph, POOL, MEMBER) == {
        "main-nodes-defaultNodeServiceAccount",
        "main-nodes-reader",
        "main-nodes-serviceUsageConsumer",
    }


def test_nodes_wait_for_no_storage(graph: Graph) -> None:
    assert names_before(graph, POOL, PEERING) == set()


def test_networks_of_a_fabric_are_made_while_the_cluster_is(graph: Graph) -> None:
    (cluster,) = graph.of_type(CLUSTER)

    assert not [network.name for network in graph.of_type(VPC) if cluster.urn in awaited(graph, network.urn)]


def test_adding_a_pool_leaves_the_others_alone(graph: Graph) -> None:
    more = rehearse(lambda: program("batch", "train")).graph

    for resource in graph:
        assert more[resource.urn].inputs == resource.inputs

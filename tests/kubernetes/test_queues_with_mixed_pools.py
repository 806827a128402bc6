"""Queues over pools of which some keep their nodes and others come and go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, TRAINING, changed

from penstock.addons.queueing.flavors import topology_name
from penstock.aws.facts.network_layers import network_layers
from penstock.description import parse
from penstock.description.nodes import nodes_of
from penstock.platform import Platform
from penstock.testing import rehearse

KUEUE = "kubernetes:kueue.x-k8s.io/v1beta2"
TEAMS = changed("addons.queueing", {"teams": [{"name": "vision", "groups": ["ml-vision"]}]}, ONPREM_TRAINING)


def flavors_with_topology(description: Mapping[str, Any]) -> dict[str, bool]:
    graph = rehearse(lambda: Platform(parse(description))).graph
    found = graph.of_type(f"{KUEUE}:ResourceFlavor")
    return {each.inputs["metadata"]["name"]: "topologyName" in each.inputs["spec"] for each in found}


def test_nodes_that_stay_are_placed_on_by_topology() -> None:
    assert flavors_with_topology(TEAMS) == {"h100-on-demand": True}


def test_jobs_reach_every_flavor_where_some_nodes_come_and_go() -> None:
    elastic = {
        "name": "burst",
        "accelerator": "h200",
        "nodes": {"min": 0, "max": 4},
        "labels": {"nvidia.com/gpu.product": "NVIDIA-H200"},
    }
    (train,) = ONPREM_TRAINING["node_pools"]

    found = flavors_with_topology(changed("node_pools", [train, elastic], TEAMS))

    # Kueue takes plain jobs to a flavor with a topology only where every flavor of the queue has one.
    assert set(found.values()) == {False}
    assert len(found) == 2


LAYERS = "topology.k8s.aws/network-node-layer-"
NODE = "kubernetes.io/hostname"
BUDGET = {"monthly_usd": 900000, "alert_emails": ["platform@example.com"], "max_accelerators": 256}


@pytest.mark.parametrize(
    ("machine_type", "layers"),
    [
        ("p4d.24xlarge", 3),
        ("p5.48xlarge", 3),
        ("trn1.32xlarge", 3),
        ("g6e.48xlarge", 3),
        ("p6-b200.48xlarge", 4),
        ("g5.48xlarge", 0),
        ("g6.12xlarge", 0),
    ],
)
def test_on_eks_the_levels_are_the_labels_that_nodes_have(machine_type: str, layers: int) -> None:
    train = {"name": "train", "machine_type": machine_type, "nodes": 4, "fabric": "efa"}
    pools = [TRAINING["node_pools"][0], train]

    *_, nodes = nodes_of(parse({**TRAINING, "node_pools": pools, "storage": [], "budget": BUDGET}))

    assert nodes.topology == (*(f"{LAYERS}{layer}" for layer in range(1, layers + 1)), NODE)


def test_nodes_have_no_such_labels_in_regions_where_ec2_tells_no_topology() -> None:
    assert network_layers("p5.48xlarge", "eu-north-1") == 3
    assert network_layers("p5.48xlarge", "ap-southeast-5") == 0


def test_topologies_of_different_levels_have_different_names() -> None:
    three = [f"{LAYERS}{layer}" for layer in (1, 2, 3)]

    assert topology_name([*three, NODE]) != topology_name([*three, f"{LAYERS}4", NODE]) != topology_name([NODE])

"""Queues over pools of which some keep their nodes and others come and go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.descriptions import ONPREM_TRAINING, changed

from penstock import spec
from penstock.platform import Platform
from penstock.testing import rehearse

KUEUE = "kubernetes:kueue.x-k8s.io/v1beta2"
TEAMS = changed("addons.queueing", {"teams": [{"name": "vision", "groups": ["ml-vision"]}]}, ONPREM_TRAINING)


def flavors_with_topology(description: Mapping[str, Any]) -> dict[str, bool]:
    graph = rehearse(lambda: Platform(spec.parse(description))).graph
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

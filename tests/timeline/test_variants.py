"""What makes a resource slower than others of its type."""

from __future__ import annotations

from typing import Any

import pytest
from tests.graphs import graph_of, resource

from penstock.graph.view import Site, View
from penstock.timeline import variants

POOL = "gcp:container/nodePool:NodePool"


def variant(type_: str, **inputs: Any) -> str:
    it = resource(type_, "it", inputs=inputs)
    return variants.variant_of(View(it, Site(graph_of(it))))


@pytest.mark.parametrize(
    ("machine_type", "more", "expected"),
    [
        ("e2-standard-8", {}, ""),
        ("a3-ultragpu-8g", {}, "accelerated"),
        ("a4x-maxgpu-4g-metal", {}, "metal"),
        ("ct6e-standard-1t", {}, "accelerated"),
        ("ct5p-hightpu-4t", {"placementPolicy": {"type": "COMPACT", "tpuTopology": "4x4x4"}}, "slice"),
        ("a3-ultragpu-8g", {"placementPolicy": {"type": "COMPACT"}}, "accelerated"),
    ],
)
def test_a_node_pool_takes_as_long_as_its_machines(machine_type: str, more: dict[str, Any], expected: str) -> None:
    assert variant(POOL, nodeCount=1, nodeConfig={"machineType": machine_type}, **more) == expected


def test_a_pool_without_machines_is_only_a_record() -> None:
    assert variant(POOL, autoscaling={"minNodeCount": 0}, nodeConfig={"machineType": "a3-ultragpu-8g"}) == "empty"


@pytest.mark.parametrize(("over_efa", "expected"), [(True, "efa"), (False, "")])
def test_lustre_over_efa_takes_longer(over_efa: bool, expected: str) -> None:
    assert variant("aws:fsx/lustreFileSystem:LustreFileSystem", efaEnabled=over_efa) == expected


def test_all_else_is_alike() -> None:
    assert not variant("gcp:storage/bucket:Bucket")

"""What a pool of TPUs promises: whole slices, in one zone, placed by their topology."""

from __future__ import annotations

from typing import Any

from tests.gcphandles import CLUSTER, KEY, NETWORK

from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.components.handles import FabricHandle
from penstock.gcp.components.tpu_pool import TpuPool
from penstock.graph.graph import Graph
from penstock.testing import rehearse

POOL = "gcp:container/nodePool:NodePool"
POLICY = "gcp:compute/resourcePolicy:ResourcePolicy"
ZONES = ("us-central1-a", "us-central1-b")
V5P: dict[str, Any] = {"accelerator": "tpu-v5p", "topology": "4x4x4", "slices": 2, "nodes": {"min": 0, "max": 32}}


def build(*, fabric: FabricHandle | None = None, **words: object) -> Graph:
    spec = NodePoolSpec.model_validate({"name": "slices", **words})
    return rehearse(
        lambda: TpuPool("slices", spec, cluster=CLUSTER, network=NETWORK, key=KEY, zones=ZONES, fabric=fabric)
    ).graph


def pools(graph: Graph) -> dict[str, dict[str, Any]]:
    return {pool.name: dict(pool.inputs) for pool in graph.of_type(POOL)}


def summary(graph: Graph) -> str:
    (component,) = graph.of_type("penstock:gcp:TpuPool")
    return str(component.outputs["summary"])


def test_each_slice_is_a_pool_of_its_own_that_has_all_its_machines_or_none() -> None:
    built = pools(build(**V5P))

    assert set(built) == {"slices-0", "slices-1"}
    for pool in built.values():
        assert pool["autoscaling"] == {"minNodeCount": 0, "maxNodeCount": 16, "locationPolicy": "ANY"}
        assert pool["initialNodeCount"] == 0


def test_slices_that_are_always_there_come_first_and_whole() -> None:
    built = pools(build(**V5P | {"nodes": {"min": 16, "max": 32}}))

    assert built["slices-0"]["nodeCount"] == 16
    assert "autoscaling" not in built["slices-0"]
    assert built["slices-1"]["autoscaling"]["minNodeCount"] == 0


def test_one_more_slice_leaves_the_others_alone() -> None:
    before, after = build(**V5P), build(**V5P | {"slices": 3, "nodes": {"min": 0, "max": 48}})

    assert all(after[pool.urn].inputs == pool.inputs for pool in before.of_type(POOL))
    assert len(after.of_type(POOL)) == 3


def test_a_slice_is_upgraded_as_a_whole_and_single_hosts_one_after_the_other() -> None:
    small: dict[str, Any] = {"accelerator": "tpu-v6e", "topology": "4x4", "slices": 2, "nodes": {"min": 0, "max": 8}}
    (slice_, _) = pools(build(**small)).values()
    (alone,) = pools(build(accelerator="tpu-v6e", nodes={"min": 0, "max": 8})).values()

    assert slice_["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 0, "maxUnavailable": 4}
    assert alone["upgradeSettings"] == {"strategy": "SURGE", "maxSurge": 0, "maxUnavailable": 1}


def test_slices_of_several_machines_are_placed_by_their_topology() -> None:
    graph = build(**V5P)

    assert not graph.of_type(POLICY)
    for pool in pools(graph).values():
        assert pool["placementPolicy"] == {"type": "COMPACT", "tpuTopology": "4x4x4"}


def test_slices_of_tpu7x_share_a_policy_for_workloads() -> None:
    graph = build(accelerator="tpu7x", topology="4x4x4", slices=2, nodes={"min": 0, "max": 32})
    (policy,) = graph.of_type(POLICY)

    assert policy.inputs["workloadPolicy"] == {"type": "HIGH_THROUGHPUT", "acceleratorTopology": "4x4x4"}
    assert {pool["placementPolicy"]["policyName"] for pool in pools(graph).values()} == {policy.outputs["name"]}


def test_machines_that_hold_a_slice_alone_share_a_pool_and_take_no_topology() -> None:
    built = pools(build(accelerator="tpu-v5e", topology="2x2", nodes={"min": 0, "max": 4}))

    (pool,) = built.values()
    assert set(built) == {"slices"}
    assert "placementPolicy" not in pool
    assert pool["autoscaling"]["maxNodeCount"] == 4


def test_tpus_stand_in_one_zone() -> None:
    for graph in (build(**V5P), build(accelerator="tpu-v5e", nodes={"min": 0, "max": 4})):
        assert all(pool["nodeLocations"] == [ZONES[0]] for pool in pools(graph).values())


def test_the_taint_of_tpus_is_left_to_gke_and_that_of_gpus_is_not_theirs() -> None:
    assert all("taints" not in pool["nodeConfig"] for pool in pools(build(**V5P)).values())
    assert all("guestAccelerators" not in pool["nodeConfig"] for pool in pools(build(**V5P)).values())


def test_tpus_get_buffers_large_enough_for_traffic_between_slices() -> None:
    for pool in pools(build(**V5P)).values():
        sysctls = pool["nodeConfig"]["linuxNodeConfig"]["sysctls"]
        assert int(sysctls["net.ipv4.tcp_rmem"].split()[-1]) == 16 * 2**20


def test_a_second_interface_reaches_every_slice() -> None:
    fabric = FabricHandle(interfaces=(("second", "second-0"),))

    graph = build(accelerator="tpu-v6e", topology="4x4", nodes={"min": 0, "max": 4}, fabric=fabric)

    assert all(
        pool["networkConfig"]["additionalNodeNetworkConfigs"] == [{"network": "second", "subnetwork": "second-0"}]
        for pool in pools(graph).values()
    )


def test_flex_start_applies_to_slices_too() -> None:
    for pool in pools(build(**V5P, capacity="flex_start")).values():
        assert pool["nodeConfig"]["flexStart"] is True
        assert pool["management"]["autoRepair"] is False


def test_a_line_tells_people_what_the_slices_are() -> None:
    assert summary(build(**V5P, capacity="spot")) == "2 × 4x4x4, 16 × ct5p-hightpu-4t each, spot, us-central1-a"
    alone = build(machine_type="ct5lp-hightpu-4t", nodes={"min": 0, "max": 4})
    assert summary(alone) == "0 to 4 × ct5lp-hightpu-4t, on demand, us-central1-a"

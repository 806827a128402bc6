"""What a node pool promises: one owner of drivers, numbers left to the autoscaler, and machines that stay together."""

from __future__ import annotations

from typing import Any

import pytest
from tests.azurehandles import CLUSTER, GROUP, NETWORK, ZONES

from penstock.azure.components.node_pool import NodePool
from penstock.description.node_pool import NodePoolSpec
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

POOL = "azure-native:containerservice:AgentPool"
PLACEMENT = "azure-native:compute:ProximityPlacementGroup"
H100 = "Standard_ND96isr_H100_v5"
RESERVATION = (
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/main/providers/"
    "Microsoft.Compute/capacityReservationGroups/train"
)


def built(zones: tuple[str, ...] = ZONES, **fields: Any) -> Graph:
    spec = NodePoolSpec.model_validate({"name": "train", "machine_type": H100, "nodes": {"min": 0, "max": 16}} | fields)
    rehearsal = rehearse(
        lambda: NodePool("ai-prod-train", spec, cluster=CLUSTER, network=NETWORK, group=GROUP, zones=zones)
    )
    assert rehearsal.findings == ()
    return rehearsal.graph


def pool(**fields: Any) -> Resource:
    (found,) = built(**fields).of_type(POOL)
    return found


@pytest.mark.parametrize(
    ("machine_type", "driver"),
    [
        (H100, "None"),
        ("Standard_NC24ads_A100_v4", "Install"),
        ("Standard_ND96isr_MI300X_v5", "None"),
        ("Standard_D8ds_v5", None),
    ],
)
def test_one_party_installs_the_driver_of_gpus(machine_type: str, driver: str | None) -> None:
    assert pool(machine_type=machine_type).inputs.get("gpuProfile") == ({"driver": driver} if driver else None)


def test_numbers_belong_to_the_autoscaler_where_the_pool_has_bounds() -> None:
    scaled, fixed = pool(), pool(nodes=4)

    assert (scaled.inputs["minCount"], scaled.inputs["maxCount"]) == (0, 16)
    assert "count" in scaled.options.ignore_changes
    assert fixed.inputs["count"] == 4
    assert fixed.inputs["enableAutoScaling"] is False
    assert fixed.options.ignore_changes == ()


def test_only_spot_machines_have_the_words_of_spot() -> None:
    spot = pool(capacity="spot").inputs

    assert (spot["scaleSetPriority"], spot["scaleSetEvictionPolicy"], spot["spotMaxPrice"]) == ("Spot", "Delete", -1)
    assert not {"scaleSetPriority", "scaleSetEvictionPolicy", "spotMaxPrice"} & set(pool().inputs)


def test_reserved_machines_come_from_their_reservation() -> None:
    reserved = pool(capacity="reserved", reservation=RESERVATION)

    assert reserved.inputs["capacityReservationGroupID"] == RESERVATION


@pytest.mark.parametrize(
    ("fields", "zones"),
    [
        ({}, None),
        ({"zone": "eastus-3"}, ["3"]),
        ({"machine_type": "Standard_D8ds_v5"}, ["1", "2", "3"]),
        ({"fabric": "none"}, None),
        ({"machine_type": "Standard_NC24ads_A100_v4", "capacity": "spot"}, None),
        ({"machine_type": "Standard_ND96isr_MI300X_v5", "zone": "eastus-2"}, ["2"]),
    ],
)
def test_machines_with_accelerators_ask_for_a_zone_only_if_the_pool_names_one(
    fields: dict[str, Any], zones: list[str] | None
) -> None:
    assert pool(**fields).inputs.get("availabilityZones") == zones


def test_a_region_without_zones_is_no_obstacle() -> None:
    assert "availabilityZones" not in pool(zones=()).inputs


@pytest.mark.parametrize(
    ("name", "called"), [("train", "train"), ("batch-jobs-on-a100", 12), ("train-a", 10), ("averyverylongname", 12)]
)
def test_aks_calls_pools_by_names_that_it_takes(name: str, called: str | int) -> None:
    found = pool(name=name).inputs["agentPoolName"]

    assert found.isalnum()
    assert called in (found, len(found))


def test_scarce_machines_are_upgraded_in_place_and_together_where_they_share_a_job() -> None:
    assert pool().inputs["upgradeSettings"] == {"maxSurge": "0", "maxUnavailable": "100%"}
    assert pool(machine_type="Standard_NC24ads_A100_v4").inputs["upgradeSettings"]["maxUnavailable"] == "1"
    assert pool(machine_type="Standard_D8ds_v5").inputs["upgradeSettings"] == {"maxSurge": "1"}


def test_a_placement_group_is_made_where_one_is_wanted() -> None:
    graph = built(placement="cluster", zone="eastus-1")
    (group,), (made,) = graph.of_type(PLACEMENT), graph.of_type(POOL)

    assert made.inputs["proximityPlacementGroupID"] == group.id
    assert group.inputs["zones"] == ["1"]
    assert not built().of_type(PLACEMENT)


def test_machines_of_arm_run_the_one_system_that_they_can() -> None:
    assert pool(machine_type="Standard_ND128isr_NDR_GB200_v6").inputs["osSKU"] == "Ubuntu2404"
    assert pool().inputs["osSKU"] == "Ubuntu"


def test_nodes_of_gpus_keep_other_pods_away() -> None:
    assert pool().inputs["nodeTaints"] == ["nvidia.com/gpu=present:NoSchedule"]
    assert pool(machine_type="Standard_ND96isr_MI300X_v5").inputs["nodeTaints"] == ["amd.com/gpu=present:NoSchedule"]
    assert pool().inputs["nodeLabels"]["penstock.dev/pool"] == "train"


def test_the_gpu_operator_stays_off_nodes_whose_driver_aks_installs() -> None:
    label = "nvidia.com/gpu.deploy.operands"
    by_aks = pool(machine_type="Standard_NC24ads_A100_v4").inputs

    assert (by_aks["gpuProfile"], by_aks["nodeLabels"][label]) == ({"driver": "Install"}, "false")
    assert pool().inputs["gpuProfile"] == {"driver": "None"}
    assert label not in pool().inputs["nodeLabels"]
    assert label not in pool(machine_type="Standard_D8ds_v5").inputs["nodeLabels"]

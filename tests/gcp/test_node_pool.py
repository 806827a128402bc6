"""What a node pool promises: machines that Google will start, wired to their fabric, encrypted, and bought as asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.gcphandles import CLUSTER, KEY, NETWORK, key_for

from penstock.catalog import machines
from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.components.handles import ClusterHandle, FabricHandle, KeyHandle
from penstock.gcp.components.node_pool import NodePool
from penstock.gcp.facts.machines import GcpMachine
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

POOL = "gcp:container/nodePool:NodePool"
POLICY = "gcp:compute/resourcePolicy:ResourcePolicy"
ZONES = ("us-central1-a", "us-central1-b", "us-central1-c")
NETWORKS = FabricHandle(interfaces=(("host", "host-0"), ("rdma", "rdma-0"), ("rdma", "rdma-1")))
RESERVED = {"capacity": "reserved", "reservation": "our-block", "zone": "us-central1-b"}


class Pool:
    """One pool as it would be built."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def resource(self) -> Resource:
        (resource,) = self.graph.of_type(POOL)
        return resource

    @property
    def inputs(self) -> dict[str, Any]:
        return dict(self.resource.inputs)

    @property
    def nodes(self) -> dict[str, Any]:
        return dict(self.inputs["nodeConfig"])

    @property
    def summary(self) -> str:
        (component,) = self.graph.of_type("penstock:gcp:NodePool")
        return str(component.outputs["summary"])


def make(
    name: str = "pool",
    *,
    cluster: ClusterHandle = CLUSTER,
    key: KeyHandle = KEY,
    zones: Sequence[str] = ZONES,
    fabric: FabricHandle | None = None,
    **words: object,
) -> None:
    spec = NodePoolSpec.model_validate({"name": "train", "nodes": {"min": 0, "max": 4}} | words)
    NodePool(name, spec, cluster=cluster, network=NETWORK, key=key, zones=zones, fabric=fabric)


def build(**words: Any) -> Pool:
    return Pool(rehearse(lambda: make(**words)).graph)


def gpu_machines() -> list[str]:
    return [machine.machine_type for machine in machines.machine_types(GcpMachine) if machine.accelerator_kind == "gpu"]


@pytest.mark.parametrize("machine_type", gpu_machines())
def test_every_machine_gets_the_gpus_drivers_and_disks_that_its_type_fixes(machine_type: str) -> None:
    machine = machines.find_machine(machine_type, GcpMachine)

    nodes = build(machine_type=machine_type).nodes

    (gpus,) = nodes["guestAccelerators"]
    assert (gpus["type"], gpus["count"]) == (machine.label, machine.accelerators)
    assert gpus["gpuDriverInstallationConfig"]["gpuDriverVersion"] in ("DEFAULT", "LATEST")
    assert nodes["diskType"] in machine.boot_disks
    ssds = nodes.get("ephemeralStorageLocalSsdConfig", {}).get("localSsdCount", 0)
    assert ssds in machine.local_ssds


def test_nothing_is_said_of_gpus_where_there_are_none() -> None:
    nodes = build(machine_type="e2-standard-4").nodes

    assert not {"guestAccelerators", "taints", "ephemeralStorageLocalSsdConfig"} & set(nodes)


def test_local_disks_are_as_many_as_asked_for_where_the_machine_lets_one_choose() -> None:
    chosen = build(machine_type="a2-highgpu-8g", gcp={"local_ssds": 8}).nodes

    assert chosen["ephemeralStorageLocalSsdConfig"] == {"localSsdCount": 8}


def test_disks_are_encrypted_once_the_key_admits_compute_engine() -> None:
    pool = Pool(rehearse(lambda: make(accelerator="h100", key=key_for("compute"))).graph)
    (grant,) = pool.graph.of_type("gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember")

    assert pool.nodes["bootDiskKmsKey"] == KEY.id
    assert grant.urn in pool.resource.dependencies


def test_disks_are_large_enough_for_images_unless_the_description_decides() -> None:
    assert build(accelerator="h100").nodes["diskSizeGb"] == 300
    assert build(accelerator="h100", disk={"size_gib": 1000}).nodes["diskSizeGb"] == 1000


def test_pods_cannot_act_as_their_machine() -> None:
    nodes = build(accelerator="h100").nodes

    assert nodes["workloadMetadataConfig"] == {"mode": "GKE_METADATA"}
    assert nodes["metadata"] == {"disable-legacy-endpoints": "true"}
    assert nodes["serviceAccount"] == CLUSTER.node_account


def test_machines_have_no_public_address_and_start_trusted() -> None:
    pool = build(accelerator="h100")

    assert pool.inputs["networkConfig"]["enablePrivateNodes"] is True
    assert pool.nodes["shieldedInstanceConfig"] == {"enableSecureBoot": True, "enableIntegrityMonitoring": True}


def test_machines_without_a_hypervisor_get_huge_pages_and_no_virtual_firmware() -> None:
    nodes = build(accelerator="gb300", **RESERVED).nodes

    assert "shieldedInstanceConfig" not in nodes
    assert nodes["linuxNodeConfig"]["hugepagesConfig"] == {"hugepageSize2m": 4096}


def test_machines_are_wired_to_the_networks_of_their_fabric_in_order() -> None:
    network = build(accelerator="h200", fabric=NETWORKS, **RESERVED).inputs["networkConfig"]

    assert network["additionalNodeNetworkConfigs"] == [
        {"network": name, "subnetwork": subnetwork} for name, subnetwork in NETWORKS.interfaces
    ]
    assert "acceleratorNetworkProfile" not in network


def test_gke_wires_machines_itself_where_it_should() -> None:
    pool = build(accelerator="h200", gcp={"networking": "dranet"}, **RESERVED)

    assert pool.inputs["networkConfig"]["acceleratorNetworkProfile"] == "auto"
    assert "additionalNodeNetworkConfigs" not in pool.inputs["networkConfig"]
    assert pool.nodes["labels"]["cloud.google.com/gke-networking-dra-driver"] == "true"


def test_a_pool_without_a_fabric_is_wired_to_nothing_else() -> None:
    assert build(machine_type="e2-standard-4").inputs["networkConfig"] == {"enablePrivateNodes": True}


def test_a_fabric_leaves_room_for_fewer_pods_on_a_node() -> None:
    wired, plain = build(accelerator="h100"), build(machine_type="e2-standard-4")

    assert wired.inputs["maxPodsPerNode"] < plain.inputs["maxPodsPerNode"]


def test_nodes_with_a_fabric_stand_in_one_zone_and_others_in_all() -> None:
    assert build(accelerator="h100").inputs["nodeLocations"] == [ZONES[0]]
    assert build(accelerator="h100", zone=ZONES[2]).inputs["nodeLocations"] == [ZONES[2]]
    assert build(machine_type="e2-standard-4").inputs["nodeLocations"] == list(ZONES)


def test_a_range_is_for_the_autoscaler_and_counts_machines_of_all_zones_together() -> None:
    one = build(accelerator="h100", nodes={"min": 1, "max": 4}).inputs
    three = build(machine_type="e2-standard-4", nodes={"min": 2, "max": 3}).inputs

    assert one["autoscaling"] == {"minNodeCount": 1, "maxNodeCount": 4, "locationPolicy": "ANY"}
    assert one["initialNodeCount"] == 1
    assert three["autoscaling"] == {"totalMinNodeCount": 2, "totalMaxNodeCount": 3, "locationPolicy": "BALANCED"}
    assert three["initialNodeCount"] * len(ZONES) in (2, 3)


@pytest.mark.parametrize("smallest", range(8))
def test_a_pool_starts_with_a_number_of_machines_that_it_may_have(smallest: int) -> None:
    inputs = build(machine_type="e2-standard-4", nodes={"min": smallest, "max": 8}).inputs

    assert smallest <= inputs["initialNodeCount"] * len(inputs["nodeLocations"]) <= 8


@pytest.mark.parametrize(
    ("nodes", "zones", "in_each"), [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 2, 2), (5, 1, 5), (6, 3, 2)]
)
def test_a_fixed_number_is_shared_evenly_by_as_many_zones_as_it_can_be(nodes: int, zones: int, in_each: int) -> None:
    inputs = build(machine_type="e2-standard-4", nodes=nodes).inputs

    assert inputs["nodeLocations"] == list(ZONES[:zones])
    assert inputs["nodeCount"] == in_each
    assert "autoscaling" not in inputs


def test_a_range_that_all_zones_cannot_start_alike_keeps_to_fewer() -> None:
    inputs = build(machine_type="e2-standard-4", nodes={"min": 1, "max": 2}).inputs

    assert inputs["nodeLocations"] == list(ZONES[:2])
    assert inputs["autoscaling"]["totalMaxNodeCount"] == 2


def test_the_autoscalers_number_and_what_google_never_tells_are_no_drift() -> None:
    options = build(accelerator="h100").resource.options

    assert set(options.ignore_changes) == {"initialNodeCount", "placementPolicy.type"}


def test_spot_machines_take_no_reservation() -> None:
    nodes = build(accelerator="h100", capacity="spot").nodes

    assert nodes["spot"] is True
    assert nodes["reservationAffinity"] == {"consumeReservationType": "NO_RESERVATION"}


def test_a_named_reservation_is_the_only_one_that_is_used() -> None:
    pool = build(accelerator="h200", **RESERVED)

    assert pool.nodes["reservationAffinity"] == {
        "consumeReservationType": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": ["our-block"],
    }
    assert pool.resource.options.delete_before_replace


def test_reserved_machines_never_fall_back_to_others() -> None:
    nodes = build(accelerator="h100", capacity="reserved").nodes

    assert nodes["reservationAffinity"] == {"consumeReservationType": "ANY_RESERVATION_THEN_FAIL"}


def test_machines_by_flex_start_come_when_there_are_some_and_are_not_repaired() -> None:
    pool = build(accelerator="b200", capacity="flex_start", nodes=2, gcp={"max_run_hours": 24})

    assert pool.nodes["flexStart"] is True
    assert pool.nodes["maxRunDuration"] == "86400s"
    assert pool.nodes["reservationAffinity"] == {"consumeReservationType": "NO_RESERVATION"}
    assert pool.inputs["management"]["autoRepair"] is False
    assert "nodeCount" not in pool.inputs
    assert "upgradeSettings" not in pool.inputs


def test_queued_jobs_find_the_nodes_that_are_for_them() -> None:
    pool = build(accelerator="b200", capacity="flex_start", gcp={"queued": True})

    assert pool.inputs["queuedProvisioning"] == {"enabled": True}
    assert pool.nodes["labels"]["cloud.google.com/gke-queued"] == "true"


def test_hosts_are_maintained_as_the_reservation_says() -> None:
    pool = build(accelerator="h200", gcp={"host_maintenance": "as_needed"}, **RESERVED)

    assert pool.nodes["hostMaintenancePolicy"] == {"maintenanceInterval": "AS_NEEDED"}


def test_machines_of_one_nvlink_domain_are_placed_as_one() -> None:
    pool = build(accelerator="gb200", **RESERVED)
    (policy,) = pool.graph.of_type(POLICY)

    assert policy.inputs["workloadPolicy"] == {"type": "HIGH_THROUGHPUT", "acceleratorTopology": "1x72"}
    assert policy.inputs["region"] == NETWORK.region
    assert pool.inputs["placementPolicy"]["policyName"] == policy.outputs["name"]


def test_placement_can_be_forced_turned_off_or_shared() -> None:
    assert build(machine_type="c3-standard-22", placement="cluster").inputs["placementPolicy"] == {"type": "COMPACT"}
    assert "placementPolicy" not in build(accelerator="h100", placement="none").inputs
    theirs = build(accelerator="h100", placement="theirs")
    assert theirs.inputs["placementPolicy"] == {"type": "COMPACT", "policyName": "theirs"}
    assert not theirs.graph.of_type(POLICY)


def test_pods_without_need_of_gpus_stay_away_from_them() -> None:
    assert build(accelerator="l4").nodes["taints"] == [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}
    ]


def test_the_description_adds_labels_and_taints_and_has_the_last_word() -> None:
    nodes = build(
        accelerator="l4",
        labels={"penstock.dev/accelerator": "mine", "team": "ml"},
        taints=[{"key": "nvidia.com/gpu", "value": "ours"}, {"key": "team", "effect": "NoExecute"}],
    ).nodes

    assert nodes["labels"] == {"penstock.dev/pool": "train", "penstock.dev/accelerator": "mine", "team": "ml"}
    assert nodes["taints"] == [
        {"key": "nvidia.com/gpu", "value": "ours", "effect": "NO_SCHEDULE"},
        {"key": "team", "value": "", "effect": "NO_EXECUTE"},
    ]


@pytest.mark.parametrize(
    ("words", "surge", "unavailable"),
    [
        ({"accelerator": "h100", "capacity": "spot", "nodes": {"min": 0, "max": 16}}, 0, 16),
        ({"accelerator": "h200", **RESERVED, "nodes": 64}, 0, 20),
        ({"accelerator": "l4", "nodes": {"min": 1, "max": 12}}, 2, 0),
        ({"accelerator": "l4", "nodes": 1}, 1, 0),
        ({"accelerator": "l4", "capacity": "spot", "nodes": {"min": 0, "max": 30}}, 0, 3),
        ({"accelerator": "l4", **RESERVED, "nodes": 12}, 0, 2),
    ],
    ids=[
        "one job, one restart",
        "as many at once as GKE takes",
        "serving keeps its capacity",
        "one",
        "spot",
        "reserved",
    ],
)
def test_upgrades_cost_a_job_one_restart_and_serving_no_capacity(
    words: dict[str, Any], surge: int, unavailable: int
) -> None:
    assert build(**words).inputs["upgradeSettings"] == {
        "strategy": "SURGE",
        "maxSurge": surge,
        "maxUnavailable": unavailable,
    }


def test_machines_without_accelerators_are_upgraded_as_gke_does_it() -> None:
    assert "upgradeSettings" not in build(machine_type="e2-standard-4").inputs


def test_a_change_of_a_large_pool_may_take_as_long_as_its_waves() -> None:
    def of(**words: Any) -> tuple[str, str]:
        given = build(**words).resource.options.timeouts
        return given.create, given.update

    assert of(accelerator="h200", **RESERVED, nodes=16) == ("90m", "95m")
    assert of(accelerator="h200", **RESERVED, nodes=96) == ("90m", "235m")
    assert of(machine_type="e2-standard-4", nodes=20) == ("90m", "180m")


def test_a_long_name_leaves_room_for_its_suffix() -> None:
    name = build(name="a-platform-with-a-long-name-staging-and-a-pool", machine_type="e2-standard-4").resource.outputs[
        "name"
    ]

    assert len(name) <= 40


def test_nodes_wait_for_what_makes_them_ready() -> None:
    def program() -> None:
        from pulumi_gcp import projects

        right = projects.IAMMember("right", project="my-ai-project", role="roles/viewer", member="user:ada@example.com")
        make(machine_type="e2-standard-4", cluster=replace(CLUSTER, ready=(right,)))

    pool = Pool(rehearse(program).graph)
    (right,) = pool.graph.of_type("gcp:projects/iAMMember:IAMMember")

    assert right.urn in pool.resource.dependencies


def test_a_line_tells_people_what_the_pool_is() -> None:
    assert build(accelerator="h200", nodes={"min": 0, "max": 16}, **RESERVED).summary == (
        "0 to 16 × a3-ultragpu-8g, reserved, RDMA, us-central1-b"
    )
    assert build(machine_type="e2-standard-4", nodes=3).summary == "3 × e2-standard-4, on demand, all zones"

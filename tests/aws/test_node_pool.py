"""What a node pool promises: machines that AWS will start, that talk over EFA, and that nobody reaches by accident."""

from __future__ import annotations

import base64
import email
import email.policy
import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pulumi
import pytest
from pulumi_aws import autoscaling
from tests.handles import CLUSTER

from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.aws.components.node_pool import NodePool
from penstock.aws.facts import efa
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines
from penstock.catalog.latencies import latency_of
from penstock.changes.diff import diff
from penstock.description.node_pool import NodePoolSpec, Nodes
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
GROUP = "aws:eks/nodeGroup:NodeGroup"
POOL_TAG = "penstock.dev/pool"
TAG = "aws:autoscaling/tag:Tag"
PLACEMENT = "aws:ec2/placementGroup:PlacementGroup"
RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"
THEIRS = "cr-0123456789abcdef0"


class Pool:
    """One pool as it would be built."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def one(self, type_: str) -> Resource:
        (resource,) = self.graph.of_type(type_)
        return resource

    @property
    def template(self) -> dict[str, Any]:
        return dict(self.one(TEMPLATE).inputs)

    @property
    def group(self) -> dict[str, Any]:
        return dict(self.one(GROUP).inputs)

    @property
    def node_config(self) -> dict[str, Any]:
        """What nodeadm reads from the template's user data."""
        message = email.message_from_bytes(base64.b64decode(self.template["userData"]), policy=email.policy.default)
        (part,) = (each for each in message.iter_parts() if each.get_content_type() == "application/node.eks.aws")
        config = json.loads(part.get_content())
        assert (config["apiVersion"], config["kind"]) == ("node.eks.aws/v1alpha1", "NodeConfig")
        return dict(config["spec"])


class Build:
    """Builds a pool from the words of a description."""

    def __init__(self, network: NetworkHandle, key: KeyHandle) -> None:
        self.network, self.key = network, key

    def __call__(self, *, lustre_over_efa: bool = False, **words: object) -> Pool:
        spec = NodePoolSpec.model_validate({"name": "train", "nodes": {"min": 0, "max": 4}} | words)
        handles: Any = {"cluster": CLUSTER, "network": self.network, "key": self.key}
        return Pool(rehearse(lambda: NodePool("pool", spec, lustre_over_efa=lustre_over_efa, **handles)).graph)


@pytest.fixture
def build(network: NetworkHandle, key: KeyHandle) -> Build:
    return Build(network, key)


def efa_machines() -> list[str]:
    return [
        machine.machine_type
        for machine in machines.machine_types(AwsMachine)
        if machine.efa_layout and machine.accelerators
    ]


@pytest.mark.parametrize("machine_type", efa_machines())
def test_every_machine_with_efa_gets_all_its_devices_in_the_layout_of_its_type(build: Build, machine_type: str) -> None:
    machine = machines.find_machine(machine_type, AwsMachine)

    interfaces = build(machine_type=machine_type).template["networkInterfaces"]

    placed = {(one["networkCardIndex"], one["deviceIndex"]): one["interfaceType"] for one in interfaces}
    assert len(placed) == len(interfaces)
    assert placed[0, 0] == "interface"
    assert sum(kind == "efa-only" for kind in placed.values()) == machine.efa_max


def test_bandwidth_is_bought_with_more_addresses(build: Build) -> None:
    frugal = build(accelerator="h100").template["networkInterfaces"]
    fast = build(accelerator="h100", aws={"efa_interfaces": "bandwidth_optimized"}).template["networkInterfaces"]

    assert [one["interfaceType"] for one in frugal].count("interface") == 1
    assert [one["interfaceType"] for one in fast].count("interface") == 8


def test_efa_interfaces_carry_both_groups_and_no_address_settings(build: Build, network: NetworkHandle) -> None:
    template = build(accelerator="h100").template

    assert "vpcSecurityGroupIds" not in template
    for interface in template["networkInterfaces"]:
        assert interface["securityGroups"] == [CLUSTER.security_group_id, network.fabric_group_id]
        assert set(interface) == {
            "networkCardIndex",
            "deviceIndex",
            "interfaceType",
            "securityGroups",
            "deleteOnTermination",
        }


def test_machines_without_efa_carry_both_groups_themselves(build: Build, network: NetworkHandle) -> None:
    template = build(machine_type="m7i.2xlarge").template

    assert "networkInterfaces" not in template
    assert template["vpcSecurityGroupIds"] == [CLUSTER.security_group_id, network.fabric_group_id]


def test_efa_nodes_stand_in_one_zone_and_others_in_all(build: Build, network: NetworkHandle) -> None:
    assert build(accelerator="h100", zone="us-east-1b").group["subnetIds"] == [network.subnets["us-east-1b"]]
    assert len(build(accelerator="h100").group["subnetIds"]) == 1
    assert build(machine_type="m7i.2xlarge").group["subnetIds"] == list(network.subnets.values())


def test_pods_are_counted_without_the_addresses_that_efa_takes(build: Build) -> None:
    machine = machines.find_machine("p5.48xlarge", AwsMachine)

    config = build(machine_type="p5.48xlarge").node_config

    assert config["kubelet"]["config"]["maxPods"] == efa.pods(machine, with_efa=True)
    assert "kubelet" not in build(machine_type="p5.48xlarge", fabric="none").node_config


def test_local_disks_become_one_array(build: Build) -> None:
    assert build(machine_type="p5.48xlarge").node_config["instance"] == {"localStorage": {"strategy": "RAID0"}}


def test_no_node_takes_more_pods_than_eks_recommends(build: Build) -> None:
    crowded = build(machine_type="p4d.24xlarge", aws={"efa_interfaces": "bandwidth_optimized"}).node_config

    assert crowded["kubelet"]["config"]["maxPods"] <= 250


def test_large_images_are_pulled_in_parallel_onto_local_disks(build: Build) -> None:
    assert build(accelerator="h100").node_config["featureGates"] == {"FastImagePull": True}


def test_nodes_set_up_their_client_for_lustre_over_efa(build: Build) -> None:
    pool = build(accelerator="h100", lustre_over_efa=True)

    message = email.message_from_bytes(base64.b64decode(pool.template["userData"]), policy=email.policy.default)
    script, config = message.iter_parts()
    assert script.get_content_type() == "text/x-shellscript"
    assert script.get_content().startswith("#!/bin/bash\n")
    assert "dnf install -y lustre-client" in script.get_content()
    assert "> 8 ? ${#devices[@]} / 8 : 1" in script.get_content()  # interfaces of P5 (FSx for Lustre user guide)
    assert not re.search(r"curl|wget|https?://", script.get_content())
    assert config.get_content_type() == "application/node.eks.aws"
    assert "shellscript" not in base64.b64decode(build(accelerator="h100").template["userData"]).decode()


def test_a_machine_with_nothing_to_say_says_nothing(build: Build) -> None:
    assert "userData" not in build(machine_type="m7i.2xlarge").template


def test_disks_are_encrypted_and_large_enough_for_images(build: Build, key: KeyHandle) -> None:
    (disk,) = build(accelerator="h100").template["blockDeviceMappings"]

    assert disk["ebs"]["encrypted"] == "true"
    assert disk["ebs"]["kmsKeyId"] == key.arn
    assert disk["ebs"]["volumeSize"] == 300


def test_the_description_decides_on_the_disk(build: Build) -> None:
    (disk,) = build(accelerator="h100", disk={"size_gib": 1000}).template["blockDeviceMappings"]

    assert disk["ebs"]["volumeSize"] == 1000


def test_pods_cannot_take_the_role_of_their_machine(build: Build) -> None:
    metadata = build(accelerator="h100").template["metadataOptions"]

    assert metadata["httpTokens"] == "required"
    assert metadata["httpPutResponseHopLimit"] == 1


def test_on_demand_training_nodes_stand_close_together(build: Build) -> None:
    pool = build(accelerator="h100")
    placement = pool.one(PLACEMENT)

    assert placement.inputs["strategy"] == "cluster"
    assert pool.template["placement"] == {"groupName": placement.outputs["name"]}


def test_nodes_without_efa_stand_where_there_is_room(build: Build) -> None:
    pool = build(machine_type="m7i.2xlarge")

    assert not pool.graph.of_type(PLACEMENT)
    assert "placement" not in pool.template


def test_placement_can_be_forced_turned_off_or_shared(build: Build) -> None:
    assert build(machine_type="m7i.2xlarge", placement="cluster").graph.of_type(PLACEMENT)
    assert "placement" not in build(accelerator="h100", placement="none").template
    assert build(accelerator="h100", placement="theirs").template["placement"] == {"groupName": "theirs"}


def test_a_reservation_of_our_own_holds_every_machine_inside_the_group_of_the_pool(build: Build) -> None:
    pool = build(accelerator="h100", capacity="reserved", zone="us-east-1b")
    reservation, placement = pool.one(RESERVATION), pool.one(PLACEMENT)

    assert reservation.inputs["instanceCount"] == 4
    assert reservation.inputs["instanceType"] == "p5.48xlarge"
    assert reservation.inputs["availabilityZone"] == "us-east-1b"
    assert reservation.inputs["instanceMatchCriteria"] == "targeted"
    assert reservation.inputs["placementGroupArn"] == placement.outputs["arn"]
    assert target(pool) == reservation.id


def test_a_reservation_that_exists_is_found_because_no_group_hides_it(build: Build) -> None:
    pool = build(accelerator="h100", capacity="reserved", reservation=THEIRS)

    assert not pool.graph.of_type(RESERVATION, PLACEMENT)
    assert "placement" not in pool.template
    assert target(pool) == THEIRS
    assert pool.group["capacityType"] == "ON_DEMAND"


def test_a_reservation_that_exists_in_a_group_is_found_in_it(build: Build) -> None:
    pool = build(accelerator="h100", capacity="reserved", reservation=THEIRS, placement="theirs")

    assert pool.template["placement"] == {"groupName": "theirs"}
    assert target(pool) == THEIRS


def test_a_capacity_block_is_bought_as_eks_wants_it(build: Build, network: NetworkHandle) -> None:
    pool = build(accelerator="h200", capacity="capacity_block", reservation=THEIRS, zone="us-east-1b")

    assert pool.group["capacityType"] == "CAPACITY_BLOCK"
    assert pool.group["subnetIds"] == [network.subnets["us-east-1b"]]
    assert pool.template["instanceMarketOptions"] == {"marketType": "capacity-block"}
    assert pool.template["instanceType"] == "p5en.48xlarge"
    assert target(pool) == THEIRS
    assert not pool.graph.of_type(PLACEMENT)


def test_a_capacity_block_that_has_not_begun_fails_nothing(build: Build) -> None:
    pool = build(accelerator="h200", capacity="capacity_block", reservation=THEIRS, nodes=8)

    assert pool.group["scalingConfig"] == {"minSize": 0, "desiredSize": 0, "maxSize": 8}


def test_spot_is_bought_by_eks_and_not_by_the_template(build: Build) -> None:
    pool = build(accelerator="l4", capacity="spot")

    assert pool.group["capacityType"] == "SPOT"
    assert "instanceMarketOptions" not in pool.template


@pytest.mark.parametrize(
    ("accelerator", "taint", "ami_type"),
    [
        ("h100", "nvidia.com/gpu", "AL2023_x86_64_NVIDIA"),
        ("trainium2", "aws.amazon.com/neuron", "AL2023_x86_64_NEURON"),
    ],
)
def test_accelerators_come_with_their_drivers_and_keep_other_pods_off(
    build: Build, accelerator: str, taint: str, ami_type: str
) -> None:
    group = build(accelerator=accelerator).group

    assert group["amiType"] == ami_type
    assert group["taints"] == [{"key": taint, "value": "present", "effect": "NO_SCHEDULE"}]
    assert group["labels"][f"{taint}.present"] == "true"
    assert group["labels"]["vpc.amazonaws.com/efa.present"] == "true"


def test_arm_machines_get_an_arm_image(build: Build) -> None:
    group = build(machine_type="m7g.2xlarge").group

    assert group["amiType"] == "AL2023_ARM_64_STANDARD"
    assert group["taints"] == []


def test_labels_and_taints_of_the_description_win(build: Build) -> None:
    group = build(
        accelerator="h100",
        labels={"penstock.dev/pool": "mine"},
        taints=[
            {"key": "nvidia.com/gpu", "value": "true"},
            {"key": "team", "value": "a", "effect": "PreferNoSchedule"},
        ],
    ).group

    assert group["labels"]["penstock.dev/pool"] == "mine"
    assert group["taints"] == [
        {"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"},
        {"key": "team", "value": "a", "effect": "PREFER_NO_SCHEDULE"},
    ]


def test_updates_never_wait_for_spare_accelerators_and_broken_nodes_are_replaced(build: Build) -> None:
    group = build(accelerator="h100").group

    assert group["updateConfig"]["updateStrategy"] == "MINIMAL"
    assert group["nodeRepairConfig"]["enabled"] is True


def test_replacing_a_pool_of_reserved_machines_frees_them_first(build: Build) -> None:
    assert build(accelerator="h100", capacity="reserved").one(GROUP).options.delete_before_replace
    assert not build(accelerator="h100").one(GROUP).options.delete_before_replace


@pytest.mark.parametrize(
    ("running", "nodes", "wanted"),
    [
        (5, {"min": 0, "max": 16}, 5),  # a wider bound stops nothing
        (2, {"min": 4, "max": 8}, 4),  # EKS refuses a number below the least
        (8, {"min": 0, "max": 6}, 6),  # and one above the most
        (None, {"min": 2, "max": 6}, 2),  # the first run
    ],
)
def test_a_change_of_bounds_leaves_running_machines_alone(
    build: Build, monkeypatch: pytest.MonkeyPatch, running: int | None, nodes: dict[str, int], wanted: int
) -> None:
    def groups(*, filters: list[dict[str, Any]], **_: object) -> Any:
        assert filters == [{"name": "tag:penstock.dev/pool", "values": ["pool"]}]
        return pulumi.Output.from_input(SimpleNamespace(names=[] if running is None else ["eks-pool"]))

    monkeypatch.setattr(autoscaling, "get_ami_ids_output", groups)
    live = SimpleNamespace(desired_capacity=running)
    monkeypatch.setattr(autoscaling, "get_group_output", lambda **_: pulumi.Output.from_input(live))

    pool = build(accelerator="h100", nodes=nodes)

    assert pool.group["scalingConfig"]["desiredSize"] == wanted
    assert not pool.one(GROUP).options.ignore_changes


@pytest.mark.parametrize("nodes", [4, {"min": 0, "max": 4}])
def test_the_next_run_finds_the_group_of_a_pool(build: Build, nodes: object) -> None:
    pool = build(accelerator="h100", nodes=nodes)

    marks = [one.inputs["tag"] for one in pool.graph.of_type(TAG) if one.inputs["tag"]["key"] == "penstock.dev/pool"]
    assert [(mark["value"], mark["propagateAtLaunch"]) for mark in marks] == [("pool", False)]


def test_a_pool_that_moves_to_a_capacity_block_starts_empty(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    def named(capacity: str, reservation: str) -> tuple[Any, str]:
        """The number of machines, beside 16 that run in the group which the last run tagged; and the new tag."""
        pool = build(accelerator="h100", capacity=capacity, reservation=reservation, zone="us-east-1a", nodes=16)
        (tag,) = (one.inputs["tag"] for one in pool.graph.of_type(TAG) if one.inputs["tag"]["key"] == POOL_TAG)
        return pool.group["scalingConfig"]["desiredSize"], tag["value"]

    running: list[str] = []

    def groups(*, filters: list[dict[str, Any]], **_: object) -> Any:
        found = ["eks-pool"] if filters[0]["values"] == running else []
        return pulumi.Output.from_input(SimpleNamespace(names=found))

    monkeypatch.setattr(autoscaling, "get_ami_ids_output", groups)
    live = SimpleNamespace(desired_capacity=16)
    monkeypatch.setattr(autoscaling, "get_group_output", lambda **_: pulumi.Output.from_input(live))

    _, tag = named("reserved", "cr-0123456789abcdef0")
    running[:] = [tag]
    moved, tag = named("capacity_block", "cr-0aaaaaaaaaaaaaaa1")
    running[:] = [tag]
    begun, _ = named("capacity_block", "cr-0aaaaaaaaaaaaaaa1")
    following, _ = named("capacity_block", "cr-0bbbbbbbbbbbbbbb2")

    assert (moved, begun, following) == (0, 16, 0)


@pytest.mark.parametrize(("before", "after"), [(16, 20), ({"min": 0, "max": 1}, 1), (16, 8)])
def test_a_number_of_machines_is_what_the_description_says(build: Build, before: object, after: int) -> None:
    changes = diff(build(accelerator="h100", nodes=before).graph, build(accelerator="h100", nodes=after).graph)

    (changed,) = (each for each in changes if each.resource.type == GROUP)
    assert changed.after is not None
    assert changed.after.inputs["scalingConfig"] == {
        "minSize": after,
        "desiredSize": after,
        "maxSize": after,
    }


def test_a_reservation_of_the_pools_own_stays_in_its_group_without_efa(build: Build) -> None:
    pool = build(accelerator="h100", capacity="reserved", fabric="none")

    (reservation,) = pool.graph.of_type("aws:ec2/capacityReservation:CapacityReservation")
    assert reservation.inputs["placementGroupArn"]
    assert not pool.template.get("networkInterfaces")


def test_tags_change_on_machines_to_come_and_replace_none(build: Build) -> None:
    before = build(accelerator="h100", tags={"owner": "ml"})
    after = build(accelerator="h100", tags={"owner": "research", "team": "a"})

    changes = diff(before.graph, after.graph)

    assert not changes.replaced
    assert not [each for each in changes if each.resource.type == TEMPLATE]
    given = {one.inputs["tag"]["key"]: one.inputs["tag"] for one in after.graph.of_type(TAG)}
    assert (given["owner"]["value"], given["team"]["value"]) == ("research", "a")
    assert given["owner"]["propagateAtLaunch"] is True


def test_a_training_pool_is_updated_at_once_and_a_serving_pool_in_parts(build: Build) -> None:
    train = build(accelerator="h100", nodes=16)
    serve = build(accelerator="l40s", nodes={"min": 1, "max": 8})
    wide = build(accelerator="h100", nodes=250)

    assert train.group["updateConfig"]["maxUnavailablePercentage"] == 100
    assert serve.group["updateConfig"]["maxUnavailablePercentage"] == 25
    assert wide.group["updateConfig"]["maxUnavailablePercentage"] * 250 <= 100 * 100


@pytest.mark.parametrize("words", [{"nodes": 16}, {"nodes": {"min": 1, "max": 64}}, {"accelerator": "l4", "nodes": 40}])
def test_an_update_ends_within_its_timeout(build: Build, words: dict[str, Any]) -> None:
    pool = build(**{"accelerator": "h100", **words})

    parts = math.ceil(100 / pool.group["updateConfig"]["maxUnavailablePercentage"])
    waves = min(parts, pool.group["scalingConfig"]["maxSize"])
    slowest_min = latency_of("aws:eks/nodeGroup:NodeGroup", "accelerated").p95_s / 60 + 15
    assert int(pool.one(GROUP).options.timeouts.update.removesuffix("m")) >= waves * slowest_min


def test_an_image_release_is_pinned_when_asked(build: Build) -> None:
    assert build(accelerator="h100", aws={"release": "1.35.2-20261105"}).group["releaseVersion"] == "1.35.2-20261105"
    assert "releaseVersion" not in build(accelerator="h100").group


def test_nodes_may_join_pull_images_and_be_opened_and_no_more(build: Build) -> None:
    pool = build(accelerator="h100")
    rights = pool.graph.of_type("aws:iam/rolePolicyAttachment:RolePolicyAttachment")

    assert {right.inputs["policyArn"].rpartition("/")[2] for right in rights} == {
        "AmazonEKSWorkerNodePolicy",
        "AmazonEC2ContainerRegistryPullOnly",
        "AmazonSSMManagedInstanceCore",
    }
    assert {right.urn for right in rights} <= set(pool.one(GROUP).dependencies)


def test_machines_disks_and_interfaces_carry_the_tags(build: Build) -> None:
    specifications = build(accelerator="h100", tags={"owner": "ml"}).template["tagSpecifications"]

    assert {one["resourceType"]: one["tags"]["owner"] for one in specifications} == {
        "instance": "ml",
        "volume": "ml",
        "network-interface": "ml",
    }


def target(pool: Pool) -> object:
    specification = pool.template["capacityReservationSpecification"]
    assert "capacityReservationPreference" not in specification
    return specification["capacityReservationTarget"]["capacityReservationId"]


def test_nodes_keep_their_version_where_the_description_names_none(network: NetworkHandle, key: KeyHandle) -> None:
    spec = NodePoolSpec(name="train", accelerator="h100", nodes=Nodes(min=4, max=4))

    def built(cluster: ClusterHandle) -> Graph:
        return rehearse(lambda: NodePool("pool", spec, cluster=cluster, network=network, key=key)).graph

    old, new = (replace(CLUSTER, version=version) for version in ("1.34", "1.35"))

    assert diff(built(old), built(new)).updated
    assert not diff(built(replace(old, moves=False)), built(replace(new, moves=False)))

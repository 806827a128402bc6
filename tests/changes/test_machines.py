"""The effect of a change on machines: waves, surge, times, reservations, and numbers that others move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pulumi
import pytest
from pulumi_aws import autoscaling, batch, ec2, eks
from pulumi_gcp import compute, container

from penstock.catalog import latencies
from penstock.changes.diff import Changes, diff
from penstock.changes.diff_findings import findings_of
from penstock.changes.machines import MachineChange, machine_changes
from penstock.graph.graph import Graph
from penstock.simulate.run import rehearse

pytestmark = pytest.mark.slow

Program = Callable[[], object]
GROUP = "aws:eks/nodeGroup:NodeGroup"


def node_group(
    *,
    disk: int = 100,
    nodes: tuple[int, int] = (4, 4),
    machine_type: str = "p5.48xlarge",
    updates: Any = None,
    reserved: int | None = None,
    tags: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    version: str | None = None,
) -> Program:
    def program() -> None:
        held = (
            ec2.CapacityReservation(
                "held",
                instance_type=machine_type,
                instance_platform="Linux/UNIX",
                availability_zone="us-east-1a",
                instance_count=reserved,
            )
            if reserved is not None
            else None
        )
        template = ec2.LaunchTemplate(
            "train",
            instance_type=machine_type,
            update_default_version=True,
            block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"volume_size": disk}}],
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": held.id}}
            if held is not None
            else None,
            tags=tags,
        )
        vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
        subnet = ec2.Subnet("a", vpc_id=vpc.id, cidr_block="10.0.0.0/20", availability_zone="us-east-1a")
        eks.NodeGroup(
            "train",
            cluster_name="shared",
            node_role_arn="arn:aws:iam::123456789012:role/nodes",
            subnet_ids=[subnet.id],
            version=version,
            launch_template={"id": template.id, "version": template.latest_version.apply(str)},
            scaling_config={"min_size": nodes[0], "desired_size": nodes[0], "max_size": nodes[1]},
            update_config=updates,
            opts=pulumi.ResourceOptions(**(options or {})),
        )

    return program


def scaling_group(
    *, disk: int = 100, latest: bool = False, refresh: Any = None, zones: tuple[str, ...] = ("us-east-1a",)
) -> Program:
    def program() -> None:
        template = ec2.LaunchTemplate(
            "workers",
            instance_type="g6.xlarge",
            block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"volume_size": disk}}],
        )
        autoscaling.Group(
            "workers",
            availability_zones=list(zones),
            min_size=10,
            max_size=10,
            desired_capacity=10,
            launch_template={
                "id": template.id,
                "version": "$Latest" if latest else template.latest_version.apply(str),
            },
            instance_refresh=refresh,
        )

    return program


def node_pool(
    *,
    disk: int = 100,
    nodes: int = 4,
    zones: tuple[str, ...] = ("us-central1-a",),
    reservation: str | None = None,
    **pool: Any,
) -> Program:
    def program() -> None:
        config: Any = {"machine_type": "a3-highgpu-8g", "disk_size_gb": disk}
        if reservation is not None:
            config["reservation_affinity"] = {
                "consume_reservation_type": "SPECIFIC_RESERVATION",
                "key": "compute.googleapis.com/reservation-name",
                "values": [reservation],
            }
        container.NodePool(
            "train",
            cluster="shared",
            location="us-central1",
            node_locations=list(zones),
            node_count=nodes,
            node_config=config,
            **pool,
        )

    return program


def managed_group(image: str, policy: Any) -> Program:
    def program() -> None:
        template = compute.InstanceTemplate(
            "workers",
            machine_type="g2-standard-8",
            disks=[{"source_image": image, "boot": True}],
            network_interfaces=[{"network": "default"}],
        )
        compute.InstanceGroupManager(
            "workers",
            base_instance_name="worker",
            zone="us-central1-a",
            target_size=6,
            versions=[{"instance_template": template.self_link}],
            update_policy=policy,
        )

    return program


def changes(before: Program, after: Program) -> Changes:
    first = rehearse(before)
    return diff(first, rehearse(after, before=first.graph))


def only(compared: Changes) -> MachineChange:
    (found,) = machine_changes(compared)
    return found.effect


def codes(compared: Changes) -> list[str]:
    return [finding.code for finding in findings_of(compared) if finding.code != "DIFF-004"]


def with_outputs(graph: Graph, type_: str, **outputs: Any) -> Graph:
    """The Graph as a state after `pulumi refresh` has it: the cloud reported other values since."""
    (resource,) = graph.of_type(type_)
    moved = replace(resource, outputs={**resource.outputs, **outputs})
    return replace(graph, resources={**graph.resources, resource.urn: moved})


def test_a_new_version_of_a_template_reaches_the_group_that_takes_it_however_it_is_compared() -> None:
    first = rehearse(node_group())
    on_top = diff(first, rehearse(node_group(disk=200), before=first.graph))
    apart = diff(first, rehearse(node_group(disk=200)))

    assert [repr(each) for each in on_top] == [repr(each) for each in apart]
    assert [(cause.path, cause.before, cause.after) for cause in apart.updated[-1].causes] == [
        ("launchTemplate.version", "1", "2")
    ]
    assert apart.updated[-1].causes[0].because.endswith("::train")
    assert only(on_top) == only(apart)


def test_tags_of_a_template_make_no_version_of_it() -> None:
    compared = changes(node_group(), node_group(tags={"owner": "research"}))

    assert [each.resource.type for each in compared.updated] == ["aws:ec2/launchTemplate:LaunchTemplate"]
    assert machine_changes(compared) == ()


def test_the_next_version_counts_from_the_one_that_the_cloud_has() -> None:
    state = with_outputs(rehearse(node_group()).graph, "aws:ec2/launchTemplate:LaunchTemplate", latestVersion=7.0)
    (template,) = rehearse(node_group(disk=200), before=state).graph.of_type("aws:ec2/launchTemplate:LaunchTemplate")

    assert (template.outputs["latestVersion"], template.outputs["defaultVersion"]) == (8, 8)


@pytest.mark.parametrize(
    ("updates", "waves", "at_once", "surge"),
    [
        (None, 4, 1, 2),
        ({"max_unavailable": 3}, 2, 3, 3),
        ({"max_unavailable": 1, "update_strategy": "MINIMAL"}, 4, 1, 0),
        ({"max_unavailable_percentage": 50, "update_strategy": "MINIMAL"}, 2, 2, 0),
        ({"max_unavailable_percentage": 100, "update_strategy": "MINIMAL"}, 1, 4, 0),
        ({"max_unavailable_percentage": 1, "update_strategy": "MINIMAL"}, 4, 1, 0),
    ],
)
def test_a_node_group_is_replaced_in_the_waves_of_its_settings(
    updates: Mapping[str, Any] | None, waves: int, at_once: int, surge: int
) -> None:
    effect = only(changes(node_group(updates=updates), node_group(updates=updates, disk=200)))

    assert (effect.replaced, effect.waves, effect.at_once, effect.surge) == (4, waves, at_once, surge)
    assert effect.minutes == pytest.approx(4 * waves)
    assert effect.pause == pytest.approx((4 + 1 + 4 + 3) * waves)
    assert effect.job == (
        "all nodes at once: one interruption" if waves == 1 else f"a synchronous job restarts up to {waves} times"
    )


def test_settings_that_change_with_the_machines_come_too_late_for_them() -> None:
    slow = {"max_unavailable": 1, "update_strategy": "MINIMAL"}
    fast = {"max_unavailable_percentage": 100, "update_strategy": "MINIMAL"}

    assert only(changes(node_group(updates=slow), node_group(updates=fast, disk=200))).waves == 4


def test_eks_replaces_at_most_a_hundred_nodes_at_once() -> None:
    together = {"max_unavailable_percentage": 100, "update_strategy": "MINIMAL"}
    effect = only(
        changes(
            node_group(nodes=(250, 250), updates=together), node_group(nodes=(250, 250), updates=together, disk=200)
        )
    )

    assert (effect.waves, effect.at_once) == (3, 100)


@pytest.mark.parametrize(("timeout", "within"), [("30m", False), ("90m", True), ("1h30m0s", True)])
def test_an_update_past_its_timeout_is_a_warning_with_both_numbers(timeout: str, *, within: bool) -> None:
    options = {"custom_timeouts": pulumi.CustomTimeouts(update=timeout)}
    compared = changes(node_group(), node_group(disk=200, options=options))

    assert only(compared).within_timeout is within
    assert ("DIFF-006" in codes(compared)) is not within
    if not within:
        (finding,) = (each for each in findings_of(compared) if each.code == "DIFF-006")
        assert "16 min" in finding.message
        assert "30 min" in finding.message


def test_surge_needs_room_in_the_reservation() -> None:
    assert "DIFF-007" in codes(changes(node_group(reserved=4), node_group(reserved=4, disk=200)))
    assert "DIFF-007" in codes(changes(node_group(reserved=5), node_group(reserved=5, disk=200)))
    assert "DIFF-007" not in codes(changes(node_group(reserved=6), node_group(reserved=6, disk=200)))
    minimal = {"max_unavailable": 1, "update_strategy": "MINIMAL"}
    assert "DIFF-007" not in codes(
        changes(node_group(reserved=4, updates=minimal), node_group(reserved=4, updates=minimal, disk=200))
    )


def test_a_replaced_pool_in_a_reservation_goes_before_its_successor_comes() -> None:
    first = {"delete_before_replace": True}

    def moved(options: Mapping[str, Any]) -> Changes:
        compared = changes(node_group(reserved=4), node_group(reserved=4, options=options))
        (group,) = (each for each in compared.after if each.type == GROUP)
        inputs = {**group.inputs, "amiType": "AL2023_x86_64_NVIDIA"}
        after = replace(
            compared.after, resources={**compared.after.resources, group.urn: replace(group, inputs=inputs)}
        )
        return diff(compared.before, after)

    assert "DIFF-007" in codes(moved({}))
    assert "DIFF-007" not in codes(moved(first))
    assert only(moved(first)).job == "all nodes at once: one interruption"


def test_bounds_of_a_group_stop_what_somebody_has_started() -> None:
    ignoring = {"ignore_changes": ["scalingConfig.desiredSize"]}
    before = rehearse(node_group(nodes=(0, 8), options=ignoring))
    after = rehearse(node_group(nodes=(0, 16), options=ignoring), before=before.graph)
    described = diff(before, after)
    live = diff(with_outputs(before.graph, GROUP, scalingConfig={"minSize": 0, "desiredSize": 5, "maxSize": 8}), after)

    assert (only(described).removed, only(described).removed_most) == (0, 8)
    assert (only(live).removed, only(live).removed_most) == (5, 8)
    assert "DIFF-009" in codes(described)
    assert "DIFF-009" in codes(live)


def test_a_size_that_the_bounds_do_not_allow_stops_nothing() -> None:
    ignoring = {"ignore_changes": ["scalingConfig.desiredSize"]}

    assert (
        only(changes(node_group(nodes=(2, 8), options=ignoring), node_group(nodes=(3, 8), options=ignoring))).job
        == "none"
    )


def test_labels_and_settings_leave_running_machines_alone() -> None:
    updates = {"max_unavailable": 2}
    effect = only(changes(node_group(), node_group(updates=updates)))

    assert (effect.replaced, effect.added, effect.removed, effect.job) == (0, 0, 0, "none")


def test_an_older_version_that_eks_refuses_replaces_nothing() -> None:
    compared = changes(node_group(version="1.35"), node_group(version="1.34"))

    assert codes(compared) == ["DIFF-011"]
    assert only(compared).replaced == 0
    assert only(changes(node_group(version="1.34"), node_group(version="1.35"))).replaced == 4


def test_an_instance_refresh_replaces_by_the_share_that_stays_healthy() -> None:
    refresh = {"strategy": "Rolling", "preferences": {"min_healthy_percentage": 50}}
    effect = only(changes(scaling_group(disk=100, refresh=refresh), scaling_group(disk=200, refresh=refresh)))

    assert (effect.replaced, effect.waves, effect.at_once) == (10, 2, 5)


def test_a_group_that_leaves_a_zone_moves_the_machines_there_to_its_other_zones() -> None:
    dropped = only(changes(scaling_group(zones=("us-east-1a", "us-east-1b")), scaling_group()))
    added = changes(scaling_group(), scaling_group(zones=("us-east-1a", "us-east-1b")))

    assert (dropped.replaced, dropped.removed, dropped.added) == (5, 0, 0)
    assert not only(added).is_felt


def test_without_a_refresh_or_with_latest_running_machines_stay() -> None:
    follows = changes(scaling_group(disk=100), scaling_group(disk=200))
    refresh = {"strategy": "Rolling"}
    latest = changes(
        scaling_group(disk=100, latest=True, refresh=refresh), scaling_group(disk=200, latest=True, refresh=refresh)
    )

    assert only(follows).replaced == 0
    assert machine_changes(latest) == ()


@pytest.mark.parametrize(
    ("settings", "zones", "waves", "surge"),
    [
        (None, 1, 4, 1),
        ({"max_surge": 0, "max_unavailable": 1}, 1, 4, 0),
        ({"max_surge": 0, "max_unavailable": 4}, 1, 1, 0),
        ({"max_surge": 1, "max_unavailable": 1}, 1, 2, 1),
        ({"max_surge": 0, "max_unavailable": 4}, 3, 3, 0),
    ],
)
def test_a_node_pool_is_replaced_zone_by_zone_in_the_waves_of_its_settings(
    settings: Mapping[str, Any] | None, zones: int, waves: int, surge: int
) -> None:
    among = ("us-central1-a", "us-central1-b", "us-central1-c")[:zones]
    pool: dict[str, Any] = {"zones": among, "upgrade_settings": settings}
    effect = only(changes(node_pool(**pool), node_pool(disk=200, **pool)))

    assert (effect.replaced, effect.waves, effect.surge) == (4 * zones, waves, surge)


def test_a_pool_of_a_zonal_cluster_outside_the_program_is_counted_in_its_zone() -> None:
    def program(disk: int) -> Program:
        config: Any = {"machine_type": "e2-standard-4", "disk_size_gb": disk}
        return lambda: container.NodePool(
            "train", cluster="shared", location="us-central1-a", node_count=4, node_config=config
        )

    assert only(changes(program(100), program(200))).replaced == 4


def test_blue_green_needs_all_machines_twice_and_waits_for_its_soaks() -> None:
    settings = {
        "strategy": "BLUE_GREEN",
        "blue_green_settings": {
            "node_pool_soak_duration": "1800s",
            "standard_rollout_policy": {"batch_node_count": 2, "batch_soak_duration": "600s"},
        },
    }
    effect = only(changes(node_pool(upgrade_settings=settings), node_pool(disk=200, upgrade_settings=settings)))

    assert (effect.surge, effect.waves) == (4, 2)
    assert effect.minutes == pytest.approx(6 + 2 * 10 + 30)


def test_room_in_a_reservation_outside_the_program_is_not_known() -> None:
    surge = {"max_surge": 1, "max_unavailable": 0}
    held: dict[str, Any] = {"reservation": "train-h100", "upgrade_settings": surge}

    assert "DIFF-008" in codes(changes(node_pool(**held), node_pool(disk=200, **held)))


def test_labels_taints_and_tags_of_a_node_pool_change_in_place() -> None:
    def pool(**config: Any) -> Program:
        wanted: Any = {"machine_type": "a3-highgpu-8g", **config}

        def program() -> None:
            container.NodePool(
                "train",
                cluster="shared",
                location="us-central1",
                node_locations=["us-central1-a"],
                node_count=4,
                node_config=wanted,
            )

        return program

    in_place = {"labels": {"a": "b"}, "tags": ["x"], "resource_labels": {"owner": "y"}}
    assert only(changes(pool(), pool(**in_place))).replaced == 0
    assert only(changes(pool(), pool(image_type="UBUNTU_CONTAINERD"))).why == ("nodeConfig.imageType",)


def test_a_cluster_reaches_the_nodes_of_its_pools() -> None:
    def cluster(**given: Any) -> Program:
        def program() -> None:
            shared = container.Cluster(
                "shared", location="us-central1", initial_node_count=1, remove_default_node_pool=True, **given
            )
            container.NodePool(
                "train",
                cluster=shared.name,
                location="us-central1",
                node_locations=["us-central1-a"],
                node_count=4,
                node_config={"machine_type": "a3-highgpu-8g"},
            )

        return program

    newer = only(changes(cluster(min_master_version="1.34"), cluster(min_master_version="1.35")))
    seen = only(changes(cluster(), cluster(enable_intranode_visibility=True)))

    assert newer.replaced == 0
    assert "later" in newer.job
    assert (seen.replaced, seen.why) == (4, ("enableIntranodeVisibility",))


def test_a_group_of_instances_replaces_only_where_it_is_proactive() -> None:
    proactive = {"type": "PROACTIVE", "minimal_action": "REPLACE", "max_surge_fixed": 0, "max_unavailable_fixed": 3}
    lazy = {"type": "OPPORTUNISTIC", "minimal_action": "REPLACE"}

    first = only(changes(managed_group("debian-12", proactive), managed_group("debian-13", proactive)))
    second = only(changes(managed_group("debian-12", lazy), managed_group("debian-13", lazy)))

    assert (first.replaced, first.waves) == (6, 2)
    assert second.replaced == 0


def test_a_machine_of_a_managed_group_takes_as_long_as_one_is_deleted_and_another_runs() -> None:
    one_by_one = {"type": "PROACTIVE", "minimal_action": "REPLACE", "max_surge_fixed": 0, "max_unavailable_fixed": 1}
    effect = only(changes(managed_group("debian-12", one_by_one), managed_group("debian-13", one_by_one)))

    machine = latencies.latency_of("gcp:compute/instance:Instance", "accelerated")
    assert effect.waves == 6
    assert effect.minutes is not None
    assert effect.minutes > effect.waves * machine.median_s / 60


def test_a_pool_that_comes_or_goes_is_counted() -> None:
    def nothing() -> None:
        ec2.Vpc("net", cidr_block="10.0.0.0/16")

    came, gone = only(changes(nothing, node_group())), only(changes(node_group(), nothing))

    assert (came.added, came.removed, came.job) == (4, 0, "none")
    assert (gone.added, gone.removed, gone.job) == (0, 4, "jobs in the pool end")


def test_an_update_of_which_nothing_is_known_is_not_called_harmless() -> None:
    def environment(most: int) -> Program:
        return lambda: batch.ComputeEnvironment(
            "jobs",
            type="MANAGED",
            compute_resources={
                "type": "EC2",
                "min_vcpus": 192,
                "max_vcpus": most,
                "instance_types": ["p5.48xlarge"],
                "subnets": ["subnet-0123456789abcdef0"],
            },
        )

    assert machine_changes(changes(environment(192), environment(384))) == ()

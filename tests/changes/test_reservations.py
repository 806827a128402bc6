"""Machines that are needed twice at once, given back for a while, or left without their reservation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pytest
from pulumi_aws import ec2, eks
from pulumi_gcp import compute, container

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.changes.machines import machine_changes
from penstock.core.findings import Finding
from penstock.simulate.run import rehearse

pytestmark = pytest.mark.slow

Program = Callable[[], object]
P5_VCPU = "L-417A185B"


def held_pool(
    zone: str = "us-east-1a",
    *,
    machines: int = 4,
    group: str | None = None,
    held_in: str | None = None,
    first: bool | None = None,
    pool_first: bool = False,
) -> Program:
    """A node group in a reservation of the program; `group` and `held_in` are placement groups of both."""

    def program() -> None:
        groups = {
            name: ec2.PlacementGroup(name, strategy="cluster") for name in dict.fromkeys((group, held_in)) if name
        }
        held = ec2.CapacityReservation(
            "held",
            instance_type="p5.48xlarge",
            instance_platform="Linux/UNIX",
            availability_zone=zone,
            instance_count=machines,
            placement_group_arn=groups[held_in].arn if held_in else None,
            opts=pulumi.ResourceOptions(delete_before_replace=first),
        )
        template = ec2.LaunchTemplate(
            "train",
            instance_type="p5.48xlarge",
            placement={"group_name": groups[group].name} if group else None,
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": held.id}},
        )
        vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
        subnet = ec2.Subnet(zone, vpc_id=vpc.id, cidr_block=f"10.0.{16 * ord(zone[-1])}.0/24", availability_zone=zone)
        eks.NodeGroup(
            "train",
            cluster_name="shared",
            node_role_arn="arn:aws:iam::123456789012:role/nodes",
            subnet_ids=[subnet.id],
            launch_template={"id": template.id, "version": template.latest_version.apply(str)},
            scaling_config={"min_size": machines, "desired_size": machines, "max_size": machines},
            opts=pulumi.ResourceOptions(delete_before_replace=pool_first),
        )

    return program


def google_reservation(zone: str, name: str | None = None) -> Program:
    return lambda: compute.Reservation(
        "held",
        name=name,
        zone=zone,
        specific_reservation_required=True,
        specific_reservation={"count": 4, "instance_properties": {"machine_type": "a3-highgpu-8g"}},
    )


def google_pool(zones: tuple[str, ...], *, reservation: str | None = None, spot: bool | None = None) -> Program:
    affinity: Any = {
        "consume_reservation_type": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": [reservation],
    }
    return lambda: container.NodePool(
        "train",
        cluster="shared",
        location="us-central1",
        node_locations=list(zones),
        node_count=4,
        node_config={
            "machine_type": "a3-highgpu-8g",
            "spot": spot,
            "reservation_affinity": affinity if reservation else None,
        },
    )


def found(before: Program, after: Program, quotas: Mapping[str, int] | None = None) -> list[Finding]:
    config = {"penstock:quotas": str(dict(quotas)).replace("'", '"')} if quotas else {}
    first = rehearse(before, config=config)
    compared = diff(first, rehearse(after, before=first.graph, config=config))
    return [each for each in findings_of(compared) if each.code in ("DIFF-007", "DIFF-008", "DIFF-017", "DIFF-018")]


def codes(findings: list[Finding]) -> list[str]:
    return [each.code for each in findings]


def test_a_reservation_in_another_zone_is_held_beside_the_first_and_has_room_for_all() -> None:
    (both,) = found(held_pool("us-east-1a"), held_pool("us-east-1b", pool_first=True))

    assert both.code == "DIFF-017"
    assert "4 × p5.48xlarge in us-east-1b before it gives 4 × p5.48xlarge in us-east-1a back" in both.message
    assert "train has no machines for 4 min" in both.message


def test_a_pool_that_starts_in_the_new_reservation_beside_the_old_one_does_not_lack_room() -> None:
    assert codes(found(held_pool("us-east-1a"), held_pool("us-east-1b"))) == ["DIFF-017"]


def test_a_reservation_that_is_deleted_first_may_not_come_back() -> None:
    (back,) = found(held_pool("us-east-1a", first=True), held_pool("us-east-1b", first=True, pool_first=True))

    assert back.code == "DIFF-017"
    assert "gives 4 × p5.48xlarge in us-east-1a back before it reserves 4 × p5.48xlarge in us-east-1b" in back.message


@pytest.mark.parametrize(("allowed", "blocks"), [(4 * 192, True), (7 * 192, True), (8 * 192, False)])
def test_both_reservations_count_toward_the_quota(allowed: int, *, blocks: bool) -> None:
    findings = found(held_pool("us-east-1a"), held_pool("us-east-1b", pool_first=True), {P5_VCPU: allowed})

    assert [each.code for each in findings if each.blocks] == (["DIFF-017"] if blocks else [])


def test_a_reservation_that_goes_first_counts_once_toward_the_quota() -> None:
    moved = (held_pool("us-east-1a", first=True), held_pool("us-east-1b", first=True, pool_first=True))

    assert not any(each.blocks for each in found(*moved, {P5_VCPU: 4 * 192}))


def google_pools(*names: str, accelerated: bool = True) -> Program:
    def program() -> None:
        for name in names:
            container.NodePool(
                name,
                cluster="shared",
                location="us-central1-a",
                node_count=4,
                node_config={"machine_type": "a3-highgpu-8g" if accelerated else "e2-standard-8"},
            )

    return program


def reservations(*names: str) -> Program:
    def program() -> None:
        for name in names:
            ec2.CapacityReservation(
                name,
                instance_type="p5.48xlarge",
                instance_platform="Linux/UNIX",
                availability_zone="us-east-1a",
                instance_count=4,
            )

    return program


def test_a_reservation_under_another_name_is_held_beside_the_former_one() -> None:
    (both,) = found(reservations("former"), reservations("next"))

    assert both.code == "DIFF-017"
    assert "next reserves 4 × p5.48xlarge in us-east-1a before former gives 4 × p5.48xlarge" in both.message
    assert found(reservations("former"), reservations("former", "next")) == []
    assert found(reservations("former", "next"), reservations("former")) == []


def test_what_goes_at_the_end_counts_toward_the_quota_until_then() -> None:
    renamed = (reservations("former"), reservations("next"))

    assert [each.blocks for each in found(*renamed, {P5_VCPU: 8 * 192 - 1})] == [True, False]
    assert [each.blocks for each in found(*renamed, {P5_VCPU: 8 * 192})] == [False]
    assert found(reservations("former", "next"), reservations("former"), {P5_VCPU: 4 * 192}) == []


def test_a_pool_with_accelerators_under_another_name_is_needed_beside_the_former_one() -> None:
    assert codes(found(google_pools("former"), google_pools("next"))) == ["DIFF-017"]
    assert found(google_pools("former"), google_pools("former", "next")) == []
    assert found(google_pools("former", accelerated=False), google_pools("next", accelerated=False)) == []


def test_a_cluster_placement_group_is_not_in_two_zones() -> None:
    inside: dict[str, Any] = {"group": "close", "held_in": "close", "pool_first": True}
    findings = found(held_pool("us-east-1a", **inside), held_pool("us-east-1b", **inside))

    assert codes(findings) == ["DIFF-018", "DIFF-017"]
    assert "close holds machines in us-east-1a" in findings[0].message


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (("close", "close"), (None, None), "they start in no placement group"),
        (("close", "close"), ("other", "other"), "they start in the placement group other"),
        ((None, None), ("close", "close"), "the reservation was created outside of one"),
    ],
)
def test_machines_outside_the_group_of_their_reservation_never_start(
    before: tuple[str | None, str | None], after: tuple[str | None, str | None], says: str
) -> None:
    findings = found(
        held_pool(group=before[0], held_in=before[1]),
        held_pool(group=after[0], held_in=after[1]),
    )

    (left,) = (each for each in findings if each.code == "DIFF-018")
    assert says in left.message
    assert left.blocks


def test_a_reservation_that_only_grows_leaves_its_pool_where_it_is() -> None:
    same: dict[str, Any] = {"group": "close", "held_in": "close"}

    assert found(held_pool(machines=4, **same), held_pool(machines=6, **same)) == []


def test_google_reserves_beside_the_first_unless_the_name_is_fixed() -> None:
    (beside,) = found(google_reservation("us-central1-a"), google_reservation("us-central1-b"))
    (after,) = found(google_reservation("us-central1-a", "held"), google_reservation("us-central1-b", "held"))

    assert "reserves 4 × a3-highgpu-8g in us-central1-b before" in beside.message
    assert "back before it reserves" in after.message


def test_a_pool_that_changes_its_zones_moves_the_machines_of_those_that_it_leaves() -> None:
    first = rehearse(google_pool(("us-central1-a", "us-central1-b")))
    second = rehearse(google_pool(("us-central1-b", "us-central1-c")), before=first.graph)

    (pool,) = machine_changes(diff(first, second))

    assert (pool.effect.replaced, pool.effect.added, pool.effect.removed) == (4, 0, 0)
    assert pool.effect.job == "what runs on 4 removed nodes stops"


def test_another_zone_of_a_named_reservation_is_another_reservation() -> None:
    (asked,) = found(
        google_pool(("us-central1-a",), reservation="train"), google_pool(("us-central1-b",), reservation="train")
    )

    assert asked.code == "DIFF-008"
    assert "4 new machines of train start in a reservation outside the program" in asked.message


def test_google_makes_no_reservation_smaller_than_the_machines_that_use_it() -> None:
    def program(held: int, nodes: int) -> Program:
        def run() -> None:
            reservation = compute.Reservation(
                "held",
                zone="us-central1-a",
                specific_reservation_required=True,
                specific_reservation={"count": held, "instance_properties": {"machine_type": "a3-highgpu-8g"}},
            )
            container.NodePool(
                "train",
                cluster="shared",
                location="us-central1-a",
                node_count=nodes,
                node_config={
                    "machine_type": "a3-highgpu-8g",
                    "reservation_affinity": {
                        "consume_reservation_type": "SPECIFIC_RESERVATION",
                        "key": "compute.googleapis.com/reservation-name",
                        "values": [reservation.name],
                    },
                },
            )

        return run

    def codes_of(before: Program, after: Program) -> list[str]:
        first = rehearse(before)
        return [each.code for each in findings_of(diff(first, rehearse(after, before=first.graph)))]

    assert codes_of(program(6, 6), program(4, 4)) == ["DIFF-010"]
    assert codes_of(program(6, 4), program(4, 4)) == []
    assert codes_of(program(4, 4), program(6, 6)) == []


def test_a_pool_with_accelerators_that_is_created_beside_the_old_one_is_needed_twice() -> None:
    assert codes(found(google_pool(("us-central1-a",)), google_pool(("us-central1-a",), spot=True))) == ["DIFF-017"]

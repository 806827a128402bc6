"""How a pool's machines are bought, and where AWS puts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pulumi
from pulumi_aws import ec2

from penstock.aws.description import pools
from penstock.aws.facts.machines import AwsMachine
from penstock.description.node_pool import NodePoolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The settings that the launch template and the node group must share, for EKS to accept the pair."""

    kind: Literal["ON_DEMAND", "SPOT", "CAPACITY_BLOCK"]
    placement_group: pulumi.Input[str] | None = None
    reservation_id: pulumi.Input[str] | None = None


def arrange(
    name: str,
    spec: NodePoolSpec,
    *,
    machine: AwsMachine,
    zone: str | None,
    after: Sequence[pulumi.Resource],
    opts: pulumi.ResourceOptions,
) -> Capacity:
    """Make the placement group and the reservation that the pool needs and does not bring along.

    Only machines in the placement group that a reservation was created in find its capacity. So our own reservation is
    created in the pool's group, and beside an existing one no group is created: its own can be named in `placement`. A
    capacity block takes no group: AWS places its machines together anyway.

    A reservation of our own is for `nodes.max` machines, and AWS charges for all of them from the moment it is created.
    So it comes `after` all that may fail before its machines can be used.
    """
    if spec.capacity == "capacity_block":
        return Capacity(kind="CAPACITY_BLOCK", reservation_id=spec.reservation)

    group = _group(name, spec, machine, opts)
    group_name = None if group is None else group.id  # a placement group goes by its name
    if spec.capacity == "spot":
        return Capacity(kind="SPOT", placement_group=group_name)
    reservation_id: pulumi.Input[str] | None = spec.reservation
    if spec.capacity == "reserved" and reservation_id is None:
        reservation_id = ec2.CapacityReservation(
            name,
            instance_type=machine.machine_type,
            instance_platform="Linux/UNIX",
            instance_count=spec.nodes.max,
            availability_zone=zone,
            instance_match_criteria="targeted",  # no other machine of this type may use it up
            end_date_type="unlimited",
            placement_group_arn=None if group is None else group.arn,
            tags={**spec.tags, "Name": name},
            opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=list(after))),
        ).id
    return Capacity(kind="ON_DEMAND", placement_group=group_name, reservation_id=reservation_id)


def _group(
    name: str, spec: NodePoolSpec, machine: AwsMachine, opts: pulumi.ResourceOptions
) -> ec2.PlacementGroup | None:
    # AWS moves no reservation to another group: with or without EFA, our own stays in one.
    stays = spec.capacity == "reserved" and machine.efa_layout is not None and machine.accelerators > 0
    match spec.placement:
        case "none":
            return None
        case "auto" if spec.reservation is not None or not (stays or pools.efa(spec)):
            return None
        case "auto" | "cluster":
            return ec2.PlacementGroup(name, strategy="cluster", tags=spec.tags, opts=opts)
        case existing:
            return ec2.PlacementGroup.get(name, existing, opts=opts)

"""The number of a pool's machines: as described where it is one number, otherwise as autoscaler or people left it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_aws import autoscaling, eks

from penstock.aws.components.capacity import Capacity
from penstock.description.node_pool import NodePoolSpec

_POOL_TAG = "penstock.dev/pool"


def found_by(name: str, spec: NodePoolSpec) -> dict[str, str]:
    """The tag of a pool's Auto Scaling group by which the next run finds it: EKS chooses the group's name.

    A pool of a fixed number has it, too: the run that gives it bounds must not start from the smallest number. A
    capacity block has one of its own: a pool that moves to one starts empty, whatever ran before.
    """
    return {_POOL_TAG: f"{name}/{spec.reservation}" if spec.capacity == "capacity_block" else name}


def bounds(spec: NodePoolSpec, capacity: Capacity) -> tuple[int, int]:
    """The fewest and the most machines; none at the least in a capacity block, which begins and ends by itself."""
    return (0 if capacity.kind == "CAPACITY_BLOCK" else spec.nodes.min), spec.nodes.max


def scaling(
    name: str, spec: NodePoolSpec, capacity: Capacity, lookups: pulumi.InvokeOptions
) -> eks.NodeGroupScalingConfigArgsDict:
    """The bounds of a pool, and a number of machines within them: that of now, or the smallest at the start.

    Each change of a bound sends the number along, and EKS refuses one outside of the bounds. With `ignore_changes` it
    would be that of the last run, and a wider bound would stop machines that were started since.
    """
    smallest, largest = bounds(spec, capacity)
    return {
        "min_size": smallest,
        "desired_size": smallest if smallest == largest else _size(found_by(name, spec), smallest, largest, lookups),
        "max_size": largest,
    }


def _size(tags: Mapping[str, str], smallest: int, largest: int, lookups: pulumi.InvokeOptions) -> pulumi.Output[int]:
    groups = autoscaling.get_ami_ids_output(  # what the SDK calls the look-up of Auto Scaling groups
        filters=[{"name": f"tag:{tag}", "values": [value]} for tag, value in tags.items()], opts=lookups
    )

    def size_of(names: Sequence[str]) -> pulumi.Input[int]:
        return autoscaling.get_group_output(name=names[0], opts=lookups).desired_capacity if names else smallest

    return groups.names.apply(size_of).apply(lambda size: min(max(size, smallest), largest))

"""The number of a pool's machines: as described where it is one number, otherwise as autoscaler or people left it."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_aws import autoscaling, eks

from penstock.aws.capacity import Capacity
from penstock.spec.node_pool import NodePoolSpec

POOL_TAG = "penstock.dev/pool"
"""On the Auto Scaling group of a pool, so that the next run finds it: EKS chooses its name.

A pool of a fixed number has it, too: the run that gives it bounds must not start from the smallest number.
"""


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
        "desired_size": smallest if smallest == largest else _size(name, smallest, largest, lookups),
        "max_size": largest,
    }


def _size(name: str, smallest: int, largest: int, lookups: pulumi.InvokeOptions) -> pulumi.Output[int]:
    groups = autoscaling.get_ami_ids_output(  # what the SDK calls the look-up of Auto Scaling groups
        filters=[{"name": f"tag:{POOL_TAG}", "values": [name]}], opts=lookups
    )

    def size_of(names: Sequence[str]) -> pulumi.Input[int]:
        return autoscaling.get_group_output(name=names[0], opts=lookups).desired_capacity if names else smallest

    return groups.names.apply(size_of).apply(lambda size: min(max(size, smallest), largest))

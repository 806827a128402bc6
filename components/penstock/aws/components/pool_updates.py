"""How the machines of a pool are replaced when its image, version or launch template changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pulumi_aws import eks

from penstock.aws.components.capacity import Capacity
from penstock.aws.description import pools
from penstock.aws.facts.machines import AwsMachine
from penstock.aws.types import EKS_NODE_GROUP
from penstock.catalog import latencies, limits
from penstock.description.node_pool import NodePoolSpec

_WHOLE = 100
_PART = 25

_LEAST_MIN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Updates:
    """The order in which EKS replaces machines, and how long that may take."""

    percent: int
    strategy: Literal["DEFAULT", "MINIMAL"]
    timeout_min: int

    @property
    def config(self) -> eks.NodeGroupUpdateConfigArgsDict:
        """The same, as a node group takes it."""
        return {"max_unavailable_percentage": self.percent, "update_strategy": self.strategy}


def updates(spec: NodePoolSpec, machine: AwsMachine, capacity: Capacity) -> Updates:
    """How a pool is updated: training pools all at once, others in four parts.

    A job over the whole fabric stops with its first machine and starts with its last: one by one, sixteen machines
    would be idle for hours. A pool that always runs some machines and may run more serves, and keeps most of them.

    The default strategy starts a new machine before it stops an old one, and would wait for accelerators that nobody
    sells, or that the reservation lacks.
    """
    scarce = machine.accelerators > 0 or capacity.reservation_id is not None
    serves = 0 < spec.nodes.min < spec.nodes.max
    percent = _most(spec.nodes.max) if pools.efa(spec) and not serves else _PART
    waves = min(math.ceil(100 / percent), spec.nodes.max)
    return Updates(
        percent=percent,
        strategy="MINIMAL" if scarce else "DEFAULT",
        timeout_min=max(_LEAST_MIN, waves * _wave_min(machine)),
    )


def _most(nodes: int) -> int:
    """The percentage of a pool that EKS updates at once: all, up to its limit of machines."""
    return max(1, min(_WHOLE, 100 * limits.find_limit("node_group_parallel_updates", "aws").most // nodes))


def _wave_min(machine: AwsMachine) -> int:
    """The minutes in which one part is emptied, replaced and has joined, on a bad day."""
    variant = "accelerated" if machine.accelerators else ""
    start_min = latencies.latency_of(EKS_NODE_GROUP, variant).p95_s / 60
    drain_min = limits.find_limit("node_drain_minutes", "aws").most
    return math.ceil(start_min + drain_min)

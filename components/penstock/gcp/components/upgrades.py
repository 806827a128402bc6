"""How a pool's machines are upgraded: how many at once, whether spare ones come first, and how long it may take.

The same settings hold whenever a change of the pool makes GKE recreate its nodes.
"""

from __future__ import annotations

from math import ceil

import pulumi
from pulumi_gcp import container

from penstock.catalog import latencies, limits
from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.description import pools
from penstock.gcp.types import CONTAINER_NODE_POOL

_SHARE = 10
"""Of a pool whose machines work alone, a tenth is upgraded at once."""

_LEAST_MINUTES = 90
"""Pools that became ready after 35 minutes were lost to the provider's own 30 (NVIDIA/aicr#2065)."""


def upgrade_settings(spec: NodePoolSpec) -> container.NodePoolUpgradeSettingsArgsDict | None:
    """Settings of a pool with accelerators; None where GKE's own are right, or machines come and go by themselves.

    GKE's own start a spare machine before they stop one. Google sells one of GPUs that work alone and on demand; a
    reservation has none, and of TPUs, next to a fabric or on spot nobody knows. Machines with a fabric share one job,
    which ends with the first of them: all of them at once cost it one restart, and one after the other a restart each.
    """
    machine = pools.machine(spec)
    if not machine.accelerators or spec.capacity == "flex_start":
        return None
    at_once = _at_once(spec)
    spare = machine.accelerator_kind == "gpu" and spec.capacity == "on_demand" and not pools.together(spec)
    return {
        "strategy": "SURGE",
        "max_surge": at_once if spare else 0,
        "max_unavailable": 0 if spare else at_once,
    }


def timeouts(spec: NodePoolSpec) -> pulumi.CustomTimeouts:
    """The time that creating, changing and deleting a pool may take: changing it, with the number of its waves."""
    waves = ceil(_machines(spec) / _at_once(spec))
    draining = limits.find_limit("node_drain_minutes", "gcp").most
    update = max(_LEAST_MINUTES, draining + waves * _minutes_of_a_wave(spec))
    return pulumi.CustomTimeouts(create=f"{_LEAST_MINUTES}m", update=f"{update}m", delete=f"{_LEAST_MINUTES}m")


def _minutes_of_a_wave(spec: NodePoolSpec) -> int:
    """The minutes in which new machines join on a bad day."""
    machine, shape = pools.machine(spec), pools.slice_(spec)
    if shape is not None and shape.multi_host:
        variant = "slice"
    elif machine.machine_type.endswith("-metal"):
        variant = "metal"
    else:
        variant = "accelerated" if machine.accelerators else ""
    return ceil(latencies.latency_of(CONTAINER_NODE_POOL, variant).p95_s / 60)


def _at_once(spec: NodePoolSpec) -> int:
    machine, most = pools.machine(spec), limits.find_limit("nodes_upgraded_at_once", "gcp").most
    if not machine.accelerators:
        return 1  # GKE's own setting
    wanted = _machines(spec) if pools.together(spec) else ceil(_machines(spec) / _SHARE)
    return min(wanted, most)


def _machines(spec: NodePoolSpec) -> int:
    """The most machines of one node pool of GKE: a slice of several hosts has one of its own."""
    shape = pools.slice_(spec)
    return shape.hosts if shape is not None and shape.multi_host else spec.nodes.max

"""Updates in place of pools on Google Cloud: node pools of GKE, in a cluster or beside it, and groups of instances."""

from __future__ import annotations

import re
from collections.abc import Collection
from math import ceil
from typing import Final

from penstock.changes.pool_updates import Follower, Keys, PoolSize, Reserved
from penstock.changes.rollouts import Rollout, in_waves, zone_count
from penstock.gcp.model.gke import GkePool
from penstock.gcp.rules import quotas
from penstock.gcp.types import (
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    COMPUTE_RESERVATION,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
)
from penstock.graph.view import Block, View
from penstock.model.pools import MachinePool

RESERVATION: Final = COMPUTE_RESERVATION
draws_of: Final = quotas.draws_of

_WHOLE: Final = 100
_SOAK_S: Final = 3600
"""Seconds that GKE keeps the old nodes after a blue-green upgrade (GKE API, BlueGreenSettings)."""
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}


_LATER: Final = "none now; the cloud replaces the nodes later, in a maintenance window"
_BY_HAND: Final = "none now; an exclusion holds the nodes at their version until somebody upgrades them by hand"
_HOLDS_NODES: Final = "NO_MINOR_OR_NODE_UPGRADES"
"""The scope of a maintenance exclusion that GKE upgrades no node in (GKE documentation, maintenance exclusions)."""


def _upgraded_later(cluster: View, pool: MachinePool) -> str:
    """Return what a job sees of the upgrade to the version of the cluster, which GKE does by itself."""
    management = pool.block.block("management")
    if "version" in pool.block or (management is not None and management.flag("autoUpgrade") is False):
        return ""
    scopes = cluster.locations("maintenancePolicy.maintenanceExclusions[].exclusionOptions.scope")
    return _BY_HAND if any(each.value == _HOLDS_NODES for each in scopes) else _LATER


FOLLOWERS: Final = (Follower(CONTAINER_CLUSTER, CONTAINER_NODE_POOL, "cluster", _upgraded_later, but=("nodeVersion",)),)
"""Node pools beside a cluster, which changes of the cluster reach, but those of its own default pool."""


def rollout(pool: MachinePool, machines: int) -> Rollout | None:
    """Return how a pool replaces so many running machines; None for a single machine."""
    if isinstance(pool, GkePool):
        return _gke(pool, machines)
    return (
        _managed_group(pool, machines)
        if pool.view.type in (COMPUTE_INSTANCE_GROUP_MANAGER, COMPUTE_REGION_INSTANCE_GROUP_MANAGER)
        else None
    )


def reported(pool: MachinePool) -> int | None:
    """Return the number of nodes that GKE reported of a pool; None where the Graph has it from no cloud."""
    if isinstance(pool, GkePool) and pool.block is pool.view and "nodeCount" not in pool.view:
        return pool.in_all_zones(pool.view.outputs.integer("nodeCount") or 0) or None
    return None


def resized(before: MachinePool, after: MachinePool, size: PoolSize, touched: Collection[Keys]) -> PoolSize:
    """Return the size of a pool right after an update of what is touched.

    Other bounds alone neither start nor stop a node of GKE at once, and a count that a program no longer gives is left
    to whoever moves it.
    """
    if not (isinstance(before, GkePool) and isinstance(after, GkePool)):
        grown = after.start() - before.start()
        return PoolSize(size.running + grown, size.most + grown)
    if "nodeCount" in after.block and ("nodeCount",) in touched:
        return PoolSize(after.start(), after.start())
    was, now = before.zone_count(), after.zone_count()
    if was == now:
        return size
    running = size.running * now // was
    return PoolSize(running, max(running, min(size.most * now // was, after.most())))


def described_by(pool: MachinePool, keys: Keys) -> str:
    """Return the type whose facts hold for a change at these keys: pools in a cluster are as those beside it."""
    inside = isinstance(pool, GkePool) and (pool.block is not pool.view or keys[:1] == ("nodeConfig",))
    return CONTAINER_NODE_POOL if inside else pool.view.type


def reserved(reservation: View) -> Reserved:
    """Return the machines that a reservation holds."""
    specific = reservation.block("specificReservation")
    count = (specific.integer("count") or 0) if specific is not None else 0
    properties = specific.block("instanceProperties") if specific is not None else None
    machine_type = (properties.text("machineType") or "") if properties is not None else ""
    return Reserved(count, machine_type.rpartition("/")[2] or "machines", reservation.text("zone") or "")


def mismatch(pool: MachinePool, reservation: View) -> str:  # noqa: ARG001 - on AWS a placement group may differ
    """Return nothing: a reservation of Google Cloud that stays takes the machines that name it."""
    return ""


def conflict(before: View, after: View) -> str:  # noqa: ARG001 - on AWS a placement group may be in the way
    """Return nothing: no pool or reservation of Google Cloud is in the way of its successor."""
    return ""


def subnet_zones(view: View, path: str) -> list[str]:  # noqa: ARG001 - on AWS each subnet is in a zone
    """Return none: subnetworks of Google Cloud are in all zones of their region."""
    return []


def _gke(pool: GkePool, machines: int) -> Rollout:
    if pool.purchase() == "flex_start":
        return Rollout(0, 0, 0, "GKE replaces them when they end by themselves", waits=True)
    placement = pool.block.block("placementPolicy")
    if placement is not None and "tpuTopology" in placement and machines > 1:
        return Rollout(1, machines, 0, "the hosts of a slice work only together")
    settings = pool.block.block("upgradeSettings")
    blue_green = settings.block("blueGreenSettings") if settings is not None else None
    if settings is not None and settings.text("strategy") == "BLUE_GREEN":
        return _blue_green(blue_green, machines)
    surge = settings.integer("maxSurge") if settings is not None else None
    away = settings.integer("maxUnavailable") if settings is not None else None
    if surge is None and away is None:
        surge = 1  # GKE's default for pools that do not say
    together = max(1, (surge or 0) + (away or 0))
    # GKE goes through a pool zone by zone, and through the nodes of one in waves.
    zones = min(machines, _zones(pool))
    waves = sum(ceil(part / together) for part in _spread(machines, zones))
    order = "new machines start first" if surge else "old machines stop first"
    return Rollout(waves, min(together, ceil(machines / zones)), surge or 0, order)


def _blue_green(settings: Block | None, machines: int) -> Rollout:
    policy = settings.block("standardRolloutPolicy") if settings is not None else None
    number = policy.integer("batchNodeCount") if policy is not None else None
    share = policy.number("batchPercentage") if policy is not None else None
    batch = number or (max(1, int(machines * share)) if share else 1)
    waves = ceil(machines / min(batch, machines))
    soak = _seconds(policy.text("batchSoakDuration") if policy is not None else None, 0)
    kept = _seconds(settings.text("nodePoolSoakDuration") if settings is not None else None, _SOAK_S)
    order = "a second pool starts beside the first (blue-green)"
    waiting = waves * soak + kept
    return Rollout(waves, min(batch, machines), machines, order, start_together=True, waiting_s=waiting)


def _managed_group(pool: MachinePool, machines: int) -> Rollout:
    policy = pool.view.block("updatePolicy")
    zones = zone_count(pool)
    surge = _number(policy, "maxSurge", machines, zones)
    away = _number(policy, "maxUnavailable", machines, zones)
    order = "new machines start first" if surge else "old machines stop first"
    return in_waves(machines, max(1, surge + away), surge, order)


def _number(policy: Block | None, key: str, machines: int, zones: int) -> int:
    fixed = policy.integer(f"{key}Fixed") if policy is not None else None
    percent = policy.integer(f"{key}Percent") if policy is not None else None
    if fixed is not None:
        return fixed
    return zones if percent is None else ceil(machines * percent / _WHOLE)


def _spread(machines: int, zones: int) -> list[int]:
    each, rest = divmod(machines, zones)
    return [each + (index < rest) for index in range(zones)]


def _zones(pool: GkePool) -> int:
    return max(1, pool.zone_count())


def _seconds(duration: str | None, otherwise: float) -> float:
    """A duration as Google writes it: `3600s`, or `1h30m` as Pulumi does."""
    if duration is None:
        return otherwise
    return sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"([\d.]+)([hms])", duration))

"""Updates in place of pools on Azure: node pools of AKS, in a cluster or beside it, scale sets and single machines."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from typing import Final

from penstock.azure.model.pools import AksPool
from penstock.azure.rules import quotas
from penstock.azure.types import (
    COMPUTE_CAPACITY_RESERVATION,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
)
from penstock.changes.pool_updates import Follower, Keys, PoolSize, Reserved
from penstock.changes.rollouts import Rollout, in_waves
from penstock.graph.view import Block, View
from penstock.model.pools import MachinePool

RESERVATION: Final = COMPUTE_CAPACITY_RESERVATION
draws_of: Final = quotas.draws_of

_WHOLE: Final = 100
_SURGE: Final = "10%"
"""What AKS takes of a pool that says nothing (Azure REST API, AgentPoolUpgradeSettings)."""
_BATCH_PERCENT: Final = 20
"""Percentage of a scale set that a rolling upgrade takes at once (Azure REST API, RollingUpgradePolicy)."""
_LATER: Final = "none now; AKS replaces the nodes later, in a maintenance window"
_NO_CHANNEL: Final = frozenset({"", "none", "unmanaged"})
"""Channels with which AKS replaces no node by itself; the system of an unmanaged one patches itself."""


def _upgraded_later(cluster: View, pool: MachinePool) -> str:  # noqa: ARG001 - on GKE pools may opt out
    """Return what a job sees of upgrades that AKS does by itself."""
    profile = cluster.block("autoUpgradeProfile")
    channels = [profile.text(key) or "" for key in ("upgradeChannel", "nodeOSUpgradeChannel")] if profile else []
    return _LATER if any(each.casefold() not in _NO_CHANNEL for each in channels) else ""


FOLLOWERS: Final = (
    Follower(CONTAINERSERVICE_MANAGED_CLUSTER, CONTAINERSERVICE_AGENT_POOL, "resourceName", _upgraded_later),
)
"""Node pools beside a cluster, which changes of its network reach, and its channel of upgrades."""


def rollout(pool: MachinePool, machines: int) -> Rollout | None:
    """Return how a pool replaces so many running machines; None for a single machine."""
    if isinstance(pool, AksPool):
        return _aks(pool.block.block("upgradeSettings"), machines)
    return _scale_set(pool.view, machines) if pool.view.type == COMPUTE_VIRTUAL_MACHINE_SCALE_SET else None


def reported(pool: MachinePool) -> int | None:
    """Return the number of nodes that AKS reported of a pool; None where the Graph has it from no cloud."""
    if isinstance(pool, AksPool) and pool.block is pool.view and pool.block.flag("enableAutoScaling"):
        return pool.view.outputs.integer("count")
    return None


def resized(before: MachinePool, after: MachinePool, size: PoolSize, touched: Collection[Keys]) -> PoolSize:
    """Return the size of a pool right after an update of what is touched: an autoscaler moves within its bounds."""
    if not (isinstance(before, AksPool) and isinstance(after, AksPool)):
        grown = after.start() - before.start()
        return PoolSize(size.running + grown, size.most + grown)
    if after.block.flag("enableAutoScaling"):
        least, most = after.least()[0], after.most()
        return PoolSize(min(max(size.running, least), most), min(max(size.most, least), most))
    sent = {("count",), ("enableAutoScaling",)} & set(touched)
    return PoolSize(after.start(), after.start()) if sent else size


def described_by(pool: MachinePool, keys: Keys) -> str:  # noqa: ARG001 - on GKE some keys of a cluster are of its pool
    """Return the type whose facts hold for a change of a pool: pools in a cluster are as those beside it."""
    return CONTAINERSERVICE_AGENT_POOL if isinstance(pool, AksPool) else pool.view.type


def reserved(reservation: View) -> Reserved:
    """Return the machines that a reservation holds."""
    sku = reservation.block("sku")
    count = (sku.integer("capacity") or 0) if sku is not None else 0
    return Reserved(count, (sku and sku.text("name")) or "machines", " ".join(reservation.texts("zones")))


def mismatch(pool: MachinePool, reservation: View) -> str:  # noqa: ARG001 - on AWS a placement group may differ
    """Return nothing: a reservation of Azure that stays takes the machines that name its group."""
    return ""


def conflict(before: View, after: View) -> str:  # noqa: ARG001 - on AWS a placement group may be in the way
    """Return nothing: the names of pools and reservations are their identities, and the engine deletes first."""
    return ""


def subnet_zones(view: View, path: str) -> list[str]:  # noqa: ARG001 - on AWS each subnet is in a zone
    """Return none: subnets of Azure are in all zones of their region."""
    return []


def _aks(settings: Block | None, machines: int) -> Rollout:
    away = _share(settings, "maxUnavailable", machines)
    surge = 0 if away else _share(settings, "maxSurge", machines, _SURGE)
    soak = settings.integer("nodeSoakDurationInMinutes") if settings is not None else None
    at_once = min(machines, max(1, surge, away))
    waves = ceil(machines / at_once)
    order = "new machines start first" if surge else "old machines stop first"
    return Rollout(waves, at_once, surge, order, waiting_s=waves * (soak or 0) * 60)


def _share(settings: Block | None, key: str, machines: int, otherwise: str = "0") -> int:
    given = (settings.text(key) if settings is not None else None) or otherwise
    if not given.endswith("%"):
        return int(given) if given.isdecimal() else 0
    percent = given.removesuffix("%")
    return ceil(machines * int(percent) / _WHOLE) if percent.isdecimal() else 0


def _scale_set(view: View, machines: int) -> Rollout:
    policy = view.block("upgradePolicy")
    rolling = policy.block("rollingUpgradePolicy") if policy is not None else None
    if policy is None or (policy.text("mode") or "").casefold() != "rolling":
        return in_waves(machines, machines, 0, "all machines of the scale set at once")
    percent = (rolling.integer("maxBatchInstancePercent") if rolling is not None else None) or _BATCH_PERCENT
    surge = rolling is not None and rolling.flag("maxSurge") is True
    at_once = max(1, machines * percent // _WHOLE)
    order = "new machines start first" if surge else "old machines stop first"
    return in_waves(machines, at_once, at_once if surge else 0, order)

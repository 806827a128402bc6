"""The waves in which a pool replaces its running machines, by its own update settings.

Providers change the machines before the update settings (terraform-provider-aws resourceNodeGroupUpdate,
terraform-provider-google nodePoolUpdate), so that a change of both is rolled out by the former settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from penstock.catalog import limits
from penstock.model.pools import MachinePool
from penstock.model.pools.gce import GROUP, REGION_GROUP
from penstock.model.pools.gke import GkePool
from penstock.model.pools.launch_templates import AUTOSCALING_GROUP, NODE_GROUP
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Block

_WHOLE: Final = 100
_HEALTHY_PERCENT: Final = 90
"""Percentage of an autoscaling group that an instance refresh keeps (Auto Scaling API, RefreshPreferences)."""
_SOAK_S: Final = 3600
"""Seconds that GKE keeps the old nodes after a blue-green upgrade (GKE API, BlueGreenSettings)."""
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Rollout:
    """The way in which a number of machines is replaced.

    `at_once` machines are away or moved in one of `waves`; `surge` machines run beside the old ones meanwhile.
    `waiting_s` are seconds that the cloud only waits. `waits` is True where machines are replaced at a time that the
    cloud chooses.
    """

    waves: int
    at_once: int
    surge: int
    order: str
    waiting_s: float = 0.0
    waits: bool = False


def rollout_of(pool: MachinePool, machines: int) -> Rollout:
    """Return how a pool replaces so many running machines in an update in place."""
    if not machines:
        return Rollout(0, 0, 0, "")
    if isinstance(pool, GkePool):
        return _gke(pool, machines)
    read = _READERS.get(pool.view.type)
    return read(pool, machines) if read is not None else Rollout(1, machines, 0, "each is stopped and started")


def whole(machines: int, *, deletes_first: bool) -> Rollout:
    """Return how a pool that is itself replaced does it: all machines at once."""
    if not machines:
        return Rollout(0, 0, 0, "")
    if deletes_first:
        return Rollout(1, machines, 0, "the old pool is deleted first")
    return Rollout(1, machines, machines, "the new pool starts beside the old one")


def _eks(pool: MachinePool, machines: int) -> Rollout:
    settings = pool.view.block("updateConfig")
    number = settings.integer("maxUnavailable") if settings is not None else None
    share = settings.integer("maxUnavailablePercentage") if settings is not None else None
    most = int(limits.find_limit("nodes_updated_at_once", "aws").most)
    wanted = number or (max(1, machines * share // _WHOLE) if share else 1)
    at_once = min(wanted, machines, most)
    if settings is not None and settings.text("updateStrategy") == "MINIMAL":
        return _waves(machines, at_once, 0, "old machines stop first")
    # EKS adds the larger of both, up to two for each zone, before it takes the first one away.
    surge = max(2 * _zones(pool), at_once)
    return _waves(machines, at_once, surge, "new machines start first")


def _autoscaling(pool: MachinePool, machines: int) -> Rollout:
    refresh = pool.view.block("instanceRefresh")
    wishes = refresh.block("preferences") if refresh is not None else None
    least = wishes.integer("minHealthyPercentage") if wishes is not None else None
    most = wishes.integer("maxHealthyPercentage") if wishes is not None else None
    healthy = _HEALTHY_PERCENT if least is None else least
    surge = ceil(machines * ((most or _WHOLE) - _WHOLE) / _WHOLE)
    away = machines - ceil(machines * healthy / _WHOLE)
    order = "new machines start first" if surge else "old machines stop first"
    return _waves(machines, max(1, surge, away), surge, order)


def _managed_group(pool: MachinePool, machines: int) -> Rollout:
    policy = pool.view.block("updatePolicy")
    zones = _zones(pool)
    surge = _number(policy, "maxSurge", machines, zones)
    away = _number(policy, "maxUnavailable", machines, zones)
    order = "new machines start first" if surge else "old machines stop first"
    return _waves(machines, max(1, surge + away), surge, order)


def _number(policy: Block | None, key: str, machines: int, zones: int) -> int:
    fixed = policy.integer(f"{key}Fixed") if policy is not None else None
    percent = policy.integer(f"{key}Percent") if policy is not None else None
    if fixed is not None:
        return fixed
    return zones if percent is None else ceil(machines * percent / _WHOLE)


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
    return Rollout(waves, min(batch, machines), machines, order, waiting_s=waves * soak + kept)


def _waves(machines: int, at_once: int, surge: int, order: str) -> Rollout:
    return Rollout(ceil(machines / at_once), min(at_once, machines), surge, order)


def _spread(machines: int, zones: int) -> list[int]:
    each, rest = divmod(machines, zones)
    return [each + (index < rest) for index in range(zones)]


def _zones(pool: MachinePool) -> int:
    if isinstance(pool, GkePool):
        return max(1, pool.zone_count())
    try:
        return max(1, len(pool.zones() or ()))
    except (NotKnown, TypeMismatch):
        return 1


def _seconds(duration: str | None, otherwise: float) -> float:
    """A duration as Google writes it: `3600s`, or `1h30m` as Pulumi does."""
    if duration is None:
        return otherwise
    return sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"([\d.]+)([hms])", duration))


_READERS: Final[Mapping[str, Callable[[MachinePool, int], Rollout]]] = {
    NODE_GROUP: _eks,
    AUTOSCALING_GROUP: _autoscaling,
    GROUP: _managed_group,
    REGION_GROUP: _managed_group,
}

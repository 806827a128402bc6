"""The waves in which a pool replaces its running machines.

Providers change the machines before the update settings (terraform-provider-aws resourceNodeGroupUpdate,
terraform-provider-google nodePoolUpdate), so that a change of both is rolled out by the former settings.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.model.pools import MachinePool


@dataclass(frozen=True, slots=True)
class Rollout:
    """The way in which a number of machines is replaced.

    `at_once` machines are away or moved in one of `waves`; `surge` machines run beside the old ones meanwhile.
    Where they `start_together`, all new ones start with the first wave. `waiting_s` are seconds that the cloud only
    waits. `waits` is True where machines are replaced at a time that the cloud chooses.
    """

    waves: int = 0
    at_once: int = 0
    surge: int = 0
    order: str = ""
    start_together: bool = False
    waiting_s: float = 0.0
    waits: bool = False


def whole(machines: int, *, deletes_first: bool) -> Rollout:
    """Return how a pool that is itself replaced does it: all machines at once."""
    if not machines:
        return Rollout()
    if deletes_first:
        return Rollout(1, machines, 0, "the old pool is deleted first")
    return Rollout(1, machines, machines, "the new pool starts beside the old one")


def in_other_zones(machines: int) -> Rollout:
    """Return how machines move to other zones: those in the zones that a pool leaves are deleted, all at once."""
    return Rollout(1, machines, 0, "others start in its other zones")


def in_waves(machines: int, at_once: int, surge: int, order: str) -> Rollout:
    """Return the rollout of so many machines, so many at once."""
    return Rollout(ceil(machines / at_once), min(at_once, machines), surge, order)


def zone_count(pool: MachinePool) -> int:
    """Return how many zones a pool has machines in; one where that is not known."""
    try:
        return max(1, len(pool.zones() or ()))
    except (NotKnown, TypeMismatch):
        return 1

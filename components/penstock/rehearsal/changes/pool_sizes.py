"""The number of machines that a pool has before a change, and that an update in place leaves it with."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from penstock.model.pools import MachinePool
from penstock.model.pools.gke import GkePool
from penstock.model.pools.launch_templates import AUTOSCALING_GROUP, NODE_GROUP
from penstock.resources.verdict import NotKnown, TypeMismatch


@dataclass(frozen=True, slots=True)
class Size:
    """Machines that run, and the most that may run where an autoscaler, or a person, has started more."""

    running: int
    most: int


def size_of(pool: MachinePool) -> Size:
    """Return the size of a pool that exists; what the cloud reported counts more than what the program asked for."""
    live = _reported(pool)
    running = pool.start() if live is None else live
    return Size(running, max(running, _most(pool, running)))


def updated_size(before: MachinePool, after: MachinePool, size: Size, touched: Collection[tuple[str, ...]]) -> int:
    """Return how many machines run right after an update in place of what is `touched`, by the keys of its paths."""
    if after.view.type == NODE_GROUP:
        # EKS receives the desired size with every change of the scaling settings, whatever number runs.
        sent = any(keys[0] == "scalingConfig" for keys in touched)
        return after.start() if sent else size.running
    if after.view.type == AUTOSCALING_GROUP:
        wanted = after.start() if ("desiredCapacity",) in touched else size.running
        return min(max(wanted, after.least()[0]), after.most())
    if isinstance(after, GkePool):
        return _gke(after, before, size)
    return size.running + after.start() - before.start()


def is_elastic(pool: MachinePool) -> bool:
    """Return whether an autoscaler may change the number of machines."""
    try:
        return pool.most() > pool.least()[0]
    except (NotKnown, TypeMismatch):
        return False


def _gke(after: GkePool, before: MachinePool, size: Size) -> int:
    if not is_elastic(after) and "autoscaling" not in after.block:
        return after.start()
    least, path = after.least()
    lowest = least if path.endswith("totalMinNodeCount") else after.in_all_zones(least)
    running = size.running
    if isinstance(before, GkePool) and before.zone_count() != after.zone_count():
        running = running * after.zone_count() // before.zone_count()
    return min(max(running, lowest), after.most())


def _reported(pool: MachinePool) -> int | None:
    outputs = pool.view.outputs
    try:
        if pool.view.type == NODE_GROUP:
            scaling = outputs.block("scalingConfig")
            return None if scaling is None else scaling.integer("desiredSize")
        if pool.view.type == AUTOSCALING_GROUP:
            return outputs.integer("desiredCapacity") or None
        if isinstance(pool, GkePool) and pool.block is pool.view and "nodeCount" not in pool.view:
            return pool.in_all_zones(outputs.integer("nodeCount") or 0) or None
    except (NotKnown, TypeMismatch):
        pass
    return None


def _most(pool: MachinePool, otherwise: int) -> int:
    try:
        return pool.most()
    except (NotKnown, TypeMismatch):
        return otherwise

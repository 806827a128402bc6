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


def updated_size(before: MachinePool, after: MachinePool, size: Size, touched: Collection[tuple[str, ...]]) -> Size:
    """Return the size right after an update in place of what is `touched`, by the keys of its paths."""
    if sends_a_size(after, touched):
        sent = after.start()
        return Size(sent, sent)
    if after.view.type == NODE_GROUP:
        return size
    if after.view.type == AUTOSCALING_GROUP:
        least, most = after.least()[0], after.most()
        return Size(min(max(size.running, least), most), min(max(size.most, least), most))
    if isinstance(after, GkePool):
        return _in_other_zones(before, after, size)
    grown = after.start() - before.start()
    return Size(size.running + grown, size.most + grown)


def sends_a_size(after: MachinePool, touched: Collection[tuple[str, ...]]) -> bool:
    """Return whether an update sets the number of machines, whatever number runs.

    EKS receives the desired size with every change of the scaling settings, and refuses one beyond the bounds. A node
    count that a program no longer gives is left to whoever moves it.
    """
    if after.view.type == NODE_GROUP:
        sent = any(keys[:1] == ("scalingConfig",) for keys in touched)
        return sent and after.least()[0] <= after.start() <= after.most()
    if isinstance(after, GkePool):
        return ("nodeCount",) in touched and "nodeCount" in after.block
    return ("desiredCapacity",) in touched


def _in_other_zones(before: MachinePool, after: GkePool, size: Size) -> Size:
    """The size of a pool that an autoscaler moves: other bounds alone neither start nor stop a node of GKE at once."""
    was = before.zone_count() if isinstance(before, GkePool) else 0
    now = after.zone_count()
    if not was or was == now:
        return size
    return Size(size.running * now // was, max(size.running * now // was, min(size.most, _most(after, size.most))))


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

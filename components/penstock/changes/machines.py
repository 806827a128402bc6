"""The effect of a change on machines: for each pool, how many are replaced, added and removed, and what a job sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Any, Final, TypeVar

from penstock.catalog import updates
from penstock.changes import operation_times, pool_updates, refusals, rollouts
from penstock.changes.diff import Changed, Changes
from penstock.changes.pool_updates import Follower, Keys, PoolSize, updates_on
from penstock.changes.rollouts import Rollout
from penstock.core.wording import plural
from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, NamedType, machine_pools
from penstock.simulate import lifecycle
from penstock.simulate.lifecycle import Operation

Read = TypeVar("Read")

_DISTURBING: Final = ("rolling", "restart")
_TAINTS: Final = ("taints[]", "nodeConfig.taints[]", "nodeTaints[]")
"""Where pools have their taints: as objects, or written as kubectl does (`key=value:NoExecute`)."""
_EVICTS: Final = ":NoExecute"


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineChange:
    """The effect of a change on the machines of one pool.

    `replaced` machines run and are replaced, or stopped and started again; `replaced_most` may be, where an autoscaler
    or a person has started more. `waves`, `minutes` and `job` are for the most. `becomes` is the other machine type
    that they become; empty where the type stays. `surge` machines run beside the old ones meanwhile. `minutes` is None
    where no machine starts; `pause` is the same with draining, boot and image pull, where nodes are replaced.
    """

    pool: str
    urn: str
    machine_type: str
    becomes: str = ""
    operation: Operation
    replaced: int = 0
    replaced_most: int = 0
    added: int = 0
    removed: int = 0
    removed_most: int = 0
    waves: int = 0
    at_once: int = 0
    surge: int = 0
    order: str = ""
    minutes: float | None = None
    minutes_p95: float | None = None
    pause: float | None = None
    pause_p95: float | None = None
    timeout_min: float | None = None
    job: str = "none"
    why: tuple[str, ...] = ()

    @property
    def is_felt(self) -> bool:
        """True if a machine comes, goes or is replaced, be it later."""
        return bool(self.replaced_most or self.added or self.removed_most) or self.job != "none"

    @property
    def within_timeout(self) -> bool | None:
        """False if the operation may last longer than its provider waits; None where either time is not known."""
        if self.minutes_p95 is None or self.timeout_min is None:
            return None
        return self.minutes_p95 <= self.timeout_min


@dataclass(frozen=True, slots=True)
class PoolChange:
    """A pool that a change touches, as it was and as it will be, and the effect on its machines."""

    before: MachinePool | None
    after: MachinePool | None
    effect: MachineChange

    @property
    def pool(self) -> MachinePool:
        """The pool as it will be, or as it was where it will not be."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 one of them is always given
        return found


def machine_changes(changes: Changes) -> tuple[PoolChange, ...]:
    """Return each pool that a change touches, in the order of the changes; a pool that cannot be read is left out."""
    before, after = Site(changes.before), Site(_as_sent(changes))
    found = [each for changed in changes for each in _of_resource(changed, before, after)]
    seen = {each.effect.urn for each in found}
    for changed in changes.updated:
        cloud = updates_on(changed.resource.type)
        for follower in cloud.FOLLOWERS if cloud is not None else ():
            if follower.leader == changed.resource.type:
                reached = _following(changed, follower, before, after)
                found += [each for each in reached if each.effect.urn not in seen]
    return tuple(found)


def _as_sent(changes: Changes) -> Graph:
    """The Graph after the change with the inputs that the engine sends: what is ignored is as it was in the inputs."""
    kept = {
        changed.urn: replace(
            changed.after,
            inputs=lifecycle.kept(changed.before.inputs, changed.after.inputs, changed.after.options.ignore_changes),
        )
        for changed in changes.updated
        if changed.before is not None and changed.after is not None and changed.after.options.ignore_changes
    }
    return replace(changes.after, resources={**changes.after.resources, **kept}) if kept else changes.after


def _of_resource(changed: Changed, before: Site, after: Site) -> Iterator[PoolChange]:
    was = _pools(changed.before, before)
    now = _pools(changed.after and after.graph.resources.get(changed.after.urn), after)
    if changed.operation is Operation.REPLACE:
        names = zip(was.values(), now.values(), strict=False)
        pairs: list[tuple[MachinePool | None, MachinePool | None]] = list(names)
        rest = slice(len(pairs), None)
        pairs += [(pool, None) for pool in list(was.values())[rest]]
        pairs += [(None, pool) for pool in list(now.values())[rest]]
    else:
        pairs = [(was.get(name), now.get(name)) for name in dict.fromkeys((*was, *now))]
    for old, new in pairs:
        effect = _known(partial(_effect, changed, old, new), otherwise=None)
        if effect is not None:
            yield PoolChange(old, new, effect)


def _effect(changed: Changed, old: MachinePool | None, new: MachinePool | None) -> MachineChange:
    if old is None or new is None:
        return _come_or_go(changed, old, new)
    return _replacement(changed, old, new) if changed.operation is Operation.REPLACE else _update(changed, old, new)


def _come_or_go(changed: Changed, old: MachinePool | None, new: MachinePool | None) -> MachineChange:
    pool = new or old
    assert pool is not None  # noqa: S101 one of them is always given
    size = pool_updates.size_of(pool)
    if new is None:
        return replace(
            _plain(changed, pool),
            removed=size.running,
            removed_most=size.most,
            job=_stopping(size.running, size.most, whole=True),
        )
    return _timed(
        replace(_plain(changed, pool), added=size.running), pool, rollouts.whole(size.running, deletes_first=True)
    )


def _replacement(changed: Changed, old: MachinePool, new: MachinePool) -> MachineChange:
    size, starts = pool_updates.size_of(old), new.start()
    removed = max(0, size.running - starts)
    rollout = rollouts.whole(size.most - removed, deletes_first=changed.deletes_first)
    effect = replace(
        _plain(changed, old),
        becomes=_other_type(old, new),
        replaced=min(size.running, starts),
        replaced_most=size.most - removed,
        added=max(0, starts - size.running),
        removed=removed,
        removed_most=removed,
        surge=starts if rollout.surge else 0,
        why=_forced(changed),
    )
    if not effect.replaced_most and removed:
        return replace(effect, job=_stopping(removed, removed, whole=True))
    return _timed(replace(effect, job=_job(new, size.most, rollout)), new, rollout)


def _update(changed: Changed, old: MachinePool, new: MachinePool) -> MachineChange:
    """The effect of an update in place.

    Raises:
        NotKnown: no table has what updates of the type do to machines.
    """
    cloud = updates_on(new.view.type)
    if cloud is None or not updates.are_known(cloud.described_by(new, ())):
        raise NotKnown
    touched = _touched(changed, new)
    disturbing = tuple(".".join(keys) for keys in touched if _effect_on(new, keys) in _DISTURBING)
    return _in_place(changed, old, new, touched, disturbing)


def _in_place(
    changed: Changed, old: MachinePool, new: MachinePool, touched: Sequence[Keys], disturbing: tuple[str, ...]
) -> MachineChange:
    size = pool_updates.size_of(old)
    cloud = updates_on(new.view.type)
    left = cloud.resized(old, new, size, touched) if cloud is not None and touched else size
    rollout = _rollout(old, size.most) if disturbing else Rollout()
    moving = tuple(".".join(keys) for keys in touched if _effect_on(new, keys) == "moved")
    if moving and not disturbing:
        return _moved(_plain(changed, old), old, new, moving, (size, left))
    rolls = bool(disturbing) and not rollout.waits
    removed = max(0, size.running - left.running)
    removed_most = max(removed, size.most - left.most)
    effect = replace(
        _plain(changed, old),
        becomes=_other_type(old, new),
        replaced=size.running if rolls else 0,
        replaced_most=size.most if rolls else 0,
        added=max(0, left.running - size.running),
        removed=removed,
        removed_most=removed_most,
        surge=rollout.surge,
        why=disturbing,
    )
    if rolls or rollout.waits:
        effect = replace(effect, job=_job(new, size.most, rollout))
    elif removed or removed_most:
        effect = replace(effect, job=_stopping(removed, removed_most, whole=not left.most))
    elif size.most and _evicting(new) - _evicting(old):
        effect = replace(effect, job="pods that do not tolerate the new taint are evicted")
    return _timed(effect, new, rollout if rolls else rollouts.whole(effect.added, deletes_first=True))


def _moved(
    effect: MachineChange, old: MachinePool, new: MachinePool, why: tuple[str, ...], sizes: tuple[PoolSize, PoolSize]
) -> MachineChange:
    """The effect of other zones: machines in those that a pool leaves stop, and others start in its other zones."""
    size, left = sizes
    was, now = set(old.zones() or ()), set(new.zones() or ())
    removed = max(0, size.running - left.running)
    removed_most = max(removed, size.most - left.most)
    running, most = (_share(number, len(was - now), len(was)) for number in (size.running, size.most))
    replaced, replaced_most = max(0, running - removed), max(0, most - removed_most)
    effect = replace(
        effect,
        becomes=_other_type(old, new),
        replaced=replaced,
        replaced_most=replaced_most,
        added=max(0, left.running - size.running),
        removed=removed,
        removed_most=removed_most,
        job=_stopping(replaced + removed, replaced_most + removed_most, whole=False),
        why=why if replaced_most else (),
    )
    added = rollouts.whole(effect.added, deletes_first=True)
    return _timed(effect, new, rollouts.in_other_zones(replaced_most) if replaced_most else added)


def _share(machines: int, zones: int, of: int) -> int:
    return ceil(machines * zones / of) if of else 0


def _following(changed: Changed, follower: Follower, before: Site, after: Site) -> Iterator[PoolChange]:
    """The pools that a change of another resource, their cluster, reaches."""
    assert changed.before is not None  # noqa: S101 it is updated
    assert changed.after is not None  # noqa: S101
    causes = [cause for cause in changed.causes if not refusals.is_refused(changed, cause)]
    keys, inputs = [PropertyPath.parse(cause.path).keys for cause in causes], changed.after.inputs
    rows = [updates.effect_of(follower.leader, each, inputs) for each in keys]
    reached = {row.effect: row.property for row in rows if row is not None and row.property not in follower.but}
    disturbing = tuple(reached[effect] for effect in _DISTURBING if effect in reached)
    if not disturbing and "later" not in reached:
        return
    leader, led_by = View(changed.before, before), View(changed.after, after)
    beside: list[View] = _known(lambda: leader.referrers(follower.type, follower.path), otherwise=[])
    for view in beside:
        was, now = _pools(view.resource, before), _pools(after.graph.resources.get(view.urn), after)
        for name in was.keys() & now.keys():
            later = "" if disturbing else _known(partial(follower.later, led_by, now[name]), otherwise="")
            effect = _known(partial(_led, changed, was[name], now[name], disturbing, later), otherwise=None)
            if effect is not None:
                yield PoolChange(was[name], now[name], effect)


def _led(
    changed: Changed, old: MachinePool, new: MachinePool, disturbing: tuple[str, ...], later: str
) -> MachineChange | None:
    if disturbing:
        effect = _in_place(changed, old, new, (), disturbing)
    elif later:
        effect = replace(_plain(changed, new), job=later)
    else:
        return None
    return replace(effect, urn=new.view.urn)


def _evicting(pool: MachinePool) -> set[tuple[Any, ...]]:
    """The taints of a pool that evict running pods, each by its key and value."""
    found = [place.value for path in _TAINTS for place in pool.block.locations(path)]
    taints = [taint for taint in found if isinstance(taint, Mapping) and taint.get("effect") == "NO_EXECUTE"]
    written = [taint.removesuffix(_EVICTS) for taint in found if isinstance(taint, str) and taint.endswith(_EVICTS)]
    return {(taint.get("key"), taint.get("value")) for taint in taints} | {tuple(each.split("=")) for each in written}


def _touched(changed: Changed, pool: MachinePool) -> list[Keys]:
    """The keys of what changes in the block that describes a pool, as far as the cloud changes it."""
    base = PropertyPath.parse(pool.block.at("").strip(".")) if pool.block is not pool.view else PropertyPath(())
    causes = [cause for cause in changed.causes if not refusals.is_refused(changed, cause)]
    paths = [PropertyPath.parse(cause.path) for cause in causes]
    return [PropertyPath(path.steps[len(base.steps) :]).keys for path in paths if base.covers(path)]


def _effect_on(pool: MachinePool, keys: Keys) -> str:
    """The effect of a change on running machines of a pool."""
    cloud = updates_on(pool.view.type)
    if cloud is None or not keys:
        return "none"
    found = updates.effect_of(cloud.described_by(pool, keys), keys, {key: pool.block.given(key) for key in pool.block})
    return found.effect if found is not None else "none"


def _rollout(pool: MachinePool, machines: int) -> Rollout:
    cloud = updates_on(pool.view.type)
    if cloud is None or not machines:
        return Rollout()
    return cloud.rollout(pool, machines) or Rollout(1, machines, 0, "each is stopped and started")


def _timed(effect: MachineChange, pool: MachinePool, rollout: Rollout) -> MachineChange:
    if not rollout.waves:
        return effect
    minutes = operation_times.minutes_of(pool.view, rollout)
    disturbed = bool(effect.replaced_most)
    cloud = updates_on(pool.view.type)
    kind = cloud.described_by(pool, ()) if cloud is not None else pool.view.type
    accelerated = _known(pool.has_accelerators, otherwise=False) or bool(_known(pool.chips, otherwise=0))
    pause = operation_times.pause_of(kind, minutes, rollout, accelerated=accelerated) if disturbed else None
    return replace(
        effect,
        waves=rollout.waves if disturbed else 0,
        at_once=rollout.at_once if disturbed else 0,
        order=rollout.order if disturbed else "",
        minutes=minutes.median,
        minutes_p95=minutes.p95,
        pause=pause.median if pause else None,
        pause_p95=pause.p95 if pause else None,
        timeout_min=operation_times.timeout_min(pool.view.resource, effect.operation),
    )


def _plain(changed: Changed, pool: MachinePool) -> MachineChange:
    return MachineChange(pool=pool.name, urn=changed.urn, machine_type=_type_of(pool), operation=changed.operation)


def _type_of(pool: MachinePool) -> str:
    none: list[NamedType] = []
    types = _known(pool.machine_types, otherwise=none)
    return types[0].name if types else ""


def _other_type(old: MachinePool, new: MachinePool) -> str:
    was, now = _type_of(old), _type_of(new)
    return now if now != was else ""


def _forced(changed: Changed) -> tuple[str, ...]:
    return tuple(cause.path for cause in changed.causes if cause.replaces)


def _job(pool: MachinePool, machines: int, rollout: Rollout) -> str:
    """What a running job sees of a rollout, in one line."""
    if rollout.waits:
        return "none now; machines that start later differ"
    if not machines:
        return "none"
    if rollout.waves <= 1:
        return "all nodes at once: one interruption" if machines > 1 else "the node: one interruption"
    if not _known(pool.has_accelerators, otherwise=True) and not _known(pool.chips, otherwise=1):
        return f"pods move to other nodes, in up to {rollout.waves} waves"
    return f"a synchronous job restarts up to {rollout.waves} times"


def _stopping(running: int, most: int, *, whole: bool) -> str:
    if not most:
        return "none"
    if whole:
        return "jobs in the pool end" if running else "jobs in the pool end, where somebody has started machines"
    if most > running:
        return f"what runs on up to {most} removed nodes stops"
    return f"what runs on {plural(running, 'removed node')} stops"


def _pools(resource: Resource | None, site: Site) -> Mapping[str, MachinePool]:
    if resource is None:
        return {}
    found: Sequence[MachinePool] = _known(lambda: machine_pools(View(resource, site)), otherwise=())
    return {pool.name: pool for pool in found if not pool.provisioner}


def _known(read: Callable[[], Read], *, otherwise: Read) -> Read:
    try:
        return read()
    except (NotKnown, TypeMismatch):
        return otherwise

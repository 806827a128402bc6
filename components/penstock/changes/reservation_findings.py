"""Findings on machines that are needed twice at once, given back for a while, or left without their reservation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from penstock.changes.change_finding import finding
from penstock.changes.diff import Changed, Changes
from penstock.changes.machines import PoolChange
from penstock.changes.pool_updates import PoolUpdates, Reserved, updates_on
from penstock.changes.quotas_at_once import beyond_quotas
from penstock.changes.refusals import is_refused
from penstock.changes.reserved_pools import known, pools_in
from penstock.core.findings import Finding, Severity
from penstock.core.wording import listed
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool
from penstock.model.pools.outside_reservations import left_reservations
from penstock.simulate.lifecycle import Operation

_FROM_RESERVATIONS: Final = ("reserved", "capacity_block")
"""Ways of buying machines whose room is looked at in the reservation (`machine_findings`)."""
_BOTH: Final = "Get quota and capacity for both before the update, or delete the old ones first."


def reservation_findings(changes: Changes, pools: Sequence[PoolChange]) -> Iterator[Finding]:
    """Yield what a person should consider of reservations that change, and of pools that exist twice for a while."""
    before, after = Site(changes.before), Site(changes.after, changes.quotas)
    for changed in (*changes.replaced, *changes.updated):
        cloud = updates_on(changed.resource.type)
        if cloud is None or changed.before is None or changed.after is None or changed.after.type != cloud.RESERVATION:
            continue
        was, now = View(changed.before, before), View(changed.after, after)
        old, new = known(partial(cloud.reserved, was)), known(partial(cloud.reserved, now))
        if any(is_refused(changed, cause) for cause in changed.causes):
            yield from _left_behind(was, now, cloud)
        elif old is not None and new is not None and changed in changes.replaced:
            if not changed.deletes_first:
                yield from _in_the_way(was, now, cloud)
            yield _replaced(changed, old, new, _absence(now, pools))
    for each in pools:
        yield from _beside(each)
    yield from _left_outside(before, after)
    yield from _given_up(changes, pools, before)
    yield from _successors(changes, before, after)
    yield from _successive_pools(pools)
    if changes.quotas:
        yield from beyond_quotas(changes, before, after)


def _replaced(changed: Changed, old: Reserved, new: Reserved, absence: str) -> Finding:
    name = changed.resource.name
    if changed.deletes_first:
        message = (
            f"{name} gives {old} back before it reserves {new}: nobody keeps them meanwhile, and whether the new "
            "reservation finds room is not known"
        )
        hint = "Reserve under another name first, let the pool move there, and delete the old reservation after that."
    else:
        message = (
            f"{name} reserves {new} before it gives {old} back: quota and capacity are needed for both at once, both "
            "are paid for, and without room for the new ones the update stops there"
        )
        hint = _BOTH
    return finding("DIFF-017", Severity.WARNING, changed.resource, f"{message}{absence}", hint=hint)


def _absence(reservation: View, pools: Sequence[PoolChange]) -> str:
    """For how long the pools of a reservation have no machines, as the end of a sentence."""
    names = {pool.view.urn for pool in pools_in(reservation)}
    away = [
        f"{each.effect.pool} has no machines for {each.effect.minutes:g} min or more"
        for each in pools
        if each.effect.urn in names
        and each.effect.minutes is not None
        and not each.effect.surge
        and 0 < each.effect.replaced_most <= each.effect.at_once
    ]
    return "".join(f". {sentence}" for sentence in away)


def _in_the_way(was: View, now: View, cloud: PoolUpdates) -> Iterator[Finding]:
    why = known(partial(cloud.conflict, was, now))
    if why:
        yield finding(
            "DIFF-018",
            Severity.ERROR,
            now.resource,
            f"{now.name} ({now.type}) cannot be created beside its predecessor: {why}",
            hint="Give the pool another name: then it gets a placement group of its own.",
        )


def _left_behind(was: View, now: View, cloud: PoolUpdates) -> Iterator[Finding]:
    """Pools whose machines no longer match a reservation, because it stays as it was."""
    for pool in pools_in(now):
        why = known(partial(cloud.mismatch, pool, was))
        if why:
            yield finding(
                "DIFF-018",
                Severity.ERROR,
                pool.view.resource,
                f"Machines of {pool.name} that are replaced never start again: {why}, where it stays",
                hint="Leave the placement as it is, or create another pool with another reservation.",
            )


def _left_outside(before: Site, after: Site) -> Iterator[Finding]:
    """Machines that leave a reservation outside the program, which is billed whether it is used or not."""
    for left in left_reservations(before, after, lambda pool: pool.most()):
        number, pool = f"{left.machines:g} × {left.machine_type}", left.pool
        block = known(pool.purchase) == "capacity_block"
        billed = "is paid until it ends" if block else "is billed until it is deleted or made smaller"
        yield finding(
            "DIFF-023",
            Severity.WARNING,
            after.graph.resources.get(pool.view.urn, pool.view.resource),
            f"{number} of {pool.name} leave the reservation {left.name} outside the program, which {billed}: they save "
            "nothing",
            hint="Use what is left of the block for other machines."
            if block
            else f"Make {left.name} smaller or delete it after the update, or let other machines use it.",
        )


def _given_up(changes: Changes, pools: Sequence[PoolChange], before: Site) -> Iterator[Finding]:
    """Reservations that go while their pools stay: the engine deletes last what machines have left by then."""
    for was, held in _reservations(changes.deleted, before):
        names = {pool.view.urn for pool in pools_in(was)}
        for each in pools:
            effect = each.effect
            if effect.urn not in names or each.after is None or effect.surge or not effect.replaced_most:
                continue
            if known(each.after.purchase) in _FROM_RESERVATIONS:
                continue
            yield finding(
                "DIFF-017",
                Severity.WARNING,
                each.pool.view.resource,
                f"{effect.replaced_most} new {effect.becomes or effect.machine_type} of {effect.pool} start outside of "
                f"{was.name} before it gives {held} back: quota and capacity are needed for both at once, and without "
                "them the pool has no machines",
                hint="Get quota and capacity beside the reservation before the update, or keep the reservation.",
            )


def _successors(changes: Changes, before: Site, after: Site) -> Iterator[Finding]:
    """Reservations under another name: the engine creates all that is new before it deletes anything."""
    gone = _reservations(changes.deleted, before)
    for now, new in _reservations(changes.created, after):
        old = [(was, held) for was, held in gone if held.machine_type == new.machine_type]
        if old:
            given_back = listed(f"{was.name} gives {held}" for was, held in old)
            yield finding(
                "DIFF-017",
                Severity.WARNING,
                now.resource,
                f"{now.name} reserves {new} before {given_back} back: quota and capacity are needed for all at once, "
                "all are paid for, and without room for the new ones the update stops there",
                hint=_BOTH,
            )


def _reservations(changed: Sequence[Changed], site: Site) -> list[tuple[View, Reserved]]:
    """The reservations among resources that come or go, each with what it holds."""
    found = []
    for each in changed:
        cloud = updates_on(each.resource.type)
        if cloud is not None and each.resource.type == cloud.RESERVATION:
            view = View(each.resource, site)
            held = known(partial(cloud.reserved, view))
            found += [(view, held)] if held is not None else []
    return found


def _successive_pools(pools: Sequence[PoolChange]) -> Iterator[Finding]:
    """Pools with accelerators under another name, of which the machines come before the former ones go."""
    gone = [each.effect for each in pools if each.after is None and each.effect.removed_most]
    for each in pools:
        effect = each.effect
        old = [former for former in gone if former.machine_type == effect.machine_type]
        if each.before is None and effect.added and old and _is_scarce(each.pool):
            names = listed(f"{former.removed_most} of {former.pool}" for former in old)
            yield finding(
                "DIFF-017",
                Severity.WARNING,
                each.pool.view.resource,
                f"{effect.added} new {effect.machine_type} of {effect.pool} start before the {names} stop: quota and "
                "capacity are needed for all at once",
                hint=_BOTH,
            )


def _is_scarce(pool: MachinePool) -> bool:
    """Return whether machines have accelerators, and come from no reservation: its room is looked at elsewhere."""
    return bool(known(pool.has_accelerators)) and known(pool.purchase) not in _FROM_RESERVATIONS


def _beside(each: PoolChange) -> Iterator[Finding]:
    """Pools of which new machines start before the old ones stop."""
    effect, pool = each.effect, each.pool
    if not effect.surge or each.before is None:
        return
    cloud = updates_on(pool.view.type)
    if cloud is not None and effect.operation is Operation.REPLACE:
        yield from _in_the_way(each.before.view, pool.view, cloud)
    whole = effect.operation is Operation.REPLACE or effect.surge >= effect.replaced_most > 1
    if whole and _is_scarce(pool):
        yield finding(
            "DIFF-017",
            Severity.WARNING,
            pool.view.resource,
            f"{effect.surge} new {effect.becomes or effect.machine_type} of {effect.pool} start before the "
            f"{effect.replaced_most} that exist stop: quota and capacity are needed for both at once",
            hint=_BOTH,
        )

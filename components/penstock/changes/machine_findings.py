"""Findings on what a change does to machines: operations past their time-outs, and reservations without room."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Final

from penstock.changes.change_finding import finding
from penstock.changes.diff import Changes
from penstock.changes.machines import MachineChange, PoolChange
from penstock.changes.pool_updates import size_of
from penstock.changes.reserved_pools import known, machines_in
from penstock.changes.rollouts import zone_count
from penstock.core.findings import Finding, Severity
from penstock.core.wording import plural
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool
from penstock.simulate.lifecycle import Operation

_COUNTS: Final = ("instanceCount", "specificReservation.count")
"""Where a reservation of AWS, and one of Google Cloud, has the number of its machines."""


def machine_findings(changes: Changes, pools: Iterable[PoolChange]) -> Iterator[Finding]:
    """Yield what a person should consider of the machines that a change touches."""
    before = Site(changes.before)
    stay = changes.before.resources.keys() - {each.urn for each in changes.replaced}
    for each in pools:
        if each.effect.within_timeout is False:
            yield _outlasts(each)
        if each.before is not None and _starting(each):
            yield from _without_room(each, before, stay)
        if each.effect.operation is Operation.UPDATE and each.effect.removed_most > each.effect.removed:
            yield from _sets_a_size(each)


def _outlasts(each: PoolChange) -> Finding:
    effect, resource = each.effect, each.pool.view.resource
    waves = f"{effect.waves} waves of {effect.at_once}" if effect.waves > 1 else "one wave"
    return finding(
        "DIFF-006",
        Severity.WARNING,
        resource,
        f"{_subject(effect)} in {waves} take {effect.minutes:g} min by the median and {effect.minutes_p95:g} min by "
        f"the 95th percentile, without draining; the provider stops waiting after {effect.timeout_min:g} min, and the "
        "cloud goes on",
        hint="Replace more machines at once in the update settings of the pool, or raise the time-out of the operation "
        "(custom_timeouts).",
    )


def _without_room(each: PoolChange, before: Site, stay: Collection[str]) -> Iterator[Finding]:
    pool = each.pool
    if known(pool.purchase) not in ("reserved", "capacity_block"):
        return
    reservation = known(pool.reservation)
    held = _held(reservation) if reservation is not None else None
    surge = each.effect.surge
    if reservation is None or held is None:
        number = _starting(each)
        beside = f" beside the {each.effect.replaced_most} that run," if surge else ""
        yield finding(
            "DIFF-008",
            Severity.WARNING,
            pool.view.resource,
            f"{plural(number, 'new machine')} of {pool.name} start{beside} in a reservation outside the program: "
            "whether it has room for them is not known",
            hint=_SURGE_HINT if surge else "Look up how many machines the reservation has free.",
        )
        return
    # One that is created anew is empty: the old machines are in its predecessor.
    used = machines_in(View(before.graph[reservation.urn], before)) if reservation.urn in stay else 0
    room = held - used
    if surge > room:
        yield finding(
            "DIFF-007",
            Severity.ERROR,
            pool.view.resource,
            f"{plural(surge, 'new machine')} must start before old ones stop, and the reservation {reservation.name} "
            f"has room for {max(0, room)} beside the {used} that run: the update waits for capacity that never comes",
            hint=_SURGE_HINT,
        )


def _starting(each: PoolChange) -> int:
    """The machines that need room in a reservation beside those that it holds already."""
    effect = each.effect
    return effect.surge or effect.added + (effect.replaced_most if _is_another_reservation(each) else 0)


def _is_another_reservation(each: PoolChange) -> bool:
    """Return whether machines start in a reservation of another name, or in another zone: each is in one."""
    if each.before is None or each.after is None:
        return False
    names, zones = (
        [known(partial(read, pool)) for pool in (each.before, each.after)] for read in (_reservation_name, _zones)
    )
    return bool(names[1]) and (names[0] != names[1] or zones[0] != zones[1])


def _reservation_name(pool: MachinePool) -> str:
    return pool.reservation_name()


def _zones(pool: MachinePool) -> list[str] | None:
    return pool.zones()


_SURGE_HINT: Final = (
    "Let old machines stop first: updateStrategy MINIMAL on EKS, maxSurge 0 on GKE, delete_before_replace for a pool "
    "that is replaced."
)


def _sets_a_size(each: PoolChange) -> Iterator[Finding]:
    assert each.before is not None  # noqa: S101 it is updated
    assert each.after is not None  # noqa: S101
    if zone_count(each.before) != zone_count(each.after):
        return  # who takes a zone away means the machines in it
    stopping, view = each.effect.removed_most, each.pool.view
    left = size_of(each.before).most - stopping
    yield finding(
        "DIFF-009",
        Severity.WARNING,
        view.resource,
        f"The update leaves {view.name} with at most {plural(left, 'machine')}, however many run: up to {stopping} "
        "that an autoscaler or a person has started since stop",
        hint="Run `pulumi refresh` first: what is ignored is then sent as it runs. Where the program sets the number "
        "itself, set the one that runs.",
    )


def _held(reservation: View) -> int | None:
    for path in _COUNTS:
        found = next((place.value for place in reservation.locations(path)), None)
        if isinstance(found, int | float):
            return int(found)
    return None


def _subject(effect: MachineChange) -> str:
    number = effect.replaced_most or effect.added
    return f"{number} {effect.machine_type or 'machines'} of {effect.pool}"

"""Findings on what a change does to machines: operations past their time-outs, and reservations without room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from penstock.findings import Finding, Severity
from penstock.model.pools import MachinePool, program_pools
from penstock.rehearsal.changes.change_finding import finding
from penstock.rehearsal.changes.machines import MachineChange, PoolChange
from penstock.rehearsal.changes.pool_updates import size_of
from penstock.rehearsal.changes.rollouts import zone_count
from penstock.rehearsal.lifecycle import Operation
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import View

_COUNTS: Final = ("instanceCount", "specificReservation.count")
"""Where a reservation of AWS, and one of Google Cloud, has the number of its machines."""


def machine_findings(changed: Iterable[PoolChange]) -> Iterator[Finding]:
    """Yield what a person should consider of the machines that a change touches."""
    for each in changed:
        if each.effect.within_timeout is False:
            yield _outlasts(each)
        if each.effect.surge and each.before is not None:
            yield from _without_room(each)
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


def _without_room(each: PoolChange) -> Iterator[Finding]:
    pool = each.pool
    if _purchase(pool) not in ("reserved", "capacity_block"):
        return
    try:
        reservation = pool.reservation()
    except (NotKnown, TypeMismatch):
        reservation = None
    held = _held(reservation) if reservation is not None else None
    surge = each.effect.surge
    if held is None:
        yield finding(
            "DIFF-008",
            Severity.WARNING,
            pool.view.resource,
            f"{surge} new {_machines(surge)} start beside the old ones, in a reservation outside the program: "
            "whether it has room for them is not known",
            hint=_SURGE_HINT,
        )
        return
    room = held - _used(pool, reservation)
    if surge > room:
        yield finding(
            "DIFF-007",
            Severity.ERROR,
            pool.view.resource,
            f"{surge} new {_machines(surge)} must start before old ones stop, and {_called(reservation)} has room for "
            f"{max(0, room)} beside the {held - room} that run: the update waits for capacity that never comes",
            hint=_SURGE_HINT,
        )


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
        f"The update leaves {view.name} with at most {left} {_machines(left)}, however many run: up to {stopping} that "
        "an autoscaler or a person has started since stop",
        hint="Run `pulumi refresh` first: what is ignored is then sent as it runs. Where the program sets the number "
        "itself, set the one that runs.",
    )


def _used(pool: MachinePool, reservation: View | None) -> int:
    """The machines of all pools that start from a reservation."""
    used = 0
    for each in program_pools(pool.view.site, pool.cloud):
        try:
            its = each.reservation()
            if its is not None and reservation is not None and its.urn == reservation.urn:
                used += each.start()
        except (NotKnown, TypeMismatch):
            continue
    return used


def _held(reservation: View) -> int | None:
    for path in _COUNTS:
        found = next((place.value for place in reservation.locations(path)), None)
        if isinstance(found, int | float):
            return int(found)
    return None


def _purchase(pool: MachinePool) -> str:
    try:
        return pool.purchase()
    except (NotKnown, TypeMismatch):
        return ""


def _subject(effect: MachineChange) -> str:
    number = effect.replaced_most or effect.added
    return f"{number} {effect.machine_type or 'machines'} of {effect.pool}"


def _called(reservation: View | None) -> str:
    return f"the reservation {reservation.name}" if reservation is not None else "the reservation"


def _machines(number: int) -> str:
    return "machine" if number == 1 else "machines"

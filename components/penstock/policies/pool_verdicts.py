"""Verdicts of rules on pools of machines, alike on every cloud; the model counts the machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from penstock.core.wording import listed, plural
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    allow,
    asked,
    each,
    fail,
)
from penstock.graph.view import View
from penstock.model.pools import MachinePool, NamedType, Purchase
from penstock.rules.comparing import same
from penstock.rules.settings import Settings

LARGE = 8
"""Accelerators of a machine that is sold whole; smaller ones serve single people and cost a tenth."""

_PAID_ANYWAY = ("reserved", "capacity_block")


@dataclass(frozen=True, slots=True)
class PoolTotal:
    """The sum that several pools may grow to: by pool, the largest first; `unclear` if some could not be read."""

    parts: tuple[tuple[str, int], ...]
    unclear: bool

    @property
    def number(self) -> int:
        """The sum of what could be read."""
        return sum(number for _, number in self.parts)

    def in_words(self, *, most: int = 3) -> str:
        """The largest pools in words."""
        return listed((f"{name} {number}" for name, number in self.parts), most)


def total_of(pools: Iterable[MachinePool], *, chips: bool = False) -> PoolTotal:
    """Return what pools may grow to together, in accelerators or in TPU chips alone."""
    parts: list[tuple[str, int]] = []
    unclear = False
    for pool in pools:
        try:
            number = pool.peak_chips() if chips else pool.peak()
        except NotKnown:
            unclear = True
        except TypeMismatch:
            continue
        else:
            parts += [(pool.name, number)] if number else []
    return PoolTotal(tuple(sorted(parts, key=lambda part: (-part[1], part[0]))), unclear)


def judge_limit(pools: Sequence[MachinePool], limit: int | None, *, chips: bool = False) -> Verdict:
    """Return the verdict that pools together stay within a limit at their largest."""
    if limit is None:
        return NOT_APPLICABLE
    found = total_of(pools, chips=chips)
    if found.number > limit:
        what = "TPU chips" if chips else "accelerators"
        number = f"at least {found.number}" if found.unclear else f"{found.number}"
        return fail(f"the pools can grow to {number} {what} ({found.in_words()}), and {limit} are allowed")
    if found.unclear:
        return UNKNOWN
    return PASS if found.parts else NOT_APPLICABLE


def judge_idle_machines(pools: Iterable[MachinePool], settings: Settings) -> Verdict:
    """Return the verdict that pools with accelerators outside production shrink to none, unless they are reserved."""

    def one(pool: MachinePool) -> Verdict:
        if not pool.accelerators():
            return NOT_APPLICABLE
        least, path = pool.least()
        if least and _purchase(pool) in _PAID_ANYWAY:
            return NOT_APPLICABLE
        message = f"{pool.name} keeps {plural(least, 'machine')} with accelerators without work"
        return allow(not least, message, path=path)

    return each(pools, one) if settings.environment in ("dev", "staging") else NOT_APPLICABLE


def judge_purchase(pools: Iterable[MachinePool], settings: Settings) -> Verdict:
    """Return the verdict that large machines outside production are bought otherwise than on demand."""

    def one(pool: MachinePool) -> Verdict:
        if pool.accelerators() < LARGE:
            return NOT_APPLICABLE
        return allow(
            _purchase(pool) != "on_demand", f"{pool.name} buys machines of {pool.accelerators()} accelerators on demand"
        )

    return each(pools, one) if settings.environment in ("dev", "staging") else NOT_APPLICABLE


def _purchase(pool: MachinePool) -> Purchase:
    purchase = pool.purchase()
    if purchase == "any_reservation":
        raise NotKnown  # paid for already, or not
    return purchase


def judge_allowed_types(pools: Iterable[MachinePool], settings: Settings) -> Verdict:
    """Return the verdict that the machine types of pools are among those allowed, if any are listed."""
    if not settings.parameters.allowed_machine_types:
        return NOT_APPLICABLE
    return each(pools, lambda pool: judge_type_names(pool.own_types(), settings))


def judge_type_names(types: Iterable[NamedType], settings: Settings) -> Verdict:
    """Return the verdict that machine types are among those allowed."""
    allowed = settings.parameters.allowed_machine_types

    def one(named: NamedType) -> Verdict:
        found = any(same(named.name, name) for name in allowed)
        return allow(found, f"{named.path} is {named.name}, which is not allowed", path=named.path)

    return each(types, one)


def have_accelerators(pools: Iterable[MachinePool]) -> bool | None:
    """Return whether one of the pools has accelerators; None where that is undetermined."""
    unclear = False
    for pool in pools:
        try:
            if pool.accelerators():
                return True
        except NotKnown:
            unclear = True
        except TypeMismatch:
            continue
    return None if unclear else False


def judge_budgets(pools: Sequence[MachinePool], budgets: Iterable[View], warns: Callable[[View], object]) -> Verdict:
    """Return the verdict that a program with accelerators has a budget that warns of what they cost."""
    said = [asked(lambda budget: allow(warns(budget), "a budget warns nobody"), budget) for budget in budgets]
    if PASS in said:
        return PASS if have_accelerators(pools) is not False else NOT_APPLICABLE
    there = have_accelerators(pools)
    if there is False:
        return NOT_APPLICABLE
    if there is None or UNKNOWN in said:
        return UNKNOWN
    warned = [failure.message for verdict in said if verdict.outcome is Outcome.FAIL for failure in verdict.failures]
    return fail(warned[0] if warned else "nothing warns of what the accelerators cost")


def judge_file_system_size(tib: float, path: str, settings: Settings) -> Verdict:
    """Return the verdict that a file system is not larger than allowed."""
    most = settings.parameters.max_file_system_tib
    if most is None:
        return NOT_APPLICABLE
    return allow(tib <= most, f"{path} asks for {tib:.4g} TiB, and {most:g} are allowed", path=path)

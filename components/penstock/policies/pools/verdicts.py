"""What rules on cost say of pools, alike on every cloud."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from penstock.policies.pools.pool import Named, Pool, total
from penstock.resources.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    Misfit,
    NotKnown,
    Outcome,
    Verdict,
    allow,
    asked,
    each,
    fail,
)
from penstock.resources.view import View
from penstock.rules.comparing import same
from penstock.rules.settings import Settings

LARGE = 8
"""Accelerators of a machine that is sold whole; smaller ones serve single people and cost a tenth."""

_PAID_ANYWAY = ("reserved", "capacity_block")


def within(pools: Sequence[Pool], limit: int | None, *, chips: bool = False) -> Verdict:
    """Whether pools together stay within a limit, whatever they grow to; what cannot be read may break it, too."""
    if limit is None:
        return NOT_APPLICABLE
    found = total(pools, chips=chips)
    if found.number > limit:
        what = "TPU chips" if chips else "accelerators"
        return fail(f"the pools can grow to {found.number} {what} ({found.told()}), and {limit} are allowed")
    if found.unclear:
        return UNKNOWN
    return PASS if found.parts else NOT_APPLICABLE


def shrink(pools: Iterable[Pool], settings: Settings) -> Verdict:
    """Whether pools with accelerators outside production shrink to none; what is paid for anyway may stay."""

    def one(pool: Pool) -> Verdict:
        if not pool.accelerators():
            return NOT_APPLICABLE
        least, path = pool.least()
        if least and pool.bought() in _PAID_ANYWAY:
            return NOT_APPLICABLE
        machines = "machine" if least == 1 else "machines"
        return allow(not least, f"{pool.name} keeps {least} {machines} with accelerators without work", path=path)

    return each(pools, one) if settings.environment in ("dev", "staging") else NOT_APPLICABLE


def bargain(pools: Iterable[Pool], settings: Settings) -> Verdict:
    """Whether large machines outside production are bought otherwise than on demand."""

    def one(pool: Pool) -> Verdict:
        if pool.accelerators() < LARGE:
            return NOT_APPLICABLE
        return allow(
            pool.bought() != "on_demand", f"{pool.name} buys machines of {pool.accelerators()} accelerators on demand"
        )

    return each(pools, one) if settings.environment in ("dev", "staging") else NOT_APPLICABLE


def listed(pools: Iterable[Pool], settings: Settings) -> Verdict:
    """Whether the machine types of pools are among those allowed, if any are listed."""
    if not settings.parameters.allowed_machine_types:
        return NOT_APPLICABLE
    return each(pools, lambda pool: listed_types(pool.types(), settings))


def listed_types(types: Iterable[Named], settings: Settings) -> Verdict:
    """Whether machine types are among those allowed."""
    allowed = settings.parameters.allowed_machine_types

    def one(named: Named) -> Verdict:
        found = any(same(named.name, name) for name in allowed)
        return allow(found, f"{named.path} is {named.name}, which is not allowed", path=named.path)

    return each(types, one)


def any_accelerators(pools: Iterable[Pool]) -> bool | None:
    """Whether one of the pools has accelerators; None where nobody can tell."""
    unclear = False
    for pool in pools:
        try:
            if pool.accelerators():
                return True
        except NotKnown:
            unclear = True
        except Misfit:
            continue
    return None if unclear else False


def watched(pools: Sequence[Pool], budgets: Iterable[View], warns: Callable[[View], object]) -> Verdict:
    """Whether a program with accelerators has a budget that warns of what they cost."""
    said = [asked(lambda budget: allow(warns(budget), "a budget warns nobody"), budget) for budget in budgets]
    if PASS in said:
        return PASS if any_accelerators(pools) is not False else NOT_APPLICABLE
    there = any_accelerators(pools)
    if there is False:
        return NOT_APPLICABLE
    if there is None or UNKNOWN in said:
        return UNKNOWN
    warned = [failure.message for verdict in said if verdict.outcome is Outcome.FAIL for failure in verdict.failures]
    return fail(warned[0] if warned else "nothing warns of what the accelerators cost")


def up_to(tib: float, path: str, settings: Settings) -> Verdict:
    """Whether a file system is as large as allowed at most."""
    most = settings.parameters.max_file_system_tib
    if most is None:
        return NOT_APPLICABLE
    return allow(tib <= most, f"{path} asks for {tib:.4g} TiB, and {most:g} are allowed", path=path)

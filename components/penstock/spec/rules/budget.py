"""Rules on the budget: what the pools may grow to, and who is told."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import CLOUDS, GCP, rule
from penstock.wording import listed


@rule("SPEC-110", reads=("node_pools", "budget", "cloud"), provider=CLOUDS)
def pools_stay_within_the_accelerators_allowed(spec: Spec) -> Iterator[Problem]:
    """All pools together cannot grow beyond `budget.max_accelerators`."""
    limit = spec.budget.max_accelerators if spec.budget is not None else None
    if limit is None:
        return
    wanted = {pool.name: pool.nodes.max * _accelerators(pool, spec) for pool in spec.node_pools}
    if sum(wanted.values()) > limit:
        parts = listed(f"{name} {number}" for name, number in wanted.items() if number)
        message = f"The pools can grow to {sum(wanted.values())} accelerators ({parts}), but {limit} are allowed."
        yield Problem(("budget", "max_accelerators"), message, "Let fewer nodes grow, or allow more.")


@rule("SPEC-111", reads=("budget",), provider=GCP)
def google_tells_so_many(spec: Spec) -> Iterator[Problem]:
    """A budget on Google Cloud tells five addresses at most; a group's address stands for many people."""
    most = limits.find_limit("budget_emails", GCP).most
    if spec.budget is not None and len(spec.budget.alert_emails) > most:
        message = f"{len(spec.budget.alert_emails)} addresses are listed, and Google tells {most} at most."
        yield Problem(("budget", "alert_emails"), message, "List a group's address instead of its members'.")


def _accelerators(pool: NodePoolSpec, spec: Spec) -> int:
    machine = known.machine(pool, spec)
    return machine.accelerators if machine is not None else 0

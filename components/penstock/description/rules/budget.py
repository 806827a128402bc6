"""Rules on the budget: what the pools may grow to, and the addresses to alert."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import listed
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, rule


@rule("SPEC-110", reads=("node_pools", "budget", "cloud"), provider=CLOUDS)
def pools_stay_within_the_accelerators_allowed(spec: Spec) -> Iterator[Problem]:
    """All pools together cannot grow beyond `budget.max_accelerators`."""
    limit = spec.budget.max_accelerators if spec.budget is not None else None
    if limit is None:
        return
    wanted = {pool.name: pool.nodes.max * _accelerators(pool, spec) for pool in spec.node_pools}
    if sum(wanted.values()) > limit:
        parts = listed(f"{name} {number}" for name, number in wanted.items() if number)
        message = (
            f"The pools can grow to {sum(wanted.values())} accelerators ({parts}); budget.max_accelerators "
            f"allows {limit}."
        )
        yield Problem(("budget", "max_accelerators"), message, "Lower nodes.max, or raise budget.max_accelerators.")


def _accelerators(pool: NodePoolSpec, spec: Spec) -> int:
    machine = known.machine(pool, spec)
    return machine.accelerators if machine is not None else 0

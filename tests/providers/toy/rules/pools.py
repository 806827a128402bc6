"""Pools of the toy cloud."""

from __future__ import annotations

from tests.providers.toy.sdk import POOL

from penstock.graph.verdict import Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MOST = 4


@RULES.rule(
    on=POOL,
    severity=HIGH,
    rationale="The toy cloud refuses larger pools.",
    fix="Set machines to 4 at most.",
    sources=("toy cloud user guide, limits",),
)
def toy_pool_size(pool: View) -> Verdict:
    """A pool has four machines at most."""
    count = pool.integer("machines") or 0
    return allow(count <= _MOST, f"{count} machines do not fit into a pool", hint="Take 4.", path="machines")

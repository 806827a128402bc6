"""Pools of the toy cloud."""

from __future__ import annotations

from tests.providers.toy.sdk import POOL

from penstock.resources.verdict import Verdict, allow
from penstock.resources.view import View
from penstock.rules.rule import rule

_MOST = 4


@rule("TOY-POOL-001", on=POOL, source="toy cloud user guide, limits")
def pool_is_small(pool: View) -> Verdict:
    """A pool has four machines at most."""
    count = pool.integer("machines") or 0
    return allow(count <= _MOST, f"{count} machines do not fit into a pool", hint="Take 4.", path="machines")

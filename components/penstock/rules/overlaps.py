"""Overlaps: which provider rules and policies fail at one path, although they are about different things.

Where a provider rule refuses a value, a policy on the same value is silent: the value must change anyway. The pairs of
data/overlaps.csv are exceptions.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from penstock.catalog import tables

_FOLDER = Path(__file__).parent / "data"


@cache
def are_different(policy: str, provider_rule: str) -> bool:
    """Return whether a policy and a provider rule are about different misconfigurations, even at one path."""
    return (policy, provider_rule) in _pairs()


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    return frozenset((row["policy"], row["provider_rule"]) for row in tables.rows("overlaps", _FOLDER))

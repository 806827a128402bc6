"""The checks that other scanners make, those of them that our policies name as kept, and those left out with a reason.

`checks.csv` is written by `tools.peer_checks`; the other two tables are kept by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from penstock.catalog import tables
from penstock.rules import registry
from penstock.rules.rule import Rule

HOME: Final = Path(__file__).parent
PLATFORMS: Final = ("aws", "gcp", "azure", "kubernetes")
SEVERE: Final = ("critical", "high")


@dataclass(frozen=True, slots=True)
class PeerCheck:
    """One check of another tool; Checkov publishes no severities."""

    platform: str
    tool: str
    id: str
    severity: str
    types: frozenset[str]
    reads: frozenset[str]


@dataclass(frozen=True, slots=True)
class Share:
    """The number of checks that our policies keep, and of those that apply to us."""

    kept: int
    apply: int

    def __str__(self) -> str:
        return f"{self.kept}/{self.apply} ({self.kept / self.apply:.0%})" if self.apply else "none"


@cache
def peer_checks() -> Mapping[str, PeerCheck]:
    """Every check by its id."""
    return {
        row["id"]: PeerCheck(
            row["platform"],
            row["tool"],
            row["id"],
            row["severity"],
            frozenset(row["types"].split()),
            frozenset(row["reads"].split()),
        )
        for row in tables.rows("checks", HOME)
    }


@cache
def left_out() -> Mapping[str, str]:
    """The checks that do not apply, and why."""
    return {row["id"]: row["reason"] for row in tables.rows("left_out", HOME)}


@cache
def elsewhere() -> Mapping[tuple[str, str], str]:
    """The claims of a rule that keeps a check by other types or properties than the peer reads, and how."""
    return {(row["rule"], row["id"]): row["how"] for row in tables.rows("elsewhere", HOME)}


@cache
def kept_by() -> Mapping[str, tuple[Rule, ...]]:
    """The rules that name each check."""
    found: dict[str, list[Rule]] = {}
    for rule in registry.policies():
        for id_ in rule.peers:
            found.setdefault(id_, []).append(rule)
    return {id_: tuple(rules) for id_, rules in found.items()}


def share(checks: Iterable[PeerCheck]) -> Share:
    """Return how many of some checks are kept, of those that apply."""
    applying = [check for check in checks if check.id not in left_out()]
    return Share(sum(check.id in kept_by() for check in applying), len(applying))

"""Exemptions: what a fabric or a driver cannot do without, although a rule forbids it; data/exemptions.csv has reasons.

An exemption holds for a resource if everything at a path is like one of its patterns, or if a relation between
resources makes the rule pointless there.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from penstock.resources.verdict import Misfit, NotKnown
from penstock.resources.view import View

_FILE = Path(__file__).parent / "data" / "exemptions.csv"


@dataclass(frozen=True, slots=True)
class Exemption:
    """A fact that exempts resources from rules: which, by what, why, and who says so."""

    name: str
    rules: frozenset[str]
    types: tuple[str, ...]
    where: str
    like: tuple[str, ...]
    relation: str
    reason: str
    source: str
    as_of: str
    unverified: bool

    def holds(self, rule: str, it: View) -> bool:
        """Whether it exempts a resource from a rule."""
        if rule not in self.rules or not any(fnmatchcase(it.type, type_) for type_ in self.types):
            return False
        try:
            return _RELATIONS[self.relation](it) if self.relation else self._is_like(it)
        except (NotKnown, Misfit):
            return False

    def _is_like(self, it: View) -> bool:
        found = [spot.value for spot in it.spots(self.where) if spot.value is not None]
        return bool(found) and all(
            isinstance(value, str) and any(fnmatchcase(value, pattern) for pattern in self.like) for value in found
        )


_RELATIONS: Mapping[str, Callable[[View], bool]] = {}
"""Relations by name, as the table has them."""


def of(rule: str, it: View) -> Exemption | None:
    """The exemption of a resource from a rule, if there is one."""
    return next((each for each in _by_rule().get(rule, ()) if each.holds(rule, it)), None)


@cache
def table() -> tuple[Exemption, ...]:
    """All exemptions."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Exemption(
                row["name"],
                frozenset(row["rules"].split()),
                tuple(row["types"].split()),
                row["where"],
                tuple(row["like"].split()),
                row["relation"],
                row["reason"],
                row["source"],
                row["as_of"],
                row["unverified"] != "",
            )
            for row in csv.DictReader(file)
        )


@cache
def _by_rule() -> dict[str, tuple[Exemption, ...]]:
    rules = {rule for each in table() for rule in each.rules}
    return {rule: tuple(each for each in table() if rule in each.rules) for rule in rules}

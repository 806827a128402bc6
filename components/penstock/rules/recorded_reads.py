"""Property paths that rules read: a row says them by itself, and those of functions were recorded over their cases."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from penstock.catalog import tables
from penstock.providers import all_providers
from penstock.rules.rule import Rule

TABLE: Final = "reads"
"""The table of a provider's rules, written by `python -m tools.rule_reads`: a row for each rule and type."""
SHARED: Final = Path(__file__).parent / "data"
"""The folder of the table of policies that no provider has alone."""


def reads_of(rule: Rule, type_: str) -> tuple[str, ...]:
    """Return the property paths that a rule reads of resources of a type; none of functions of a user's own."""
    recorded = _recorded().get(rule.id)
    return rule.check.reads(type_) if recorded is None else recorded.get(type_, ())


def all_reads(rule: Rule) -> tuple[str, ...]:
    """Return the property paths that a rule reads, of whatever type."""
    return tuple(dict.fromkeys(path for type_ in rule.on for path in reads_of(rule, type_)))


@cache
def _recorded() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Paths by the rule's id and the type."""
    folders = [SHARED, *(each.folder / "rules" / "data" for each in all_providers() if each.folder is not None)]
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for folder in folders:
        for row in tables.rows(TABLE, folder) if (folder / f"{TABLE}.csv").is_file() else ():
            found.setdefault(row["rule"], {})[row["type"]] = tuple(row["paths"].split())
    return found

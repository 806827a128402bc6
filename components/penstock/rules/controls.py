"""Controls of frameworks, and the rules that serve them; data/framework_controls.csv has the controls.

A rule is mapped by its aims (data/aims.csv), which are finer than categories: `backups`, `least-privilege`. A control
names the aims that it asks for, in the meaning of its own text. A rule without an aim serves no control.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from penstock.catalog.records import records
from penstock.rules.levels import Category
from penstock.rules.settings import Framework

if TYPE_CHECKING:
    from penstock.rules.rule import Rule

_DATA = Path(__file__).parent / "data"

NAMES: Final[Mapping[Framework, str]] = {
    "hipaa": "HIPAA",
    "gdpr": "GDPR",
    "soc2": "SOC 2",
    "pci": "PCI DSS 4.0",
    "iso27001": "ISO 27001:2022",
}
"""The titles of the frameworks."""

_AIM_OF_CATEGORY: Final[Mapping[Category, str]] = {
    Category.AT_REST: "encryption-at-rest",
    Category.IN_TRANSIT: "encryption-in-transit",
    Category.RESIDENCY: "data-location",
}
"""The categories that mean one aim; rules of the others need a row."""


@dataclass(frozen=True, slots=True)
class Control:
    """One control of a framework.

    Attributes:
        framework: The framework.
        id: Its number in the framework's text.
        title: The title, in our own words.
        aims: The aims of the rules that serve it.
        unverified: The columns that were not compared with the framework's text or a published mapping.
        source: The text or the mapping that has it.
        as_of: The month of that.
    """

    framework: Framework
    id: str
    title: str
    aims: frozenset[str]
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class _RuleAims:
    """The aims of one rule."""

    rule: str
    aims: frozenset[str]


@cache
def framework_controls() -> tuple[Control, ...]:
    """Every control, in the order of the table."""
    return records(Control, "framework_controls", folder=_DATA)


@cache
def aims_of_rules() -> Mapping[str, frozenset[str]]:
    """The aims of rules by their ids, as the table has them."""
    return {row.rule: row.aims for row in records(_RuleAims, "aims", folder=_DATA)}


def aims_of(rule: Rule) -> frozenset[str]:
    """Return the aims of a rule: those of its row, else that of its category where this means one."""
    found = aims_of_rules().get(rule.id)
    if found is not None:
        return found
    usual = _AIM_OF_CATEGORY.get(rule.category)
    return frozenset() if usual is None else frozenset((usual,))


def serves(rule: Rule, control: Control) -> bool:
    """Return whether a rule is mapped to a control."""
    return not control.aims.isdisjoint(aims_of(rule))


def numbers_of(rule: Rule) -> dict[str, tuple[str, ...]]:
    """Return the numbers of the controls that a rule serves, by the titles of frameworks; † where unverified."""
    served: dict[str, tuple[str, ...]] = {}
    for control in framework_controls():
        if serves(rule, control):
            name = NAMES[control.framework]
            served[name] = (*served.get(name, ()), f"{control.id}{'†' if control.unverified else ''}")
    return served


def is_mapped(framework: str, rule: Rule) -> bool:
    """Return whether a rule is mapped to any control of a framework."""
    return not _aims_of_framework(framework).isdisjoint(aims_of(rule))


@cache
def _aims_of_framework(framework: str) -> frozenset[str]:
    return frozenset[str]().union(*(each.aims for each in framework_controls() if each.framework == framework))

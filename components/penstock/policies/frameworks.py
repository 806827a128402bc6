"""Views by framework: which of its controls rules speak to, and how those fared; data/frameworks.csv has the controls.

A view is not an attestation: rules see what a program declares, a control asks for more. A mapping that was not
compared with the framework's text is marked as unverified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from penstock.catalog.records import records
from penstock.rules import packs, registry
from penstock.rules.levels import Category, RuleKind
from penstock.rules.settings import Framework

if TYPE_CHECKING:
    from penstock.rules.judge import Report

_DATA = Path(__file__).parent / "data"

NAMES: Final[Mapping[Framework, str]] = {
    "hipaa": "HIPAA",
    "gdpr": "GDPR",
    "soc2": "SOC 2",
    "pci": "PCI DSS 4.0",
    "iso27001": "ISO 27001:2022",
}
"""The titles of the frameworks."""


@dataclass(frozen=True, slots=True)
class Control:
    """One control of a framework, in our own words, and the categories of rules it is mapped to."""

    framework: Framework
    id: str
    title: str
    categories: frozenset[Category]
    unverified: bool
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class ControlView:
    """How a control fared: the number of enabled rules, and those that failed, were undetermined or waived."""

    control: Control
    asked: int
    passed: int
    failed: tuple[str, ...]
    unknown: tuple[str, ...]
    waived: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FrameworkView:
    """One framework over one report."""

    framework: Framework
    controls: tuple[ControlView, ...]

    @property
    def name(self) -> str:
        """The title of the framework."""
        return NAMES[self.framework]

    @property
    def unverified(self) -> bool:
        """True where the mapping of one of its controls is from memory."""
        return any(each.control.unverified for each in self.controls)

    @property
    def failed(self) -> tuple[ControlView, ...]:
        """The controls of which a rule failed."""
        return tuple(each for each in self.controls if each.failed)


def framework_views(report: Report) -> tuple[FrameworkView, ...]:
    """The frameworks that the settings name, each with its controls as the report leaves them."""
    settings = report.settings
    if not settings.frameworks:
        return ()  # without loading the policies on other clouds
    asked = Counter(rule.category for rule in packs.enabled(registry.rules_of(RuleKind.POLICY), settings))
    return tuple(
        FrameworkView(
            name,
            tuple(_view(control, report, asked) for control in framework_controls() if control.framework == name),
        )
        for name in settings.frameworks
    )


def _view(control: Control, report: Report, asked: Mapping[Category, int]) -> ControlView:
    return ControlView(
        control,
        sum(asked.get(category, 0) for category in control.categories),
        sum(report.counts[category, "pass"] for category in control.categories),
        *(_rules(report, outcome, control.categories) for outcome in ("fail", "unknown", "waived")),
    )


def _rules(report: Report, outcome: str, categories: Iterable[Category]) -> tuple[str, ...]:
    found = (answer.rule for answer in report.of(outcome) if answer.rule.category in categories)
    return tuple(dict.fromkeys(rule.id for rule in found))


@dataclass(frozen=True, slots=True)
class _Row:
    """One category of rules that a control is mapped to."""

    framework: Framework
    control: str
    title: str
    category: Category
    unverified: tuple[str, ...]
    source: str
    as_of: str


@cache
def framework_controls() -> tuple[Control, ...]:
    """Every control, in the order of the table."""
    grouped: dict[tuple[Framework, str], list[_Row]] = {}
    for row in records(_Row, "frameworks", folder=_DATA):
        grouped.setdefault((row.framework, row.control), []).append(row)
    return tuple(
        Control(
            framework,
            id_,
            rows[0].title,
            frozenset(row.category for row in rows),
            any(row.unverified for row in rows),
            rows[0].source,
            rows[0].as_of,
        )
        for (framework, id_), rows in grouped.items()
    )

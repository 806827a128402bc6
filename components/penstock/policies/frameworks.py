"""Views by framework: which of its controls rules speak to, and how those fared.

A view is not an attestation: rules see what a program declares, a control asks for more. A mapping that was not
compared with the framework's text is marked as unverified.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.graph.verdict import Outcome
from penstock.rules import controls, packs, registry
from penstock.rules.controls import Control
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Framework

if TYPE_CHECKING:
    from penstock.rules.judge import Report
    from penstock.rules.rule import Rule


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
        return controls.NAMES[self.framework]

    @property
    def unverified(self) -> bool:
        """True where the mapping of one of its controls is from memory."""
        return any(each.control.unverified for each in self.controls)

    @property
    def failed(self) -> tuple[ControlView, ...]:
        """The controls of which a rule failed."""
        return tuple(each for each in self.controls if each.failed)


def framework_views(report: Report) -> tuple[FrameworkView, ...]:
    """The frameworks that the settings enable, each with its controls as the report leaves them."""
    names = packs.frameworks_in_force(report.settings)
    if not names:
        return ()  # without loading the policies on other clouds
    enabled = packs.enabled(registry.rules_of(RuleKind.POLICY), report.settings)
    known = controls.framework_controls()
    return tuple(
        FrameworkView(name, tuple(_view(each, report, enabled) for each in known if each.framework == name))
        for name in names
    )


def _view(control: Control, report: Report, enabled: Collection[Rule]) -> ControlView:
    mapped = [rule for rule in enabled if controls.serves(rule, control)]
    ids = {rule.id for rule in mapped}
    return ControlView(
        control,
        len(mapped),
        sum(report.passed_by_rule[id_] for id_ in ids),
        *(_rules(report, outcome, ids) for outcome in (Outcome.FAIL, Outcome.UNKNOWN, "waived")),
    )


def _rules(report: Report, outcome: str, ids: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(answer.rule.id for answer in report.of(outcome) if answer.rule.id in ids))

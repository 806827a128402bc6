"""Known findings of an assessment: they do not block, and are reported as known."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import inflect, listed, plural
from penstock.report.assessment import Assessment
from penstock.report.redacted import redacted
from penstock.rules.baseline import FindingsBaseline, KnownFinding
from penstock.rules.settings_changes import Direction, SettingChange

AnyAssessment = TypeVar("AnyAssessment", bound=Assessment)


def with_baseline(assessment: AnyAssessment, baseline: FindingsBaseline, file: str) -> AnyAssessment:
    """Return an assessment in which the findings of a baseline are known; entries that match none are reported.

    Names are compared as reports show them, without secrets.
    """
    shown = redacted(assessment)
    counting, known, unmatched = baseline.split(assessment.environment, shown.findings)
    return replace(shown, findings=(*counting, *([_unmatched(unmatched, file)] if unmatched else ())), known=known)


def baseline_changes(before: FindingsBaseline, after: FindingsBaseline, stack: str) -> tuple[SettingChange, ...]:
    """Return the change of what a baseline accepts of a stack, if it changes."""
    old, new = before.of(stack), after.of(stack)
    if sorted(old) == sorted(new):
        return ()
    direction = Direction.TIGHTENED if set(new) <= set(old) and len(new) < len(old) else Direction.LOOSENED
    return (SettingChange((), "baseline of known findings", _count(old), _count(new), direction),)


def _count(known: tuple[KnownFinding, ...]) -> str:
    return plural(len(known), "finding")


def _unmatched(unmatched: tuple[KnownFinding, ...], file: str) -> Finding:
    names = listed((f"{each.rule} of {each.resource.rpartition('::')[2] or each.stack}" for each in unmatched), 3)
    exist = inflect(len(unmatched), "no longer exists", "no longer exist")
    return Finding(
        code="BASELINE-001",
        severity=Severity.INFO,
        source=Source.POLICY,
        message=f"{plural(len(unmatched), 'known finding')} of the baseline {exist}: {names}.",
        hint=f"Remove them: penstock check {unmatched[0].stack} --write-baseline {file}",
        file=file,
    )

"""The results of the policies, for people and for machines. Failures are among the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from penstock.core.wording import inflect, plural
from penstock.policies import frameworks
from penstock.policies.frameworks import ControlView, FrameworkView
from penstock.report.excused import disabled, waived_document, waived_lines
from penstock.rules import packs
from penstock.rules.judge import Answer, Report
from penstock.rules.levels import Category, RuleKind

OUTCOMES = ("pass", "fail", "unknown", "waived", "exempt")
"""The outcomes of a check that applies."""

_RARE_OUTCOMES = ("covered", "error")
"""What a provider rule reports already, and a rule that failed itself: counted where there are any."""


def hint(undetermined: int) -> str:
    """How to see what so many undetermined checks are."""
    return f" (`--verbose` lists {inflect(undetermined, 'it', 'them')})"


def lines(report: Report, *, hinted: bool = False) -> Iterator[str]:
    """The waived policies and their owners, the undetermined ones by category, the frameworks, and the counts."""
    yield from waived_lines("Waived policies:", report)
    undetermined = Counter(answer.rule.category for answer in report.undetermined)
    if undetermined:
        counted = ", ".join(f"{count} of {category}" for category, count in undetermined.items())
        yield f"Undetermined policies: {counted}{hint(undetermined.total()) if hinted else ''}."
    for view in frameworks.framework_views(report):
        yield framework(view)
    if sentence := counts(report):
        yield sentence


def counts(report: Report) -> str:
    """The checks counted by outcome, in one sentence; empty where none applied."""
    if not sum(report.count(outcome) for outcome in OUTCOMES):
        return ""
    others = (
        f"{count} {label}"
        for outcome, label in (
            ("fail", "failed"),
            ("unknown", "undetermined"),
            ("waived", "waived"),
            ("exempt", "exempt"),
        )
        if (count := report.count(outcome))
    )
    return ", ".join((f"{plural(report.count('pass'), 'policy check')} passed ({pack_names(report)})", *others)) + "."


def pack_names(report: Report) -> str:
    """The enabled packs, as a reader knows them."""
    return ", ".join(sorted(packs.in_force(report.settings))) or "single rules"


def framework(view: FrameworkView) -> str:
    """One framework in a sentence: which of its controls no rule speaks to, and which have a rule that failed."""
    asked = [each for each in view.controls if each.asked]
    failed = "; ".join(f"{each.control.id} ({', '.join(each.failed)})" for each in view.failed)
    note = " (by a mapping that is unverified)" if view.unverified else ""
    return (
        f"{view.name}{note}: rules speak to {len(asked)} of {plural(len(view.controls), 'control')} here; "
        f"{f'broken: {failed}' if failed else 'none is broken'}."
    )


def document(report: Report) -> dict[str, Any]:
    """The same as data."""
    return {
        "packs": sorted(packs.in_force(report.settings)),
        "counts": {
            category.value: _counts(report, category)
            for category in Category
            if any(report.counts[category, outcome] for outcome in (*OUTCOMES, *_RARE_OUTCOMES))
        },
        "unknown": [_about(answer) for answer in report.of("unknown")],
        "waived": [waived_document(answer) for answer in report.of("waived")],
        "exempt": [_exempt(answer) for answer in report.of("exempt")],
        "covered": [{**_about(answer), "by": answer.covered_by} for answer in report.of("covered")],
        "disabled": disabled(report.settings, RuleKind.POLICY),
        "frameworks": [_framework(view) for view in frameworks.framework_views(report)],
    }


def _counts(report: Report, category: Category) -> dict[str, int]:
    rare = {outcome: count for outcome in _RARE_OUTCOMES if (count := report.counts[category, outcome])}
    return {outcome: report.counts[category, outcome] for outcome in OUTCOMES} | rare


def _about(answer: Answer) -> dict[str, Any]:
    return {"rule": answer.rule.id, "urn": answer.resource.urn}


def _exempt(answer: Answer) -> dict[str, Any]:
    record = _about(answer)
    if answer.exemption is not None:
        record |= {
            "exemption": answer.exemption.name,
            "reason": answer.exemption.reason,
            "source": answer.exemption.source,
            "unverified": answer.exemption.unverified,
        }
    return record


def _framework(view: FrameworkView) -> dict[str, Any]:
    return {
        "framework": view.framework,
        "name": view.name,
        "unverified": view.unverified,
        "controls": [_control(each) for each in view.controls],
    }


def _control(each: ControlView) -> dict[str, Any]:
    return {
        "control": each.control.id,
        "title": each.control.title,
        "aims": sorted(each.control.aims),
        "rules": each.asked,
        "passed": each.passed,
        "failed": list(each.failed),
        "unknown": list(each.unknown),
        "waived": list(each.waived),
        "unverified": bool(each.control.unverified),
    }

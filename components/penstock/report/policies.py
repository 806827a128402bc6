"""The results of the policies, for people and for machines. Failures are among the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from penstock.policies import frameworks
from penstock.policies.frameworks import ControlView, FrameworkView
from penstock.report.wording import kind_of, plural
from penstock.rules import packs
from penstock.rules.judge import Answer, Report
from penstock.rules.levels import Category

OUTCOMES = ("pass", "fail", "unknown", "waived", "exempt")
"""The outcomes of a check that applies."""


def lines(report: Report) -> Iterator[str]:
    """The waived policies and their owners, the undetermined ones by category, the frameworks, and the counts."""
    waived = report.of("waived")
    if waived:
        yield "Waived policies:"
        yield from (f"  {rule_and_resource(answer)}: {waiver_of(answer)}" for answer in waived)
    undetermined = Counter(answer.rule.category for answer in report.undetermined)
    if undetermined:
        counted = ", ".join(f"{count} of {category}" for category, count in undetermined.items())
        yield f"Undetermined policies: {counted}."
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


def rule_and_resource(answer: Answer) -> str:
    """The rule and the resource of an answer."""
    return f"{answer.rule.id}  {answer.resource.name} ({kind_of(answer.resource.type)})"


def waiver_of(answer: Answer) -> str:
    """The reason, the owner and the last day of a waiver."""
    waiver = answer.waiver
    return "" if waiver is None else f"{waiver.reason} ({waiver.owner}, until {waiver.expires})"


def document(report: Report) -> dict[str, Any]:
    """The same as data."""
    return {
        "packs": sorted(packs.in_force(report.settings)),
        "counts": {
            category.value: {outcome: report.counts[category, outcome] for outcome in OUTCOMES}
            for category in Category
            if any(report.counts[category, outcome] for outcome in OUTCOMES)
        },
        "unknown": [_about(answer) for answer in report.of("unknown")],
        "waived": waived(report),
        "exempt": [_exempt(answer) for answer in report.of("exempt")],
        "frameworks": [_framework(view) for view in frameworks.framework_views(report)],
    }


def waived(report: Report) -> list[dict[str, Any]]:
    """The waived findings as data, with reason, owner and last day."""
    return [_waived(answer) for answer in report.of("waived")]


def _about(answer: Answer) -> dict[str, Any]:
    return {"rule": answer.rule.id, "urn": answer.resource.urn}


def _waived(answer: Answer) -> dict[str, Any]:
    record = _about(answer)
    if answer.waiver is not None:
        record |= {
            "reason": answer.waiver.reason,
            "owner": answer.waiver.owner,
            "expires": answer.waiver.expires.isoformat(),
        }
    return record | {"messages": _messages(answer)}


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


def _messages(answer: Answer) -> list[str]:
    return [failure.message for failure in answer.verdict.failures]


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
        "concerns": _sorted(each.control.categories),
        "rules": each.asked,
        "passed": each.passed,
        "failed": list(each.failed),
        "unknown": list(each.unknown),
        "waived": list(each.waived),
        "unverified": each.control.unverified,
    }


def _sorted(categories: Iterable[Category]) -> list[str]:
    return sorted(category.value for category in categories)

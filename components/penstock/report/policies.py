"""What the policy rules say of an environment, for people and for machines. What failed stands among the findings."""

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
"""What can come of a check that applies."""


def lines(report: Report) -> Iterator[str]:
    """What is waived and by whom, of which concerns not all could be told, the frameworks, and the counts."""
    waived = report.of("waived")
    if waived:
        yield "Waived policies:"
        yield from (f"  {rule_and_resource(answer)}: {waiver_of(answer)}" for answer in waived)
    doubts = Counter(answer.rule.category for answer in report.of("unknown"))
    if doubts:
        yield f"Policies that could not tell: {', '.join(f'{count} of {what}' for what, count in doubts.items())}."
    for view in frameworks.framework_views(report):
        yield framework(view)
    told = counts(report)
    if told:
        yield told


def counts(report: Report) -> str:
    """How many checks passed, and what came of the others, in one sentence; empty where none applied."""
    if not sum(report.count(outcome) for outcome in OUTCOMES):
        return ""
    others = (
        f"{count} {what}"
        for outcome, what in (
            ("fail", "failed"),
            ("unknown", "could not tell"),
            ("waived", "waived"),
            ("exempt", "exempt"),
        )
        if (count := report.count(outcome))
    )
    return ", ".join((f"{plural(report.count('pass'), 'policy check')} passed ({pack_names(report)})", *others)) + "."


def pack_names(report: Report) -> str:
    """The packs that were asked, as a reader knows them."""
    return ", ".join(sorted(packs.in_force(report.settings))) or "single rules"


def framework(view: FrameworkView) -> str:
    """One framework in a sentence: which of its controls no rule speaks to, and which have a rule that failed."""
    asked = [each for each in view.controls if each.asked]
    failed = "; ".join(f"{each.control.id} ({', '.join(each.failed)})" for each in view.failed)
    doubt = " (by a mapping that is unverified)" if view.unverified else ""
    return (
        f"{view.name}{doubt}: rules speak to {len(asked)} of {plural(len(view.controls), 'control')} here; "
        f"{f'broken: {failed}' if failed else 'none is broken'}."
    )


def rule_and_resource(answer: Answer) -> str:
    """The rule and the resource of an answer."""
    return f"{answer.rule.id}  {answer.resource.name} ({kind_of(answer.resource.type)})"


def waiver_of(answer: Answer) -> str:
    """Why a rule may be broken there, who answers for that, and until when."""
    waiver = answer.waiver
    return "" if waiver is None else f"{waiver.reason} ({waiver.owner}, until {waiver.expires})"


def document(report: Report) -> dict[str, Any]:
    """The same as data."""
    return {
        "packs": sorted(packs.in_force(report.settings)),
        "counts": {
            concern.value: {outcome: report.counts[concern, outcome] for outcome in OUTCOMES}
            for concern in Category
            if any(report.counts[concern, outcome] for outcome in OUTCOMES)
        },
        "unknown": [_about(answer) for answer in report.of("unknown")],
        "waived": waived(report),
        "exempt": [_exempt(answer) for answer in report.of("exempt")],
        "frameworks": [_framework(view) for view in frameworks.framework_views(report)],
    }


def waived(report: Report) -> list[dict[str, Any]]:
    """What waivers excuse as data: who waived it, and why, and until when."""
    return [_waived(answer) for answer in report.of("waived")]


def _about(answer: Answer) -> dict[str, Any]:
    return {"rule": answer.rule.id, "urn": answer.resource.urn}


def _waived(answer: Answer) -> dict[str, Any]:
    told = _about(answer)
    if answer.waiver is not None:
        told |= {
            "reason": answer.waiver.reason,
            "owner": answer.waiver.owner,
            "expires": answer.waiver.expires.isoformat(),
        }
    return told | {"messages": _messages(answer)}


def _exempt(answer: Answer) -> dict[str, Any]:
    told = _about(answer)
    if answer.exemption is not None:
        told |= {
            "exemption": answer.exemption.name,
            "reason": answer.exemption.reason,
            "source": answer.exemption.source,
            "unverified": answer.exemption.unverified,
        }
    return told


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


def _sorted(concerns: Iterable[Category]) -> list[str]:
    return sorted(concern.value for concern in concerns)

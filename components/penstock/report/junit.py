"""Findings as JUnit's XML, which most pipelines show beside the results of tests.

A rule on a resource is a test case: it fails where it blocks, and is skipped where it only advises, is
undetermined or is waived. Passed rules are one test case a category, with their count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final
from xml.etree import ElementTree as ET

from penstock.core.findings import Finding, Source
from penstock.report import coverage
from penstock.report.assessment import Assessment
from penstock.report.code_entries import entry_of
from penstock.report.excused import waiver_of
from penstock.report.wording import harmless, harmless_lines, head_and_rest
from penstock.rules.judge import Answer, Report
from penstock.rules.levels import RuleKind, UndeterminedLevel

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FAILURE, _SKIPPED, _PASSED = "failure", "skipped", ""


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case: its outcome (failure, skipped or nothing), a line on it, and the whole text."""

    group: str
    name: str
    outcome: str
    message: str = ""
    text: str = ""
    place: dict[str, str] = field(default_factory=dict)


def render(assessment: Assessment) -> str:
    """Return a test suite for each category of policies, and for each other source of findings."""
    groups: dict[str, list[_Case]] = {}
    for case in _cases(assessment):
        groups.setdefault(case.group, []).append(case)
    root = ET.Element("testsuites", {"name": harmless(f"penstock {assessment.environment}"), **_counted(_flat(groups))})
    for group, cases in groups.items():
        suite = ET.SubElement(root, "testsuite", {"name": group, **_counted(cases)})
        for case in cases:
            _add(suite, case)
    ET.indent(root)
    return _HEAD + ET.tostring(root, encoding="unicode")


def _cases(assessment: Assessment) -> Iterator[_Case]:
    yield from _of_findings(assessment.findings)
    if assessment.judgement is not None:
        yield from map(_undetermined, assessment.judgement.undetermined)
        yield from _waived(assessment.judgement)
        yield from _passed(Source.CLOUD.value, assessment.judgement.passed)
    if assessment.policies is not None:
        yield from _of_policies(assessment.policies)
    for sentence in coverage.lines(assessment.coverage):
        yield _Case("coverage", sentence, _PASSED)


def _of_findings(findings: Iterable[Finding]) -> Iterator[_Case]:
    """Yield one case for each rule and resource, whatever the number of findings."""

    def about(finding: Finding) -> tuple[str, str]:
        return finding.code, finding.urn or finding.path or ""

    for (code, where), found in groupby(sorted(findings, key=about), about):
        together = list(found)
        first = together[0]
        blocks = any(finding.blocks for finding in together)
        messages = "; ".join(finding.message for finding in together)
        place = {key: str(value) for key, value in (("file", first.file), ("line", first.line)) if value is not None}
        yield _Case(
            entry_of(first).group,
            _name(code, where),
            _FAILURE if blocks else _SKIPPED,
            messages if blocks else f"advice: {messages}",
            "\n".join("\n".join(head_and_rest(finding)) for finding in together),
            place,
        )


def _of_policies(report: Report) -> Iterator[_Case]:
    undetermined = report.of("unknown") if report.settings.unknown is UndeterminedLevel.COUNTED else ()
    for answer in undetermined:
        yield _answered(answer, f"undetermined: {answer.why_undetermined}")
    yield from _waived(report)
    for category in dict.fromkeys(category for category, _ in report.counts):
        yield from _passed(category.value, report.counts[category, "pass"])


def _waived(report: Report) -> Iterator[_Case]:
    for answer in report.of("waived"):
        yield _answered(answer, f"waived: {waiver_of(answer)}")


def _answered(answer: Answer, message: str) -> _Case:
    place = answer.resource.place
    where = {"file": place.file, "line": str(place.line)} if place else {}
    return _Case(
        Source.CLOUD.value if answer.rule.kind is RuleKind.PROVIDER else answer.rule.category.value,
        _name(answer.rule.id, answer.resource.urn),
        _SKIPPED,
        message,
        answer.rule.title,
        where,
    )


def _undetermined(answer: Answer) -> _Case:
    return _Case(
        Source.CLOUD.value,
        _name(answer.rule.id, answer.resource.urn),
        _SKIPPED,
        f"undetermined: {answer.why_undetermined}",
    )


def _passed(group: str, count: int) -> Iterator[_Case]:
    if count:
        yield _Case(group, "all other checks", _PASSED, text=f"{count} passed")


def _name(code: str, where: str) -> str:
    return f"{code} {where}".strip()


def _add(suite: ET.Element, case: _Case) -> None:
    attributes = {"classname": f"penstock.{case.group}", "name": case.name, **case.place}
    element = ET.SubElement(suite, "testcase", {key: harmless(value) for key, value in attributes.items()})
    if case.outcome == _PASSED:
        ET.SubElement(element, "system-out").text = case.text
        return
    result = ET.SubElement(element, case.outcome, {"message": harmless(case.message)})
    result.text = harmless_lines(case.text) or None


def _counted(cases: Iterable[_Case]) -> dict[str, str]:
    outcomes = Counter(case.outcome for case in cases)
    return {
        "tests": str(outcomes.total()),
        "failures": str(outcomes[_FAILURE]),
        "errors": "0",
        "skipped": str(outcomes[_SKIPPED]),
    }


def _flat(groups: dict[str, list[_Case]]) -> list[_Case]:
    return [case for cases in groups.values() for case in cases]

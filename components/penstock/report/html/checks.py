"""The checks: what passed, what was undetermined, what is waived, and what no rule judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from penstock.policies import frameworks
from penstock.policies.frameworks import FrameworkView
from penstock.report import coverage, policies
from penstock.report.assessment import Assessment
from penstock.report.excused import excused_sentences, waived_answers
from penstock.report.html.naming import Called, called
from penstock.report.wording import checks
from penstock.rules.judge import Answer
from penstock.rules.levels import Category


@dataclass(frozen=True, slots=True)
class CheckCounts:
    """The checks of a category by their outcome, and how many there are together."""

    category: str
    passed: int
    failed: int
    undetermined: int
    waived: int
    exempt: int

    @property
    def total(self) -> int:
        """All checks that apply."""
        return self.passed + self.failed + self.undetermined + self.waived + self.exempt


@dataclass(frozen=True, slots=True)
class Undetermined:
    """A rule whose verdict on a resource is not determined, and why."""

    rule: str
    title: str
    resource: Called
    why: str


@dataclass(frozen=True, slots=True)
class Waived:
    """A rule that a resource may break: why, on whose word, and until when."""

    rule: str
    resource: Called
    reason: str
    owner: str
    until: str


@dataclass(frozen=True, slots=True)
class ChecksSection:
    """All that was checked beside what was found."""

    sentences: tuple[str, ...]
    counts: tuple[CheckCounts, ...]
    undetermined: tuple[Undetermined, ...]
    waived: tuple[Waived, ...]
    frameworks: tuple[FrameworkView, ...]


def section(assessment: Assessment) -> ChecksSection:
    """Return the checks of an assessment."""
    report = assessment.policies
    return ChecksSection(
        sentences=tuple(_sentences(assessment)),
        counts=tuple(_counts(assessment)),
        undetermined=tuple(
            Undetermined(each.rule.id, each.rule.title, called(each.resource.urn), each.why_undetermined)
            for each in undetermined_answers(assessment)
        ),
        waived=tuple(map(_waived, waived_answers(assessment))),
        frameworks=tuple(frameworks.framework_views(report)) if report is not None else (),
    )


def undetermined_answers(assessment: Assessment) -> Iterator[Answer]:
    """Yield the undetermined answers of provider rules, and then those of policies."""
    for report in (assessment.judgement, assessment.policies):
        if report is not None:
            yield from report.undetermined


def _sentences(assessment: Assessment) -> Iterator[str]:
    yield from filter(None, (checks(assessment.judgement),))
    if assessment.policies is not None:
        yield from filter(None, (policies.counts(assessment.policies),))
    yield from coverage.lines(assessment.coverage)
    yield from excused_sentences(assessment)


def _counts(assessment: Assessment) -> Iterator[CheckCounts]:
    for report in (assessment.judgement, assessment.policies):
        for category in Category if report is not None else ():
            assert report is not None  # noqa: S101 for the type checker
            found = CheckCounts(
                "provider rules" if category is Category.PROVIDER else category.value.replace("-", " "),
                *(report.counts[category, outcome] for outcome in ("pass", "fail", "unknown", "waived", "exempt")),
            )
            if found.total:
                yield found


def _waived(answer: Answer) -> Waived:
    waiver = answer.waiver
    return Waived(
        answer.rule.id,
        called(answer.resource.urn),
        waiver.reason if waiver is not None else "",
        waiver.owner if waiver is not None else "",
        waiver.expires.isoformat() if waiver is not None else "",
    )

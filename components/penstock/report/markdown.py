"""A report as a comment on a pull request: one sentence, one table, and the rest folded.

The first line is a marker that nobody sees: a pipeline finds its last comment by it, and updates that in place. What
a program or a stack file says is escaped: it neither breaks a table, nor calls a person, nor links an issue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from penstock.core.findings import Finding, resource_of
from penstock.core.wording import plural
from penstock.cost.total_words import total_words
from penstock.policies import frameworks
from penstock.policies.frameworks import FrameworkView
from penstock.report import changes, cost, coverage, policies, preconditions, settings
from penstock.report.assessment import Assessment
from penstock.report.cost_change import cost_change_of, in_words
from penstock.report.excused import excused_sentences, waived_answers
from penstock.report.figures import durations, is_shown, price, size
from penstock.report.markdown_text import Spare, code, folded, marker, plain, resource, table_lines
from penstock.report.overview import Overview
from penstock.report.verdict import blocking_words, sentence
from penstock.report.wording import checks
from penstock.rules.judge import Answer, Report

MOST_CHARACTERS: Final = 65_536
"""Of a comment: GitHub takes no longer one."""


def render(assessment: Assessment, *, room: int = MOST_CHARACTERS) -> str:
    """Return what blocks in a table; advice, waivers, undetermined policies and frameworks folded below it.

    Rows beyond `room` characters are left out, and counted.
    """
    return "\n".join(_fitting(list(_lines(assessment)), room)).rstrip("\n")


def _fitting(lines: Sequence[str], room: int) -> Iterator[str]:
    """Yield as many of the lines as there is room for, the first ones first."""
    ending = "{} more would not fit into a comment."
    room -= len(ending) + sum(len(line) + 1 for line in lines if not isinstance(line, Spare))
    left_out = 0
    for line in lines:
        if isinstance(line, Spare):
            room -= len(line) + 1
            if room < 0:
                left_out += 1
                continue
        yield line
    if left_out:
        yield ending.format(plural(left_out, "row"))


def _lines(assessment: Assessment) -> Iterator[str]:
    blocking = [finding for finding in assessment.findings if finding.blocks]
    advice = [finding for finding in assessment.findings if not finding.blocks]
    yield marker(assessment.command, assessment.home.project if assessment.home else "", assessment.environment)
    yield f"## Penstock: {code(assessment.environment)}"
    yield ""
    yield _verdict(assessment)
    yield ""
    rows = list(_summary_rows(assessment))
    if rows:
        yield from table_lines(("", ""), rows)
    if assessment.changes is not None:
        yield from settings.markdown(assessment.settings_changes)
        yield from changes.markdown(assessment.changes)
    change = cost_change_of(assessment)
    if change is not None:
        yield from cost.change_markdown(change)
    if blocking:
        yield from folded(plural(len(blocking), "problem"), _findings(blocking), is_open=True)
    if advice:
        yield from folded(plural(len(advice), "piece") + " of advice", _findings(advice))
    if assessment.known:
        yield from folded(plural(len(assessment.known), "known finding"), _findings(assessment.known))
    yield from preconditions.markdown(assessment.preconditions or ())
    yield from _cost(assessment)
    yield from _waived(waived_answers(assessment))
    if assessment.policies is not None:
        yield from _policies(assessment.policies)


def _verdict(assessment: Assessment) -> str:
    """The sentence that a reviewer reads first."""
    blocking = blocking_words(assessment)
    return sentence(assessment, blocking=blocking if assessment.ok else f"**{blocking}**")


def _summary_rows(assessment: Assessment) -> Iterator[tuple[str, str]]:
    """The figures of a report, each with its name."""
    if assessment.changes is not None:
        yield "Changes", changes.counts(assessment.changes)
        yield from changes.machine_rows(assessment.changes)
    if isinstance(assessment, Overview):
        yield from _figures(assessment)
    sentences = [checks(assessment.judgement)]
    if assessment.policies is not None:
        sentences.append(policies.counts(assessment.policies))
    sentences += coverage.lines(assessment.coverage)
    sentences += excused_sentences(assessment)
    if any(sentences):
        yield "Checks", " ".join(map(plain, filter(None, sentences)))


def _figures(overview: Overview) -> Iterator[tuple[str, str]]:
    if not any(each.custom and is_shown(each) for each in overview.graph):
        yield "Creates", "The program creates no resources."
        return
    if overview.changes is None:
        yield "Creates", f"{size(overview.graph)}."
        yield "Time", " ".join(durations(overview.timeline))
    change = cost_change_of(overview)
    yield "Cost", price(overview.cost) if change is None else f"{in_words(change)}. {price(overview.cost)}"


def _cost(assessment: Assessment) -> Iterator[str]:
    """The bill, folded: the dearest lines first."""
    if not isinstance(assessment, Overview) or not assessment.cost.lines:
        return
    rows = [
        (resource(*resource_of(line.urn)), plain(line.what), f"{line.monthly_usd:,.2f}", "a guess" * line.unverified)
        for line in assessment.cost.lines
    ]
    words = total_words(assessment.cost)
    yield from folded(
        f"{words[:1].upper()}{plain(words[1:])}",
        table_lines(("Resource", "What", "USD a month", ""), rows),
    )


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    rows = [(code(each.code), _where(each), plain(each.message), plain(each.hint)) for each in findings]
    yield from table_lines(("Rule", "Where", "What is wrong", "How to fix it"), rows)


def _where(finding: Finding) -> str:
    parts = []
    if finding.urn is not None:
        parts.append(resource(*resource_of(finding.urn)))
    if finding.file is not None:
        place = (finding.file, finding.line, finding.column)
        parts.append(code(":".join(str(each) for each in place if each is not None)))
    if finding.path:
        parts.append(code(finding.path))
    return "<br>".join(parts)


def _waived(waived: Sequence[Answer]) -> Iterator[str]:
    if waived:
        head = ("Rule", "Resource", "Why it may be broken there", "Owner", "Until")
        yield from folded(
            f"{len(waived)} waived", table_lines(head, [(*_about(each), *_waiver(each)) for each in waived])
        )


def _policies(report: Report) -> Iterator[str]:
    unknown = report.of("unknown")
    if unknown:
        counts = Counter((answer.rule.category.value, answer.rule.id) for answer in unknown)
        rows = [(plain(category), code(rule), str(count)) for (category, rule), count in sorted(counts.items())]
        yield from folded(f"{len(unknown)} undetermined", table_lines(("Category", "Rule", "Resources"), rows))
    for view in frameworks.framework_views(report):
        yield from folded(_summary(view), _framework(view))


def _about(answer: Answer) -> tuple[str, str]:
    return code(answer.rule.id), resource(answer.resource.name, answer.resource.type)


def _waiver(answer: Answer) -> tuple[str, str, str]:
    waiver = answer.waiver
    return (plain(waiver.reason), plain(waiver.owner), waiver.expires.isoformat()) if waiver else ("", "", "")


def _summary(view: FrameworkView) -> str:
    return f"{view.name}: {plural(len(view.failed), 'control')} broken"


def _framework(view: FrameworkView) -> Iterator[str]:
    rows = [
        (
            code(each.control.id),
            plain(each.control.title),
            str(each.asked) if each.asked else "none here",
            ", ".join(map(code, each.failed)),
            str(len(each.unknown) or ""),
            str(len(each.waived) or ""),
        )
        for each in view.controls
    ]
    yield from table_lines(("Control", "Requirement", "Rules", "Failed", "Undetermined", "Waived"), rows)
    if view.unverified:
        yield "Nobody has held these controls and their rules against the framework's text yet: they are unverified."
        yield ""

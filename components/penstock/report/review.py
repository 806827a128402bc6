"""A change of a project in one report: the stacks that it touches, and what it does to each."""

from __future__ import annotations

import json as stdlib_json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from io import StringIO
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import inflect, listed, plural
from penstock.report import changes, markdown, terminal
from penstock.report import formats as stack_formats
from penstock.report.assessment import Assessment
from penstock.report.fleet import FleetMember, sarif_log
from penstock.report.json import text_of
from penstock.report.markdown import MOST_CHARACTERS
from penstock.report.markdown_text import code, folded, marker, plain, table_lines
from penstock.report.parts import Shard, with_part
from penstock.report.terminal import harmless_text, table_of
from penstock.report.wording import harmless, harmless_lines

FORMATS: Final = ("text", "json", "sarif", "markdown", "html")
"""The formats in which each stack hands over its report."""

_STYLES: Final = {"passes": "green", "blocks": "bold red", "no result": "bold red"}
_HEADS: Final = ("Stack", "", "Verdict", "Changes", "Data lost", "Cost a month", "Errors", "Warnings")
_FIGURES: Final = 6
"""The columns before those with figures alone."""

_WIDTH: Final = 120
"""Columns of the text about a stack."""

_MOST_FILES: Final = 3
_MOST_PIPELINE_FILES: Final = 20
_EDITS_PIPELINE: Final = "This change edits the pipeline that reviews it"
_REVIEW_BY_HAND: Final = "Its own result proves nothing about these files: a code owner must read them."
_AROUND: Final = 4_000
"""Characters of a comment that are kept for what is around the reports of the stacks."""

_SHORT: Final = 12
"""Characters of a commit's hash that a reader sees."""


class StackChange(StrEnum):
    """What a change does to a stack as a whole."""

    NEW = "new"
    CHANGED = "changed"
    DELETED = "deleted"


_STAYS: Final = {StackChange.DELETED: "; its resources exist until `pulumi destroy` has deleted them"}


@dataclass(frozen=True, slots=True)
class AffectedStack:
    """A stack that a change touches, and the changed files that decide so."""

    name: str
    change: StackChange
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewedStack:
    """An affected stack, and what its review has found."""

    stack: AffectedStack
    member: FleetMember

    @property
    def word(self) -> str:
        """The verdict in a word."""
        if not self.member.verdict.is_result:
            return "no result"
        return "passes" if self.member.status == 0 else "blocks"


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """A change of a project: between which revisions, and the stacks that it touches in the order of their names.

    `members` are the reviewed stacks: all that are affected, or a part of them. `only` is the stack that the review is
    limited to, if any; `total` counts the stacks of the project, of both sides.
    `pipeline` has the changed files that review or deploy.
    """

    project: str
    base: str
    base_commit: str
    head_commit: str
    total: int
    affected: Sequence[AffectedStack]
    members: Mapping[str, FleetMember]
    only: str = ""
    notes: Sequence[str] = ()
    pipeline: Sequence[str] = ()

    @property
    def remarks(self) -> Sequence[str]:
        """What a reader must know before the stacks: that the change edits its own pipeline comes first."""
        if not self.pipeline:
            return self.notes
        return [
            f"Warning: {_EDITS_PIPELINE}: {listed(self.pipeline, _MOST_PIPELINE_FILES)} (DIFF-029). {_REVIEW_BY_HAND}",
            *self.notes,
        ]

    @property
    def stacks(self) -> Sequence[ReviewedStack]:
        """The reviewed stacks."""
        return [ReviewedStack(each, self.members[each.name]) for each in self.affected if each.name in self.members]

    @property
    def status(self) -> int:
        """The exit status: the worst of all stacks, and 0 if none is affected."""
        return max((each.member.status for each in self.stacks), default=0)


def room_of_each(stacks: int) -> int:
    """Return the characters that the report of each stack may have in one comment."""
    return (MOST_CHARACTERS - _AROUND) // max(stacks, 1)


def rendered_stack(assessment: Assessment, format_: str, *, room: int, text: str | None = None) -> str:
    """Return the report of one stack in a format; text has its colours, and Markdown no more characters than `room`.

    `text` is the text of an error that has ended the review of the stack.
    """
    if format_ == "markdown":
        return markdown.render(assessment, room=room)
    if format_ == "html":
        from penstock.report.html.review import render_stack  # its templates take a moment to load

        return render_stack(assessment)
    if format_ != "text":
        return _rendered_alone(assessment, format_)
    if text is not None:
        return harmless_lines(text)
    stream = StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard", width=_WIDTH, highlight=False)
    if assessment.changes is None:
        terminal.show_check(assessment, console, ending="Nothing was created.")
    else:
        changes.show(assessment, console, title="")
    return stream.getvalue().strip("\n")


def _rendered_alone(assessment: Assessment, format_: str) -> str:
    if assessment.judgement is None:
        return stack_formats.rendered_error(
            assessment.findings, environment=assessment.environment, command=assessment.command, format_=format_
        )
    return stack_formats.rendered(assessment, format_)


def show(report: ReviewReport, console: Console) -> None:
    """Print the summary, and then the report of each stack."""
    console.print(harmless_text(f"{report.project}  {_compared(report)}", "bold"), soft_wrap=True)
    for note in report.remarks:
        console.print(harmless_text(note), soft_wrap=True)
    if report.stacks:
        heads, rows = _columns(report)
        table = table_of(*heads, figures_from=_figures_from(heads))
        for cells in rows:
            table.add_row(*(Text(cell, _STYLES[cell]) if cell in _STYLES else harmless_text(cell) for cell in cells))
        console.print()
        console.print(table)
    for each in report.stacks:
        console.print()
        console.print(harmless_text(f"{each.stack.name}: {_why(each.stack)}", "bold"), soft_wrap=True)
        text = each.member.reports.get("text")
        messages = Text(harmless_lines(each.member.messages.strip()))
        console.print(messages if text is None else Text.from_ansi(text), soft_wrap=True)
    console.print()
    console.print(f"{_sentence(report)} Nothing was changed yet.")


def rendered(report: ReviewReport, format_: str, part: Shard | None = None) -> str:
    """Return the report in a format for machines or pull requests; JSON of a `part` has what a merge needs."""
    text = _FORMATS[format_](report)
    if part is None or format_ != "json":
        return text
    about = {each.name: getattr(report, each.name) for each in fields(report) if each.name != "members"}
    about |= {"command": "review", "affected": [asdict(each) for each in report.affected]}
    return with_part(text, part, about, list(report.members.values()))


def review_from(about: Mapping[str, Any], members: Mapping[str, FleetMember]) -> ReviewReport:
    """Return the review that all parts make together."""
    affected = tuple(
        AffectedStack(each["name"], StackChange(each["change"]), tuple(each["because"])) for each in about["affected"]
    )
    names = {each.name for each in fields(ReviewReport)} - {"affected", "members"}
    return ReviewReport(**{name: about[name] for name in names}, affected=affected, members=members)


def _name(report: ReviewReport) -> str:
    return f"{report.project}/{report.only}" if report.only else report.project


def _compared(report: ReviewReport) -> str:
    return f"compared with {report.base} ({report.base_commit[:_SHORT]})"


def _sentence(report: ReviewReport) -> str:
    if not report.affected:
        return "No stack is affected."
    if not report.stacks:
        return f"No stack of this part is affected; {len(report.affected)} of all are."
    blocked = sum(each.member.status != 0 for each in report.stacks)
    passing = len(report.stacks) - blocked
    count = len(report.stacks)
    stacks = plural(count, "stack") if report.only else f"{count} of {plural(report.total, 'stack')}"
    return f"{stacks} {inflect(count, 'is', 'are')} affected: {passing} pass, {blocked} block."


def _why(stack: AffectedStack) -> str:
    return f"{stack.change.value}, because of {listed(stack.because, _MOST_FILES)}{_STAYS.get(stack.change, '')}"


def _columns(report: ReviewReport) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The heads and the rows of the summary, without columns in which no stack has anything."""
    columns = zip(_HEADS, *map(_cells, report.stacks), strict=True)
    heads, *rows = zip(*(column for column in columns if any(column[1:])), strict=True)
    return heads, rows


def _figures_from(heads: Sequence[str]) -> int:
    return heads.index(_HEADS[_FIGURES])


def _cells(each: ReviewedStack) -> tuple[str, ...]:
    verdict = each.member.verdict
    counted = [f"{count} {word}" for word, count in (verdict.changes or {}).items() if count]
    nothing = "none" if verdict.changes is not None else "unknown" if verdict.is_result else ""
    return (
        each.stack.name,
        each.stack.change.value,
        each.word,
        ", ".join(counted) or nothing,
        plural(verdict.data_lost, "resource") if verdict.data_lost else "",
        verdict.cost_change,
        str(verdict.count(Severity.ERROR)),
        str(verdict.count(Severity.WARNING)),
    )


# ---------------------------------------------------------------------- for machines


def _json(report: ReviewReport) -> str:
    """A summary of all, and the whole document of each stack."""
    document = {
        "project": report.project,
        "base": {"revision": report.base, "commit": report.base_commit},
        "head": {"commit": report.head_commit},
        "ok": report.status == 0,
        "status": report.status,
        "stacks": report.total,
        "notes": list(report.remarks),
        "pipeline": list(report.pipeline),
        "summary": [_row(each) for each in report.stacks],
        "environments": [_environment(each) for each in report.stacks],
    }
    return text_of(document)


def _row(each: ReviewedStack) -> dict[str, Any]:
    verdict = each.member.verdict
    return {
        "environment": each.stack.name,
        "change": each.stack.change.value,
        "because": list(each.stack.because),
        "ok": each.member.status == 0,
        "status": each.member.status,
        "changes": verdict.changes,
        "data_lost": verdict.data_lost,
        "errors": verdict.count(Severity.ERROR),
        "warnings": verdict.count(Severity.WARNING),
        "monthly_usd": None if verdict.monthly_usd is None else round(verdict.monthly_usd, 2),
        "omitted": verdict.omits or None,
    }


def _environment(each: ReviewedStack) -> dict[str, Any]:
    found: dict[str, Any] = stdlib_json.loads(_report_of(each, "json"))
    return found


def _report_of(each: ReviewedStack, format_: str) -> str:
    """The report of a stack; one that was killed could hand over none, and has its verdict alone."""
    found = each.member.reports.get(format_)
    return found or _rendered_alone(
        Assessment(environment=each.stack.name, findings=each.member.verdict.findings, command="review"), format_
    )


def _sarif(report: ReviewReport) -> str:
    found = tuple(
        Finding(
            code="DIFF-029",
            severity=Severity.WARNING,
            source=Source.PROGRAM,
            message=f"{_EDITS_PIPELINE}: {file}",
            hint=_REVIEW_BY_HAND,
            file=file,
        )
        for file in report.pipeline
    )
    own = [_rendered_alone(Assessment(environment=_name(report), findings=found, command="review"), "sarif")]
    return sarif_log([*(own if found else ()), *(_report_of(each, "sarif") for each in report.stacks)])


def _html(report: ReviewReport) -> str:
    from penstock.report.html.review import StackSection, render_page  # its templates take a moment to load

    heads, rows = _columns(report) if report.stacks else ((), ())
    sections = [
        StackSection(
            each.stack.name,
            each.member.status == 0,
            cells[1:],
            _why(each.stack),
            each.member.reports.get("html"),
            harmless_lines(each.member.messages.strip()),
        )
        for each, cells in zip(report.stacks, rows, strict=True)
    ]
    return render_page(
        _name(report),
        sentence=_sentence(report),
        compared=_compared(report),
        ok=report.status == 0,
        notes=report.remarks,
        heads=heads,
        stacks=sections,
    )


# ---------------------------------------------------------------------- for pull requests


def _markdown(report: ReviewReport) -> str:
    """A marker, a table of all, and the report of each stack folded below it, as many as a comment takes."""
    lines = list(_summary(report))
    room = MOST_CHARACTERS - sum(len(line) + 1 for line in lines) - _AROUND // 4
    left_out = []
    for each in report.stacks:
        section = list(_section(each))
        size = sum(len(line) + 1 for line in section)
        if size > room:
            left_out.append(each.stack.name)
            continue
        room -= size
        lines += section
    if left_out:
        names = listed(map(code, left_out), _AROUND // 400)
        lines.append(
            f"Left out for want of space: the details of {names}. They are in the other formats of this report."
        )
    return "\n".join(lines).rstrip("\n")


def _summary(report: ReviewReport) -> Iterator[str]:
    yield marker("review", report.project, report.only)
    yield f"## Penstock review: {code(_name(report))}"
    yield ""
    sentence = _sentence(report)
    yield f"**{sentence}**" if report.status else sentence
    yield f"{_compared_markdown(report)}"
    yield ""
    for note in report.remarks:
        yield f"> {plain(note)}"
        yield ""
    if report.stacks:
        heads, rows = _columns(report)
        bold = [
            (code(stack), *(f"**{cell}**" if cell in ("blocks", "no result") else plain(cell) for cell in cells))
            for stack, *cells in rows
        ]
        yield from table_lines(heads, bold)


def _compared_markdown(report: ReviewReport) -> str:
    return f"Compared with {code(report.base)} ({code(report.base_commit[:_SHORT])})."


def _section(each: ReviewedStack) -> Iterator[str]:
    """The report of a stack without its own marker and heading; an error without a report is text."""
    report = each.member.reports.get("markdown")
    if report is None:
        content = [*(f"    {harmless(line)}" for line in each.member.messages.strip().splitlines()), ""]
    else:
        content = [f"{_because(each.stack)}", "", *_below_heading(report)]
    title = f"<b>{plain(each.stack.name)}</b>: {each.stack.change.value}, {each.word}"
    yield from folded(title, content, is_open=each.member.status != 0)


def _because(stack: AffectedStack) -> str:
    files = [code(each) for each in stack.because]
    return f"Affected by {listed(files, _MOST_FILES)}{_STAYS.get(stack.change, '')}."


def _below_heading(report: str) -> list[str]:
    lines = report.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith("## ")), -1)
    return [*lines[start + 1 :], ""]


_FORMATS: Final[Mapping[str, Callable[[ReviewReport], str]]] = {
    "json": _json,
    "sarif": _sarif,
    "markdown": _markdown,
    "html": _html,
}

"""Every stack of a project in one report: a summary of all, and the details of those that fail."""

from __future__ import annotations

import json as stdlib_json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.text import Text

from penstock.core.findings import Severity
from penstock.core.wording import plural
from penstock.report import sarif
from penstock.report.assessment import Assessment
from penstock.report.json import text_of
from penstock.report.markdown import MOST_CHARACTERS
from penstock.report.markdown_text import code, folded, marker, plain, table_lines
from penstock.report.stack_verdict import StackVerdict, verdict_from
from penstock.report.terminal import harmless_text, show_findings, table_of
from penstock.report.wording import harmless_lines, minutes
from penstock.simulate.warm import FinishedRun

_NO_RESULT: Final = 2
_STYLES: Final = {"passes": "green", "fails": "bold red", "no result": "bold red"}
_HEADS: Final = (
    "Stack",
    "Verdict",
    "Cloud",
    "Resources",
    "Errors",
    "Warnings",
    "USD a month",
    "First accelerator",
    "Everything",
)
_FIGURES: Final = 3
"""The columns before those with figures."""


@dataclass(frozen=True, slots=True)
class FleetMember:
    """One stack: its verdict, the exit status of its command, its reports by their formats, and its messages."""

    stack: str
    verdict: StackVerdict
    status: int
    reports: Mapping[str, str]
    messages: str

    @property
    def word(self) -> str:
        """The verdict in a word."""
        if not self.verdict.is_result:
            return "no result"
        return "passes" if self.status == 0 else "fails"


@dataclass(frozen=True, slots=True)
class Fleet:
    """Every stack of a project, in the order of their names."""

    project: str
    command: str
    members: Sequence[FleetMember]

    @property
    def status(self) -> int:
        """The exit status: the worst of all."""
        return max((member.status for member in self.members), default=0)

    @property
    def failing(self) -> Sequence[FleetMember]:
        """The stacks whose commands did not succeed."""
        return [member for member in self.members if member.status]


def member_of(stack: str, run: FinishedRun) -> FleetMember:
    """Return what a run for a stack has found; one that was killed has neither a verdict nor reports."""
    verdict = (
        verdict_from(run.note.verdict) if run.note is not None else StackVerdict(environment=stack, is_result=False)
    )
    status = run.status if 0 <= run.status <= _NO_RESULT else _NO_RESULT
    return FleetMember(stack, verdict, status, stdlib_json.loads(run.result or "{}"), run.messages)


def show(fleet: Fleet, console: Console) -> None:
    """Print the summary, then the errors of each stack that fails, as its own command prints them."""
    heads, rows = _columns(fleet)
    table = table_of(*heads, figures_from=_FIGURES)
    for stack, word, *cells in rows:
        table.add_row(harmless_text(stack), Text(word, _STYLES[word]), *map(harmless_text, cells))
    console.print(table)
    for member in fleet.failing:
        console.print()
        console.print(harmless_text(member.stack, "bold"))
        if member.verdict.is_result:
            blocking = tuple(each for each in member.verdict.findings if each.blocks)
            show_findings(Assessment(environment=member.stack, findings=blocking), console)
        else:
            console.print(Text(harmless_lines(member.messages.strip())), soft_wrap=True)
    console.print()
    console.print(f"{_sentence(fleet)} Nothing was created.")


def formats() -> Sequence[str]:
    """The formats for machines and pull requests that take several stacks."""
    return tuple(_FORMATS)


def rendered(fleet: Fleet, format_: str) -> str:
    """Return the report in a format for machines or pull requests."""
    return _FORMATS[format_](fleet)


def _sentence(fleet: Fleet) -> str:
    failing = len(fleet.failing)
    return f"{plural(len(fleet.members), 'stack')}: {len(fleet.members) - failing} pass, {failing} fail."


def _columns(fleet: Fleet) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """The heads and the rows of the summary, without columns in which no stack has anything."""
    if not fleet.members:
        return _HEADS[:1], ()
    columns = zip(_HEADS, *map(_cells, fleet.members), strict=True)
    heads, *rows = zip(*(column for column in columns if any(column[1:])), strict=True)
    return heads, rows


def _cells(member: FleetMember) -> tuple[str, ...]:
    verdict = member.verdict
    return (
        member.stack,
        member.word,
        verdict.cloud or "",
        "" if verdict.resources is None else str(len(verdict.resources)),
        str(verdict.count(Severity.ERROR)),
        str(verdict.count(Severity.WARNING)),
        _usd(verdict),
        "" if verdict.first_accelerator_s is None else minutes(verdict.first_accelerator_s),
        "" if verdict.makespan_s is None else minutes(verdict.makespan_s),
    )


def _usd(verdict: StackVerdict) -> str:
    """The cost of a month, the least where something is left out; nothing where there was no rehearsal."""
    if verdict.monthly_usd is not None:
        return f"{'at least ' if verdict.omits else ''}{verdict.monthly_usd:,.0f}"
    return "" if verdict.resources is None else "not known"


# ---------------------------------------------------------------------- for machines


def _json(fleet: Fleet) -> str:
    """A summary of all, and the whole document of each stack."""
    return text_of(
        {
            "project": fleet.project,
            "ok": fleet.status == 0,
            "summary": [_row(member) for member in fleet.members],
            "environments": [stdlib_json.loads(report) for report in _reports(fleet, "json")],
        }
    )


def _row(member: FleetMember) -> dict[str, Any]:
    verdict = member.verdict
    return {
        "environment": member.stack,
        "cloud": verdict.cloud,
        "ok": member.status == 0,
        "status": member.status,
        "resources": None if verdict.resources is None else len(verdict.resources),
        "errors": verdict.count(Severity.ERROR),
        "warnings": verdict.count(Severity.WARNING),
        "monthly_usd": None if verdict.monthly_usd is None else round(verdict.monthly_usd, 2),
        "omitted": verdict.omits or None,
        "time_to_first_accelerator_s": verdict.first_accelerator_s,
        "makespan_s": verdict.makespan_s,
    }


def sarif_log(reports: Iterable[str]) -> str:
    """One log with the runs of all, which their `automationDetails` name."""
    runs = [run for report in reports for run in stdlib_json.loads(report)["runs"]]
    return text_of({**sarif.EMPTY_LOG, "runs": runs})


def _reports(fleet: Fleet, format_: str) -> list[str]:
    """The reports of all stacks that have one."""
    return [member.reports[format_] for member in fleet.members if format_ in member.reports]


def _sarif(fleet: Fleet) -> str:
    return sarif_log(_reports(fleet, "sarif"))


def _junit(fleet: Fleet) -> str:
    """The test suites of all stacks, each named for its stack, too."""
    root = ET.Element("testsuites", {"name": f"penstock {fleet.project}"})
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for member in fleet.members:
        report = member.reports.get("junit", "<testsuites/>")
        for suite in ET.fromstring(report):  # noqa: S314 it is our own report
            suite.set("name", f"{member.stack} {suite.get('name', '')}")
            for key in counts:
                counts[key] += int(suite.get(key, 0))
            root.append(suite)
    root.attrib.update({key: str(value) for key, value in counts.items()})
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode")


def _markdown(fleet: Fleet) -> str:
    """A table of all, and the reports of those that fail folded below it, as many as a comment takes."""
    lines = list(_summary(fleet))
    room = MOST_CHARACTERS - sum(len(line) + 1 for line in lines) - len("99 more reports would not fit into a comment.")
    left_out = 0
    for member in fleet.failing:
        report = member.reports.get("markdown", "")
        section = list(folded(f"{plain(member.stack)}: {member.word}", report.splitlines()))
        size = sum(len(line) + 1 for line in section)
        if size > room:
            left_out += 1
            continue
        room -= size
        lines += section
    if left_out:
        lines.append(f"{plural(left_out, 'more report')} would not fit into a comment.")
    return "\n".join(lines).rstrip("\n")


def _summary(fleet: Fleet) -> Iterator[str]:
    yield marker(fleet.command, fleet.project)
    yield f"## Penstock: {code(fleet.project)}"
    yield ""
    yield _sentence(fleet)
    yield ""
    heads, rows = _columns(fleet)
    yield from table_lines(heads, [(code(stack), *map(plain, cells)) for stack, *cells in rows])


_FORMATS: Final[Mapping[str, Callable[[Fleet], str]]] = {
    "json": _json,
    "sarif": _sarif,
    "junit": _junit,
    "markdown": _markdown,
}

"""A preflight in a report: each precondition with its answer, as text, JSON and Markdown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.text import Text

from penstock.core.findings import Finding, Severity, Source, resource_of
from penstock.core.wording import plural
from penstock.preflight import Asked, Reply, Status
from penstock.report.assessment import Assessment, Home
from penstock.report.markdown_text import MOST_ROWS, code, marker, plain, resource, table_lines
from penstock.report.wording import harmless
from penstock.secrets.redaction import Redaction

_SIGNS: Final = {Status.MET: "✓", Status.NOT_MET: "✗", Status.NOT_ASKED: "?"}
_STYLES: Final = {Status.MET: "green", Status.NOT_MET: "bold red", Status.NOT_ASKED: "yellow"}
_WORDS: Final = {Status.MET: "met", Status.NOT_MET: "not met", Status.NOT_ASKED: "could not be asked"}
_SEVERITIES: Final = {Status.NOT_MET: Severity.ERROR, Status.NOT_ASKED: Severity.WARNING}
_FIRST: Final = (Status.NOT_MET, Status.NOT_ASKED, Status.MET)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightReport(Assessment):
    """A preflight: who asked, and an answer to each of the preconditions, in their order.

    What is not met or could not be asked is a finding, too, for formats of findings.
    """

    callers: tuple[str, ...] = ()
    replies: tuple[Reply, ...] = ()

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The preconditions with their answers."""
        return tuple(map(Asked, self.preconditions or (), self.replies))


def report_of(
    asked: tuple[Asked, ...],
    *,
    environment: str,
    cloud: str | None = None,
    callers: tuple[str, ...] = (),
    redaction: Redaction | None = None,
    home: Home | None = None,
) -> PreflightReport:
    """Return the report of answers."""
    return PreflightReport(
        environment=environment,
        cloud=cloud,
        findings=tuple(_finding(each) for each in asked if each.reply.status in _SEVERITIES),
        preconditions=tuple(each.precondition for each in asked),
        replies=tuple(each.reply for each in asked),
        callers=callers,
        redaction=redaction,
        home=home,
    )


def show(report: PreflightReport, console: Console) -> None:
    """Print who asks, and each precondition with its answer: what is not met first, with what to do."""
    for caller in report.callers:
        console.print(Text(harmless(f"Asked as {caller}.")), soft_wrap=True)
    for status in _FIRST:
        for each in report.asked:
            if each.reply.status is status:
                _show(each, console)
    console.print()
    console.print(Text(harmless(summary(report)), overflow="fold"))


def summary(report: PreflightReport) -> str:
    """Return one sentence: how many preconditions are met, are not, and could not be asked."""
    counts = Counter(reply.status for reply in report.replies)
    parts = ", ".join(f"{counts[status]} {_WORDS[status]}" for status in Status if counts[status])
    return f"{plural(len(report.replies), 'precondition')}{f': {parts}' if parts else ''}. Nothing was changed."


def render_json(report: PreflightReport) -> str:
    """Return the report as JSON."""
    document = {
        "environment": report.environment,
        "cloud": report.cloud,
        "ok": report.ok,
        "callers": report.callers,
        "preconditions": [
            {
                "what": each.precondition.what,
                "why": each.precondition.why,
                "how": each.precondition.how,
                "resource": each.precondition.resource,
                "kind": each.precondition.kind,
                "status": each.reply.status.value,
                "found": each.reply.found,
                "fix": _fix(each),
            }
            for each in report.asked
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def render_markdown(report: PreflightReport) -> str:
    """Return the report as Markdown for a pull request: a sentence, and a table with what is not met first."""
    project = report.home.project if report.home else ""
    lines = [
        marker("preflight", project, report.environment),
        f"## Preflight of {plain(report.environment)}",
        "",
        plain(summary(report)),
        "",
    ]
    ordered = sorted(report.asked, key=lambda each: _FIRST.index(each.reply.status))
    head = ("", "Precondition", "Found", "Fix", "Needed by")
    lines += table_lines(head, [_row(each) for each in ordered[: MOST_ROWS + 1] or ordered])
    return "\n".join(lines).rstrip("\n")


def _row(asked: Asked) -> tuple[str, ...]:
    precondition, reply = asked
    fix = _fix(asked)
    urn = precondition.resource
    return (
        _SIGNS[reply.status],
        plain(precondition.what),
        plain(reply.found),
        code(fix) if fix == precondition.how and fix else plain(fix),
        resource(*resource_of(urn)) if urn else "",
    )


def _show(asked: Asked, console: Console) -> None:
    status = asked.reply.status
    sign = (f"{_SIGNS[status]} ", _STYLES[status])
    console.print(Text.assemble(sign, harmless(asked.precondition.what)), soft_wrap=True)
    for line in _details(asked):
        console.print(Text(f"    {harmless(line)}"), soft_wrap=True)


def _details(asked: Asked) -> Iterator[str]:
    yield asked.reply.found
    if asked.reply.status is not Status.MET:
        yield asked.precondition.why
        yield _fix(asked)


def _fix(asked: Asked) -> str:
    """What to do; nothing where the precondition holds."""
    return "" if asked.reply.status is Status.MET else asked.reply.fix or asked.precondition.how


def _finding(asked: Asked) -> Finding:
    precondition, reply = asked
    return Finding(
        code=precondition.kind or "preflight",
        severity=_SEVERITIES[reply.status],
        source=Source.CLOUD,
        message=f"{precondition.what}: {_WORDS[reply.status]}. {reply.found}",
        hint=_fix(asked),
        urn=precondition.resource or None,
    )

"""The findings, gravest first, each with why it matters and where that is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from penstock.core.findings import Finding, Severity, Source
from penstock.report.assessment import Assessment, Home
from penstock.report.code_entries import entry_of
from penstock.report.html.naming import Called, called
from penstock.rules.sources import links

_SOURCES: Final = {
    Source.SPEC: "description",
    Source.CLOUD: "provider rule",
    Source.POLICY: "policy",
    Source.BUDGET: "budget",
    Source.PROGRAM: "program",
}


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding as the page shows it; `links` are labels with a link, which is empty where there is no public page."""

    code: str
    title: str
    severity: str
    source: str
    source_words: str
    message: str
    hint: str
    place: str
    path: str
    places: tuple[str, ...]
    resource: Called | None
    rationale: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FindingsSection:
    """All findings, and what a reader may choose among them by: severities and sources, each with its count."""

    found: tuple[ShownFinding, ...]
    severities: tuple[tuple[str, int], ...]
    sources: tuple[tuple[str, str, int], ...]


def section(assessment: Assessment) -> FindingsSection:
    """Return the findings of an assessment."""
    order = list(Severity)
    ranked = sorted(assessment.findings, key=lambda finding: order.index(finding.severity))
    severities = Counter(finding.severity for finding in ranked)
    sources = Counter(finding.source for finding in ranked)
    return FindingsSection(
        tuple(_shown(finding, assessment.home) for finding in ranked),
        tuple((each.value, severities[each]) for each in Severity if severities[each]),
        tuple((each.value, _SOURCES[each], sources[each]) for each in Source if sources[each]),
    )


def _shown(finding: Finding, home: Home | None) -> ShownFinding:
    entry = entry_of(finding)
    file = home.typed(finding.file) if finding.file and home else finding.file
    return ShownFinding(
        code=finding.code,
        title=entry.title,
        severity=finding.severity.value,
        source=finding.source.value,
        source_words=_SOURCES[finding.source],
        message=finding.message,
        hint=finding.hint,
        place=":".join(str(part) for part in (file, finding.line, finding.column) if part is not None),
        path=finding.path or "",
        places=finding.places,
        resource=called(finding.urn) if finding.urn is not None else None,
        rationale=entry.rule.rationale if entry.rule is not None else "",
        links=links(entry.rule) if entry.rule is not None else (),
    )

"""The reports for machines and pull requests, by the names of their formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.core.findings import Finding
from penstock.report import json, junit, markdown, preflight, sarif
from penstock.report.assessment import Assessment, Home

_FORMATS: Final[Mapping[str, Callable[[Assessment], str]]] = {
    "json": json.render,
    "sarif": sarif.render,
    "junit": junit.render,
    "markdown": markdown.render,
}


_OF_PREFLIGHTS: Final[Mapping[str, Callable[[preflight.PreflightReport], str]]] = {
    "json": preflight.render_json,
    "markdown": preflight.render_markdown,
}


def rendered(assessment: Assessment, format_: str) -> str:
    """Return the report of an assessment in a format."""
    if isinstance(assessment, preflight.PreflightReport) and format_ in _OF_PREFLIGHTS:
        return _OF_PREFLIGHTS[format_](assessment)
    if format_ == "html":
        from penstock.report import html  # its templates take a moment to load

        return html.render(assessment)
    return _FORMATS[format_](assessment)


def rendered_error(
    findings: tuple[Finding, ...], *, environment: str, command: str, format_: str, home: Home | None = None
) -> str:
    """Return the report of a command in a format, where an error with these findings has ended it."""
    if format_ == "json":
        return json.render_findings(findings, environment=environment)
    return rendered(Assessment(environment=environment, findings=findings, command=command, home=home), format_)

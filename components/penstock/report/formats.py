"""The reports for machines and pull requests, by the names of their formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from penstock.report import json, junit, markdown, sarif
from penstock.report.assessment import Assessment

_FORMATS: Final[Mapping[str, Callable[[Assessment], str]]] = {
    "json": json.render,
    "sarif": sarif.render,
    "junit": junit.render,
    "markdown": markdown.render,
}


def rendered(assessment: Assessment, format_: str) -> str:
    """Return the report of an assessment in a format."""
    return _FORMATS[format_](assessment)

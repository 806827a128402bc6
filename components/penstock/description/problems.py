"""Problems of a description, and how they become findings."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.core.findings import Finding, Severity, Source
from penstock.description.positions import Path, Place, written


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem at one place of the description, and its fix."""

    path: Path
    message: str
    hint: str = ""


Coded = tuple[str, Problem]
"""A problem and the stable code of the rule that it breaks."""


def finding(
    code: str,
    problem: Problem,
    file: str | None = None,
    place: Place | None = None,
    *,
    severity: Severity = Severity.ERROR,
) -> Finding:
    """The finding that a problem becomes."""
    return Finding(
        code=str(code),
        severity=severity,
        source=Source.SPEC,
        message=problem.message,
        hint=problem.hint,
        path=written(problem.path) or None,
        file=file,
        line=place.line if place is not None else None,
        column=place.column if place is not None else None,
    )

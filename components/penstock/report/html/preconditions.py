"""The preconditions, with the commands that a reader copies."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.report.assessment import Assessment
from penstock.report.html.naming import Called, called


@dataclass(frozen=True, slots=True)
class ShownPrecondition:
    """A precondition; `is_command` where `how` is one that can be run."""

    what: str
    why: str
    how: str
    is_command: bool
    resource: Called | None


def section(assessment: Assessment) -> list[ShownPrecondition]:
    """Return the preconditions of an assessment; none where the report is about something else."""
    return [
        ShownPrecondition(
            each.what,
            each.why,
            each.how,
            _is_command(each.how),
            called(each.resource) if each.resource else None,
        )
        for each in assessment.preconditions or ()
    ]


def _is_command(how: str) -> bool:
    """Return whether a text is a command, and not a sentence about one."""
    return how[:1].islower() and not how.rstrip().endswith(".")

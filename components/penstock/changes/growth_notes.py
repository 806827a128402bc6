"""Storage that grows: how long that is felt, and when it can change again."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.updates import growth_notes_of
from penstock.changes.change_finding import finding
from penstock.changes.diff import Changes
from penstock.changes.refusals import is_refused
from penstock.core.findings import Finding, Severity


def growth_notes(changes: Changes) -> Iterator[Finding]:
    """Yield a note for each storage that an update makes larger."""
    for changed in changes.updated:
        for note in growth_notes_of(changed.resource.type):
            for cause in changed.causes:
                if cause.path != note.property or is_refused(changed, cause, changes):
                    continue
                if _grows(cause.before, cause.after):
                    name = changed.resource.name
                    yield finding(
                        "DIFF-025",
                        Severity.INFO,
                        changed.resource,
                        f"{name} ({changed.resource.type}): {cause.path} {cause.before:g} → {cause.after:g}. "
                        f"{note.message}",
                        hint=note.hint,
                        path=cause.path,
                    )


def _grows(before: object, after: object) -> bool:
    return isinstance(before, int | float) and isinstance(after, int | float) and after > before

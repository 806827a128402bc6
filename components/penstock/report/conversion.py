"""The result of an import, for people: what was written, its notes, and the changes that would remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console

from penstock.changes.diff import Changed, Changes
from penstock.core.findings import Finding, kind_of
from penstock.core.wording import listed, plural
from penstock.report import terminal
from penstock.report.assessment import Assessment
from penstock.report.terminal import harmless_text
from penstock.simulate.lifecycle import Operation

_HEADINGS: Final = (
    ("IMPORT-001", "Not translated"),
    ("IMPORT-004", "Secrets, not copied"),
    ("IMPORT-002", "Assumed"),
    ("IMPORT-003", "Fill in"),
)
_MOST_NAMES: Final = 4


def show(assessment: Assessment, console: Console, *, written: str, title: str, notes: Sequence[Finding]) -> None:
    """Print what was written, the notes by kind, the changes that would remain, and the verdict."""
    console.print(harmless_text(f"Wrote {written} from: {title}", "bold"), soft_wrap=True)
    for code, heading in _HEADINGS:
        found = [each for each in notes if each.code == code]
        if found:
            console.print()
            console.print(harmless_text(f"{heading} ({len(found)})", "bold"))
            for each in sorted(found, key=lambda each: each.line or 0):
                _show_note(each, console)
    if assessment.changes is not None:
        _show_changes(assessment.changes, console, written)
    console.print()
    terminal.show_findings(assessment, console)
    console.print(harmless_text(f"Next: penstock rehearse {written}"), soft_wrap=True)


def _show_note(each: Finding, console: Console) -> None:
    place = f"{each.file}:{each.line}" if each.line is not None else each.file
    console.print(harmless_text("  " + "  ".join(part for part in (place, each.path) if part)), soft_wrap=True)
    console.print(harmless_text(f"    {' '.join(part for part in (each.message, each.hint) if part)}"), soft_wrap=True)


def _show_changes(changes: Changes, console: Console, written: str) -> None:
    """Print the counts of kept, updated, replaced, created and deleted resources, and each group but the kept ones."""
    kept = sum(each.custom and not each.external for each in changes.after) - len(changes.created)
    kept -= len(changes.updated) + len(changes.replaced)
    counts = (
        f"{kept} kept, {len(changes.updated)} updated, {len(changes.replaced)} replaced, "
        f"{len(changes.created)} created, {len(changes.deleted)} deleted"
    )
    console.print()
    console.print(harmless_text(f"Changes that would remain: {counts}", "bold"), soft_wrap=True)
    groups: tuple[tuple[Operation, Iterable[Changed]], ...] = (
        (Operation.REPLACE, changes.replaced),
        (Operation.DELETE, changes.deleted),
        (Operation.UPDATE, changes.updated),
        (Operation.CREATE, changes.created),
    )
    for operation, found in groups:
        for line in _lines(found):
            console.print(harmless_text(f"  {operation.value}  {line}"), soft_wrap=True)
    lost = changes.data_lost
    if lost:
        data = listed((f"{each.resource.name} ({each.lost})" for each in lost), _MOST_NAMES)
        console.print(harmless_text(f"Data would be lost: {data}", "bold red"), soft_wrap=True)
    if len(changes):
        console.print(
            harmless_text(f"Each cause, in the project of the stack: penstock diff {written} --state EXPORT"),
            soft_wrap=True,
        )


def _lines(found: Iterable[Changed]) -> Iterable[str]:
    """Yield one line for each type of resource."""
    names: dict[str, list[str]] = {}
    for each in found:
        names.setdefault(kind_of(each.resource.type), []).append(each.resource.name)
    counts = Counter({kind: len(each) for kind, each in names.items()})
    for kind, count in counts.most_common():
        yield f"{plural(count, kind, kind)}: {listed(names[kind], _MOST_NAMES)}"

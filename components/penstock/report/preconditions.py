"""Preconditions in a report: what must exist before the first `pulumi up`, why, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from penstock.core.findings import resource_of
from penstock.core.wording import plural
from penstock.preconditions import Precondition
from penstock.report.markdown_text import code, folded, plain, resource, table_lines


def document(preconditions: Sequence[Precondition]) -> list[dict[str, Any]]:
    """Return the preconditions as objects of JSON."""
    return [{"what": each.what, "why": each.why, "how": each.how, "resource": each.resource} for each in preconditions]


def lines(preconditions: Sequence[Precondition]) -> Iterator[str]:
    """Yield the preconditions for a terminal, and an empty line behind them; nothing where there are none."""
    if not preconditions:
        return
    yield f"Before the first `pulumi up`, {plural(len(preconditions), 'precondition')}:"
    for each in preconditions:
        yield f"  {each.what}"
        yield f"    {each.why}"
        yield f"    {each.how}"
    yield ""


def markdown(preconditions: Sequence[Precondition]) -> Iterator[str]:
    """Yield the preconditions as a section of Markdown; nothing where there are none."""
    if not preconditions:
        return
    rows = [(plain(each.what), plain(each.why), code(each.how), _resource(each)) for each in preconditions]
    yield from folded(
        f"{plural(len(preconditions), 'precondition')} of the first <code>pulumi up</code>",
        table_lines(("What must exist", "Why", "How to get it", "Needed by"), rows),
    )


def _resource(precondition: Precondition) -> str:
    return resource(*resource_of(precondition.resource)) if precondition.resource else ""

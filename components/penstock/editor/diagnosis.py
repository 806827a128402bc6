"""What is wrong with the description in a text, and where in the text findings on a saved file are by now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.description import document, parse
from penstock.description.platform import Spec


def description_of(text: str, file: str) -> tuple[Spec | None, Sequence[Finding]]:
    """Return the description in the text of a stack file, and what is wrong with it.

    A stack file without a description, of a program of any kind, has nothing wrong.
    """
    try:
        found = document.read_text(text, file)
        return (parse(found.description, found), ()) if found is not None else (None, ())
    except InvalidDescription as invalid:
        return None, invalid.findings


def moved(findings: Iterable[Finding], before: str, now: str) -> Iterator[Finding]:
    """Yield findings on a text with their lines in a later one; those on lines that have changed are left out."""
    old, new = before.split("\n"), now.split("\n")
    same_above = next(
        (index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    most = min(len(old), len(new)) - same_above
    pairs = zip(reversed(old), reversed(new), strict=False)
    same_below = min(next((index for index, (a, b) in enumerate(pairs) if a != b), most), most)
    for finding in findings:
        line = finding.line or 1
        if line <= same_above:
            yield finding
        elif line > len(old) - same_below:
            yield replace(finding, line=line + len(new) - len(old))

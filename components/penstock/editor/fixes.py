"""Edits that fix a finding, read from its hint: the word that was meant, a number that is sold, quotes, a list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from penstock.core.findings import Finding
from penstock.description.codes import Code
from penstock.editor.diagnosis import description_of
from penstock.editor.stack_text import TextSpan, span_of_key, span_of_value, text_in

_MEANT: Final = re.compile(r"Did you mean (\S+?)\?(?:\s|$)")
_ALLOWED: Final = re.compile(r"(?:^|\s)Allowed: (.+?)\.(?:\s|$)")
_IN_QUOTES: Final = re.compile(r"^Write it in quotes\b")
_AS_A_LIST: Final = re.compile(r"^Write it as a list\b")
_ASSIGNED: Final = re.compile(r"(?:Use|Write|Set|Take) (\w+)(?: to|:) (\{[^{}]*\}|[\w.-]*\w)")
_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_NUMBERS: Final = re.compile(rf"(?<![\w.-]){_NUMBER}(?![\w-]|\.\d)")
_PLAIN_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_MOST_WORDS: Final = 12


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit: a part of a line, and what replaces it; `is_likely` where the hint names it as what was meant."""

    title: str
    span: TextSpan
    text: str
    is_likely: bool = False


def fixes_for(finding: Finding, text: str, file: str) -> Iterator[Fix]:
    """Yield the edits of a stack file's text that fix a finding on its description, the likely ones first.

    Each is tried: one after which the description has the same finding is no fix, nor is a guess after which there is
    another in its place.
    """
    for fix in _candidates(finding, text):
        _, left = description_of(_edited(text, fix), file)
        there = {each.code for each in left if (each.line, each.column) == (finding.line, finding.column)}
        if finding.code not in there and (fix.is_likely or not there):
            yield fix


def _edited(text: str, fix: Fix) -> str:
    lines = text.split("\n")
    here = lines[fix.span.line]
    lines[fix.span.line] = f"{here[: fix.span.start]}{fix.text}{here[fix.span.end :]}"
    return "\n".join(lines)


def _candidates(finding: Finding, text: str) -> Iterator[Fix]:
    if finding.line is None or finding.column is None:
        return
    if finding.code == Code.UNKNOWN_FIELD:
        if meant := _MEANT.search(finding.hint):
            yield Fix(
                f"Change to {meant[1]}", span_of_key(text, finding.line, finding.column), meant[1], is_likely=True
            )
        return
    value = span_of_value(text, finding.line, finding.column)
    if value is None:
        return
    present = text_in(text, value)
    seen = {present}
    for new, is_likely in _values(finding, present):
        if new not in seen:
            seen.add(new)
            yield Fix(f"Change to {new}", value, new, is_likely=is_likely)


def _values(finding: Finding, present: str) -> Iterator[tuple[str, bool]]:
    hint = finding.hint
    if meant := _MEANT.search(hint):
        yield meant[1], True
    if _IN_QUOTES.search(hint):
        yield f'"{present}"', True
    if _AS_A_LIST.search(hint):
        yield f"[{present}]", True
    field = (finding.path or "").rpartition(".")[2].partition("[")[0]
    for name, value in _ASSIGNED.findall(hint):
        if name == field:
            yield value, True
    if _PLAIN_NUMBER.fullmatch(present):
        yield from ((number.replace(",", ""), False) for number in _NUMBERS.findall(f"{hint} {finding.message}"))
    if allowed := _ALLOWED.search(hint):
        words = allowed[1].split(", ")
        if len(words) <= _MOST_WORDS:
            yield from ((word, False) for word in words)

"""A search over the pages that ship with the package, and over codes, rules and policies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Final

from penstock.report import explanation

_PACKAGE: Final = Path(__file__).parents[1]
_WORD: Final = re.compile(r"[a-z0-9]+")
_HEADING: Final = re.compile(r"^(#{1,3}) (.+)$", re.MULTILINE)
_FENCE: Final = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_LONGEST_EXCERPT: Final = 400
_IN_TITLE: Final = 4
"""The weight of a word in a title, beside one in the text."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, or the entry of a code."""

    title: str
    section: str
    page: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that a search finds, and the part of it where the words are."""

    section: Section
    excerpt: str


def search(query: str, most: int) -> list[Hit]:
    """Return the sections that match the words of a query best."""
    words = set(_words(query))
    index = _index()
    rarity = {word: log(1 + len(index) / (1 + _frequency()[word])) for word in words}
    scored = [
        (sum(rarity[word] * counts[word] / (counts[word] + 1.5) for word in words & counts.keys()), number)
        for number, (_, counts) in enumerate(index)
    ]
    best = sorted(((score, -number) for score, number in scored if score), reverse=True)[:most]
    return [_hit(index[-number][0], words) for _, number in best]


def _hit(section: Section, words: set[str]) -> Hit:
    lines = section.text.splitlines() or [section.text]
    start = max(range(len(lines)), key=lambda number: len(words & set(_words(lines[number]))))
    text = " ".join(" ".join(lines[start:]).split())
    return Hit(section, text[:_LONGEST_EXCERPT])


@cache
def _index() -> Sequence[tuple[Section, Counter[str]]]:
    return [(each, _counts(each)) for each in (*_pages(), *_entries())]


@cache
def _frequency() -> Counter[str]:
    """In how many sections a word is."""
    return Counter(word for _, counts in _index() for word in counts)


def _counts(section: Section) -> Counter[str]:
    counts = Counter(_words(section.text))
    for word in _words(f"{section.title} {section.section}"):
        counts[word] += _IN_TITLE
    return counts


def _words(text: str) -> list[str]:
    """The words of a text in small letters, without the s of a plural."""
    return [word.removesuffix("s") if len(word) > 3 else word for word in _WORD.findall(text.lower())]  # noqa: PLR2004


def _pages() -> Iterator[Section]:
    for file in [*sorted(_folder().rglob("*.md")), *sorted(_PACKAGE.glob("addons/*/page.md"))]:
        page = str(file.relative_to(_folder() if file.is_relative_to(_folder()) else _PACKAGE))
        yield from _sections(page, file.read_text(encoding="utf-8"))


def _folder() -> Path:
    """The pages: those in the package, or in the clone that it is part of."""
    packaged = _PACKAGE / "docs"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / "docs"


def _sections(page: str, text: str) -> Iterator[Section]:
    found = [each for each in _HEADING.finditer(text) if not _is_fenced(text, each.start())]
    title = found[0][2] if found else page
    for heading, after in zip(found, [*found[1:], None], strict=True):
        body = text[heading.end() : after.start() if after is not None else len(text)].strip()
        if body:
            yield Section(title, heading[2], page, body)


def _is_fenced(text: str, position: int) -> bool:
    return any(fence.start() < position < fence.end() for fence in _FENCE.finditer(text))


def _entries() -> Iterator[Section]:
    """The entries of codes, provider rules and policies."""
    for code, title, more in explanation.sentences():
        yield Section(code, title, "explain", f"{title}\n{more}".strip())

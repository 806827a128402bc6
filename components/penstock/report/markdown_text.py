"""Markdown from texts that nobody vouches for: escaped, folded, and no longer than a reader takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from penstock.core.findings import kind_of
from penstock.core.wording import shortened
from penstock.report.wording import harmless

MOST_ROWS: Final = 40
"""Of one table or list: a reader takes no more."""

_LONGEST: Final = 400
"""Of one cell."""

_MARKS: Final = re.compile(r"([\\`*_\[\]<>|~$])")
_UNPLAIN: Final = re.compile(r"[^a-zA-Z0-9_.]+")
_CALLS: Final = re.compile(r"(?<=[@#])(?=\w)|(?<=\bGH-)(?=\d)")
"""Between the sign and the name of what GitHub would link and notify."""


class Spare(str):
    """A line that is left out where a comment has no room for it."""

    __slots__ = ()


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table of cells that are escaped already, with the count of the rows that are left out."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from few([f"| {' | '.join(row)} |" for row in rows])


def few(lines: Sequence[str]) -> Iterator[str]:
    """The first lines of many, and the count of those that are left out."""
    yield from map(Spare, lines[:MOST_ROWS])
    yield ""
    if len(lines) > MOST_ROWS:
        yield f"{len(lines) - MOST_ROWS} more are left out here."
        yield ""


def marker(command: str, project: str, environment: str = "") -> str:
    """An invisible comment, by which a pipeline finds its last report of a command on a project or a stack of it."""
    stack = environment.rpartition("/")[2].removeprefix("Pulumi.").removesuffix(".yaml")
    names = (_UNPLAIN.sub("-", each) for each in (project, stack) if each)
    return f"<!-- penstock {command}: {'/'.join(names)} -->"


def folded(summary: str, content: Iterable[str], *, is_open: bool = False) -> Iterator[str]:
    """Something that a reader opens to see, or that is open and can be closed."""
    yield f"<details{' open' if is_open else ''}><summary>{summary}</summary>"
    yield ""
    yield from content
    yield "</details>"
    yield ""


def plain(text: str) -> str:
    """A text that means nothing to Markdown: no mark, no mention, no line of its own."""
    line = harmless(" ".join(shortened(text, _LONGEST).split()))
    return _CALLS.sub("\N{ZERO WIDTH SPACE}", _MARKS.sub(r"\\\1", line.replace("&", "&amp;")))


def code(text: str) -> str:
    """A text as code, also within a table; one that no code within a table can say is plain."""
    line = harmless(" ".join(shortened(text, _LONGEST).split()))
    if "\\|" in line or not line:
        return plain(line)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}".replace("|", r"\|")


def resource(name: str, type_: str) -> str:
    """A resource by its name and the last part of its type."""
    return f"{code(name)} ({plain(kind_of(type_))})"

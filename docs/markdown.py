"""The Markdown that the reference pages consist of."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path


def page(title: str, *paragraphs: str) -> str:
    """Return a page: its title, then paragraphs, tables and headings."""
    return "\n\n".join([f"# {title}", *paragraphs]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; no cell may hold a line break or a bar."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *rows))


def link(text: str, heading: str) -> str:
    """Return a link to a heading of the same page."""
    anchor = re.sub(r"[^\w\s-]", "", heading).replace(" ", "-").lower()
    return f"[{text}](#{anchor})"


def formatted(text: str) -> str:
    """Return a page with its examples laid out as all our code is."""
    ruff = Path(sys.executable).with_name("ruff")
    command = (str(ruff), "format", "--stdin-filename", "page.md", "-")
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)  # noqa: S603 our own text
    return done.stdout

"""Refreshing a shipped table with what a vendor's file says; rows that the file does not speak of stay as they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from penstock.catalog.price_lists.merging import Row, merged
from penstock.catalog.tables import path_of, rows
from tools.generated import table

__all__ = ["Row", "main", "merged"]


def main(name: str, refreshed: Callable[[Sequence[Row], str], Sequence[Row]]) -> None:
    """Write a table anew with what the file says whose path is the command's one argument."""
    if len(sys.argv) != 2:  # noqa: PLR2004 - the command and its file
        sys.exit("usage: python -m tools.NAME FILE; tools/README.md says which file")
    shipped = rows(name)
    anew = refreshed(shipped, Path(sys.argv[1]).read_text(encoding="utf-8-sig"))
    text = table(list(shipped[0]), ([row.get(column, "") for column in shipped[0]] for row in anew))
    path_of(name).write_text(text, encoding="utf-8")
    print(f"{name}: {sum(row not in shipped for row in anew)} rows new or changed, {len(anew)} in all")

"""Generated data files: writing them, and telling how far the ones that are shipped differ."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class DataSet(NamedTuple):
    """The files of one data set.

    Attributes:
        wanted: The text of each file, as the sources have it today.
        shipped: The files that are there; those that are not wanted are left over.
    """

    wanted: Mapping[Path, str]
    shipped: Collection[Path]

    def write(self) -> None:
        """Write what is wanted and delete what is left over."""
        for file in set(self.shipped) - set(self.wanted):
            file.unlink()
        for file, text in self.wanted.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def differences(self) -> list[str]:
        """The names of files that are missing, left over, or hold another text; sorted."""
        missing, left_over = set(self.wanted) - set(self.shipped), set(self.shipped) - set(self.wanted)
        both = set(self.wanted) & set(self.shipped)
        other = {file for file in both if file.read_text(encoding="utf-8") != self.wanted[file]}
        return sorted(
            [f"missing: {file.name}" for file in missing]
            + [f"left over: {file.name}" for file in left_over]
            + [f"differs: {file.name}" for file in other]
        )


def main(data_set: Callable[[], DataSet]) -> None:
    """Write a data set, or with `--check` report how it differs, with exit status 1 where it does."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: python -m tools.NAME [--check]")
    found = data_set()
    if sys.argv[1:]:
        sys.exit("\n".join(found.differences()) or 0)
    found.write()


def table(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """The text of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()

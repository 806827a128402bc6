"""The table of properties that hold secrets, made out of what the sources of the installed SDKs mark as secret."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import penstock.secrets
from penstock.catalog.tables import path_of, rows
from tools.generated import DataSet, main, table

_TABLE, _FOLDER = "held_secrets", Path(penstock.secrets.__file__).parent / "data"
_COLUMNS = ("type", "path", "unverified", "source", "as_of")

_SDKS = {"aws": "AWS", "azure_native": "Azure Native", "gcp": "GCP", "kubernetes": "Kubernetes", "random": "Random"}
_MARK = ", outputs that the SDK marks as secret"
_MARKED = re.compile(
    r"additional_secret_outputs=(\[[^\]]*\])\).*?super\(\w+, __self__\)\.__init__\(\s*'(\w[^']*:[^']+)'", re.DOTALL
)
_LABELS = ("effectiveLabels", "pulumiLabels")
"""Marked on all of Google's types with labels, for one may be made of a secret; nearly none is."""


def marked() -> Iterator[tuple[str, str, str]]:
    """What the installed SDKs mark: types, paths, and the SDK's version as the source."""
    for package, name in _SDKS.items():
        folder = import_module(f"pulumi_{package}").__path__[0]
        source = f"Pulumi {name} {'.'.join(version(f'pulumi_{package}').split('.')[:2])}{_MARK}"
        for file in sorted(Path(folder).rglob("*.py")):
            for outputs, type_ in _MARKED.findall(file.read_text(encoding="utf-8")):
                yield from ((type_, path, source) for path in ast.literal_eval(outputs) if path not in _LABELS)


def data_set(month: str | None = None) -> DataSet:
    """The table anew: what has another source stays, and what is known already keeps its date.

    Args:
        month: The date of what is new; that of today where none is given.
    """
    as_of = month or f"{date.today():%Y-%m}"  # noqa: DTZ011 - a month is all that is kept
    known = {(row["type"], row["path"], row["source"]): row["as_of"] for row in rows(_TABLE, _FOLDER)}
    others = [row for row in rows(_TABLE, _FOLDER) if not row["source"].endswith(_MARK)]
    declared = [(type_, path, "", source, known.get((type_, path, source), as_of)) for type_, path, source in marked()]
    kept = [(row["type"], row["path"], row["unverified"], row["source"], row["as_of"]) for row in others]
    file = path_of(_TABLE, _FOLDER)
    found = sorted(declared + kept, key=lambda row: row[:2])
    return DataSet({file: table(_COLUMNS, found)}, {file})


if __name__ == "__main__":
    main(data_set)

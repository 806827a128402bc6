"""The table of properties that hold secrets, made out of what the sources of the installed SDKs mark as secret."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import penstock.policies

TABLE = Path(penstock.policies.__file__).parent / "data" / "held_secrets.csv"

_SDKS = {"aws": "AWS", "azure_native": "Azure Native", "gcp": "GCP", "kubernetes": "Kubernetes", "random": "Random"}
_MARK = ", outputs that the SDK marks as secret"
_MARKED = re.compile(
    r"additional_secret_outputs=(\[[^\]]*\])\).*?super\(\w+, __self__\)\.__init__\(\s*'(\w[^']*:[^']+)'", re.DOTALL
)
_LABELS = ("effectiveLabels", "pulumiLabels")
"""Marked on all of Google's types with labels, for one may be made of a secret; nearly none is."""


def rows() -> list[dict[str, str]]:
    """The rows of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def told_by_sdks() -> set[tuple[str, str, str]]:
    """Types, paths and sources of the rows that SDKs tell."""
    return {(row["type"], row["path"], row["source"]) for row in rows() if row["source"].endswith(_MARK)}


def marked() -> Iterator[tuple[str, str, str]]:
    """What the installed SDKs mark: types, paths, and the SDK's version as the source."""
    for package, name in _SDKS.items():
        folder = import_module(f"pulumi_{package}").__path__[0]
        source = f"Pulumi {name} {'.'.join(version(f'pulumi_{package}').split('.')[:2])}{_MARK}"
        for file in sorted(Path(folder).rglob("*.py")):
            for outputs, type_ in _MARKED.findall(file.read_text(encoding="utf-8")):
                yield from ((type_, path, source) for path in ast.literal_eval(outputs) if path not in _LABELS)


def text() -> str:
    """The table anew: what has another source stays."""
    others = [row for row in rows() if not row["source"].endswith(_MARK)]
    as_of = f"{date.today():%Y-%m}"  # noqa: DTZ011 - a month is all that is kept
    told = [{"type": type_, "path": path, "source": source, "as_of": as_of} for type_, path, source in marked()]
    written = io.StringIO()
    writer = csv.DictWriter(written, ("type", "path", "unverified", "source", "as_of"), lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted((*told, *others), key=lambda row: (row["type"], row["path"])))
    return written.getvalue()

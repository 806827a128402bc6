"""Names of resources and their kinds as people read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from penstock.catalog.tables import rows
from penstock.core.findings import kind_of, resource_of
from penstock.graph.graph import Graph

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BARE: Final = ("Instance", "Cluster", "Group", "Table", "Service", "Policy", "Volume")
"""Kinds that say little without the service that they are of."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a resource is called: its name, and its kind in words."""

    name: str
    kind: str


def called(urn: str, graph: Graph | None = None) -> Called:
    """Return what the resource of a URN is called; a Graph knows names that a URN only repeats."""
    known = graph.resources.get(urn) if graph is not None else None
    name, type_ = (known.name, known.type) if known is not None else resource_of(urn)
    return Called(name, kind_words(type_))


def kind_words(type_: str) -> str:
    """The last part of a type token in words: LustreFileSystem is a Lustre file system."""
    kind = kind_of(type_)
    words = _HUMP.split(kind)
    if kind in _BARE and type_.count(":") >= 2:  # noqa: PLR2004 package, module and kind
        words = [type_.split(":")[1].partition("/")[0], *words]
    first, *others = [word.upper() if word.lower() in _acronyms() else word for word in words]
    return " ".join([first[:1].upper() + first[1:], *(each if each.isupper() else each.lower() for each in others)])


@cache
def _acronyms() -> frozenset[str]:
    """The words that people write in capital letters: data/acronyms.csv."""
    return frozenset(row["word"] for row in rows("acronyms", Path(__file__).parent / "data"))

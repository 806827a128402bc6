"""The values that APIs allow in single fields: words, numbers, lengths and patterns, as the clouds publish them.

One file a module of the Pulumi SDK, in the folder api_limits of its cloud, so that a run reads only those of
the services it uses. A path is that of the Pulumi property, `[]` standing for each item of a list (`taints[].effect`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated

from penstock.catalog.records import Column, record
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.graph.property_path import PropertyPath
from penstock.providers import room_of


class LimitKind(StrEnum):
    """The kind of a limit: which words may be said, and how large, how long or how formed a value may be."""

    WORD = "word"
    ANY_CASE_WORD = "any-case word"
    OPEN_WORD = "open word"
    """One of some words in any case, or another that the specification does not list."""
    NUMBER = "number"
    TEXT = "text"
    LIST = "list"
    PATTERN = "pattern"


def _pattern(cell: str) -> re.Pattern[str] | None:
    return re.compile(cell, re.DOTALL) if cell else None


@dataclass(frozen=True, slots=True)
class FieldLimit:
    """The values allowed in one field.

    Attributes:
        path: The property, as `taints[].effect`.
        words: What may be said; empty for other kinds.
        minimum: The least number, or characters of a text; None without such a limit.
        maximum: The most; items for a list.
        pattern: What the whole text must match; None for other kinds.
    """

    path: Annotated[PropertyPath, Column(read=PropertyPath.parse)]
    kind: LimitKind
    words: Annotated[tuple[str, ...], Column(separator="|")]
    minimum: float | None
    maximum: float | None
    pattern: Annotated[re.Pattern[str] | None, Column(read=_pattern)]


def source(cloud: str) -> str:
    """Return where all of a cloud's limits come from."""
    return {row["cloud"]: row["source"] for row in rows("api_limit_sources")}[cloud]


@cache
def limits_of(type_: str, *kinds: LimitKind) -> tuple[FieldLimit, ...]:
    """The limits of these kinds on a resource, by its Pulumi token (`aws:eks/nodeGroup:NodeGroup`).

    A type whose API is not matched has none.
    """
    package, _, rest = type_.partition(":")
    module = rest.split(":")[0].split("/", maxsplit=1)[0]
    table = f"{room_of(package)}/api_limits/{module}"
    return tuple(record(FieldLimit, table, row) for row in _table(table).get(rest, ()) if row["kind"] in kinds)


@cache
def _table(name: str) -> dict[str, list[dict[str, str]]]:
    table: dict[str, list[dict[str, str]]] = {}
    try:
        for row in rows(name):
            table.setdefault(row["type"], []).append(row)
    except UnknownFact:
        return {}
    return table

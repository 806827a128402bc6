"""Lists within a resource whose entries are also resources of their own: each has one owner.

One table in the room of each provider. An update of the resource with the list drops the entries that it does not name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from penstock.catalog.conditions import RowCondition, condition
from penstock.catalog.records import Column, records
from penstock.core.errors import UnknownFact


@dataclass(frozen=True, slots=True)
class InlineList:
    """The `property` of a type lists what resources of the type `separate` add, which point at it by `reference`.

    `when` is true of those of them that are entries of this list, such as the ingress rules.
    """

    type: str
    property: str
    separate: str
    reference: str
    when: Annotated[RowCondition | None, Column(read=condition)]
    source: str
    as_of: str
    unverified: tuple[str, ...]


def lists_of(cloud: str, type_: str) -> tuple[InlineList, ...]:
    """Return the lists of a resource type whose entries are also resources."""
    return _by_type(cloud).get(type_, ())


@cache
def _by_type(cloud: str) -> Mapping[str, tuple[InlineList, ...]]:
    found: dict[str, tuple[InlineList, ...]] = {}
    try:
        table = records(InlineList, f"{cloud}/inline_lists")
    except UnknownFact:
        return found
    for row in table:
        found[row.type] = (*found.get(row.type, ()), row)
    return found

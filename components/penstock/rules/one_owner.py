"""Lists with one owner: entries are either in the list of a resource or resources of their own, and not a mix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from penstock.catalog.conditions import applies
from penstock.catalog.inline_lists import InlineList, lists_of
from penstock.core.wording import listed
from penstock.graph.property_path import HIDDEN, PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each
from penstock.graph.view import View

RATIONALE: Final = "Both are accepted, and the next update of the resource with the list drops what the list lacks."
FIX: Final = (
    "Move all entries out of the list into resources of their own, or all into the list; or set ignore_changes on the "
    "list."
)


def one_owner(resource: View, cloud: str) -> Verdict:
    """Judge each list of a resource that also has separate entries."""
    rows: dict[str, list[InlineList]] = {}
    for row in lists_of(cloud, resource.type):
        if _is_inline(resource, row.property) and not _is_ignored(resource, row.property):
            rows.setdefault(row.property, []).append(row)
    return each(rows.items(), lambda found: _judged(resource, *found)) if rows else NOT_APPLICABLE


def _judged(resource: View, path: str, rows: Sequence[InlineList]) -> Verdict:
    beside = [
        entry
        for row in rows
        for entry in resource.users(row.separate, row.reference)
        if applies(row.when, entry.resource.inputs)
    ]
    given = [place.value for place in resource.locations(path)]
    if beside and any(isinstance(value, HIDDEN) for value in given):
        raise NotKnown(path)
    return allow(
        not beside,
        f"{path} lists entries, and {_named(beside)} adds one outside the list: the next update of "
        f"{resource.name} drops it",
        hint=f"Move all entries out of {path}, or all into it; or set ignore_changes=[{path!r}].",
        path=path,
    )


def _named(beside: Sequence[View]) -> str:
    return listed((each.name for each in beside), 1)


def _is_inline(resource: View, path: str) -> bool:
    """Return whether the list is given; an empty one leaves the entries to others."""
    return any(place.value not in (None, "", [], {}) for place in resource.locations(path))


def _is_ignored(resource: View, path: str) -> bool:
    wanted = PropertyPath.parse(path)
    return any(PropertyPath.parse(each_).covers(wanted) for each_ in resource.resource.options.ignore_changes)

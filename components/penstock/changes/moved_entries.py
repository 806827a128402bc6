"""Entries that move between the list of a resource and resources of their own: the engine updates before it deletes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from penstock.catalog.conditions import applies
from penstock.catalog.inline_lists import InlineList, lists_of
from penstock.changes.change_finding import finding
from penstock.changes.diff import Changed, Changes
from penstock.changes.reserved_pools import known
from penstock.core.findings import Finding, Severity
from penstock.core.wording import inflect
from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.view import Site, View
from penstock.providers import provider_of


def moved_entries(changes: Changes) -> Iterator[Finding]:
    """Yield a finding for each list that takes entries from separate resources, or gives them to such."""
    for changed in changes.updated:
        provider = provider_of(changed.resource.type)
        for row in lists_of(provider.name, changed.resource.type) if provider is not None else ():
            before, after = _size(changed.before, row), _size(changed.after, row)
            if after > before and (gone := _entries(changed.before, row, changes.before, changes.deleted)):
                yield _into_the_list(changed, row, gone)
            elif after < before and (new := _entries(changed.after, row, changes.after, changes.created)):
                yield _out_of_the_list(changed, row, new)


def _size(resource: Resource | None, row: InlineList) -> int:
    value: Any = PropertyPath.parse(row.property).get(resource.inputs) if resource is not None else None
    return len(value) if isinstance(value, list) else int(bool(value))


def _entries(holder: Resource | None, row: InlineList, graph: Graph, among: Iterable[Changed]) -> list[Resource]:
    """The separate entries of a list that are deleted or created, but for those that stay in the cloud."""
    if holder is None:
        return []
    urns = {each.urn for each in among if not each.retained and not each.resource.options.retain_on_delete}
    views = known(partial(View(holder, Site(graph)).users, row.separate, row.reference)) or []
    return [view.resource for view in views if view.urn in urns and applies(row.when, view.resource.inputs)]


def _into_the_list(changed: Changed, row: InlineList, gone: list[Resource]) -> Finding:
    names = ", ".join(each.name for each in gone)
    return finding(
        "DIFF-026",
        Severity.WARNING,
        changed.resource,
        f"{changed.resource.name} ({changed.resource.type}): {row.property} gets entries, and {names} "
        f"{inflect(len(gone), 'is', 'are')} deleted after that. The deletion of an entry that moved removes it again",
        hint="First set retain_on_delete on the separate resources and apply that, then move the entries.",
        path=row.property,
    )


def _out_of_the_list(changed: Changed, row: InlineList, new: list[Resource]) -> Finding:
    names = ", ".join(each.name for each in new)
    return finding(
        "DIFF-026",
        Severity.WARNING,
        changed.resource,
        f"{changed.resource.name} ({changed.resource.type}): {row.property} loses entries, and {names} "
        f"{inflect(len(new), 'is', 'are')} created after that. An entry that moves is missing in between",
        hint=f"First set ignore_changes=[{row.property!r}], import the entries as resources, then remove them from the "
        "list.",
        path=row.property,
    )

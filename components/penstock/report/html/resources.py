"""The resources as a table, each below the component that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.report.assessment import Home
from penstock.report.figures import is_shown
from penstock.report.html.naming import kind_words

_DEEPEST: Final = 6
"""Levels that are indented: a page has no room for more."""


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """A resource or a component: its level, its name, kind and summary, and where in the program it is."""

    level: int
    component: bool
    name: str
    kind: str
    type: str
    summary: str
    place: str
    notes: tuple[str, ...]


def section(graph: Graph, home: Home | None) -> list[ResourceRow]:
    """Return the resources from the outermost components on, in the order of the program."""
    rows: list[ResourceRow] = []
    roots = [child for urn in ("", *(each.urn for each in graph.of_type(STACK_TYPE))) for child in graph.children(urn)]
    waiting = [(0, child) for child in reversed(roots) if is_shown(child)]
    while waiting:  # however deep components lie: Python's own stack ends at 1,000 levels
        level, resource = waiting.pop()
        rows.append(_row(level, resource, home))
        waiting += [(level + 1, child) for child in reversed(graph.children(resource.urn)) if is_shown(child)]
    return rows


def _row(level: int, resource: Resource, home: Home | None) -> ResourceRow:
    place = resource.place
    file = place and (home.typed(place.file) if home else place.file)
    summary = resource.outputs.get("summary") if not resource.custom else None
    notes = ((resource.options.protect, "protected"), (resource.external, "only looked up"))
    return ResourceRow(
        min(level, _DEEPEST),
        not resource.custom,
        resource.name,
        kind_words(resource.type),
        resource.type,
        summary if isinstance(summary, str) else "",
        f"{file}:{place.line}" if place else "",
        tuple(note for holds, note in notes if holds),
    )

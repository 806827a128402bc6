"""Parts of a resource that are also resources of their own: a change of one has the facts of the separate type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from penstock.catalog.updates import InlinePart, parts_of
from penstock.changes.diff import Changed
from penstock.graph.property_path import PropertyPath, Step
from penstock.simulate import lifecycle
from penstock.simulate.lifecycle import Difference

_KEY = "name"


@dataclass(frozen=True, slots=True)
class PartChange:
    """A changed property of a part: its fact, the part's inputs afterwards, and the path within the part."""

    fact: InlinePart
    inputs: Mapping[str, Any]
    path: PropertyPath
    difference: Difference


def part_changes(changed: Changed, cause: Difference) -> Iterator[PartChange]:
    """Yield what a change of one property does to parts that exist before and after it, by their names."""
    if changed.before is None or changed.after is None:
        return
    path = PropertyPath.parse(cause.path)
    for fact in parts_of(changed.resource.type):
        whole = PropertyPath.parse(fact.property)
        if not (whole.covers(path) or path.covers(whole)):
            continue
        for steps, before, after in _pairs(whole.get(changed.before.inputs), whole.get(changed.after.inputs)):
            base = PropertyPath((*whole.steps, *steps))
            for each in lifecycle.differences(fact.part, before, after):
                inner = PropertyPath.parse(each.path)
                whole_path = PropertyPath((*base.steps, *inner.steps))
                if path.covers(whole_path) or path.steps == whole.steps[: len(path.steps)]:
                    yield PartChange(fact, after, inner, replace(each, path=str(whole_path)))


def _pairs(before: Any, after: Any) -> Iterator[tuple[tuple[Step, ...], Mapping[str, Any], Mapping[str, Any]]]:
    """The parts of a list by their names, or of a single part, each with the steps to it."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield (), before, after
    if not (isinstance(before, list) and isinstance(after, list)):
        return
    named = {each.get(_KEY): each for each in before if isinstance(each, Mapping) and isinstance(each.get(_KEY), str)}
    for index, each in enumerate(after):
        if isinstance(each, Mapping) and isinstance(each.get(_KEY), str) and each[_KEY] in named:
            yield (index,), named[each[_KEY]], each

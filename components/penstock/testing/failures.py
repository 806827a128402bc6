"""Short texts of failed assertions: what was expected, and what was found, with place and fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from penstock.changes.diff import Changed
from penstock.changes.machines import MachineChange
from penstock.core.findings import Finding, kind_of
from penstock.core.wording import did_you_mean, listed, plural
from penstock.graph.graph import Graph, Resource
from penstock.simulate.lifecycle import Operation

_MOST: Final = 10
"""The items that a failure lists."""

_MOST_NAMES: Final = 5
_DONE: Final = {
    Operation.CREATE: "is created",
    Operation.UPDATE: "is updated",
    Operation.REPLACE: "is replaced",
    Operation.DELETE: "is deleted",
}
_SHOWN: Final = (Finding, Changed, MachineChange, Resource)


def unexpected(what: str, found: Sequence[object]) -> str:
    """Return that none of something was expected, and what was found."""
    return "\n".join((f"expected no {what}, found {len(found)}:", *_listing(found)))


def not_equal(left: object, right: object) -> list[str] | None:
    """Return the difference of two lists of which one has findings, changes or resources; None for anything else."""
    if not _is_shown(left, right):
        return None
    assert isinstance(left, Sequence)  # noqa: S101 as was checked
    assert isinstance(right, Sequence)  # noqa: S101
    if not right:
        return unexpected(f"{_noun(left[0])}s", left).splitlines()
    missing = [each for each in right if each not in left]
    added = [each for each in left if each not in right]
    return [
        f"found {len(left)}, expected {len(right)}",
        *(["only found:", *_listing(added)] if added else ()),
        *(["only expected:", *_listing(missing)] if missing else ()),
    ]


def not_one(graph: Graph, type_: str, name: str | None, count: int) -> str:
    """Return that there is not one resource of a type and name, and which there are."""
    names = [each.name for each in graph.of_type(type_)]
    wanted = f"one {type_}" + (f" named {name!r}" if name is not None else "")
    if count:
        return f"expected {wanted}, found {count}: {listed(names, _MOST_NAMES)}. Give a name."
    if names:
        return f"expected {wanted}, found none. {did_you_mean(name, names)} Its type has: {listed(names, _MOST_NAMES)}."
    types = sorted({each.type for each in graph if each.custom})
    return f"expected {wanted}, found none of the type. {did_you_mean(type_, types)}".strip()


def summary(resources: int, findings: Sequence[Finding]) -> str:
    """Return the counts of resources and findings, and the codes of the findings."""
    codes = listed(dict.fromkeys(each.code for each in findings), _MOST_NAMES)
    return f"{plural(resources, 'resource')}, {plural(len(findings), 'finding')}{f': {codes}' if codes else ''}"


def _is_shown(left: object, right: object) -> bool:
    both = (left, right)
    if not all(isinstance(each, list | tuple) for each in both) or type(left) is not type(right):
        return False
    items = [each for side in both if isinstance(side, Sequence) for each in side]
    return bool(items) and all(isinstance(each, _SHOWN) for each in items)


def _listing(found: Sequence[object]) -> Iterator[str]:
    for each in found[:_MOST]:
        yield from (f"  {line}" for line in _lines(each))
    if len(found) > _MOST:
        counts = Counter(_noun(each) for each in found[_MOST:])
        yield "  and " + listed(plural(count, f"more {noun}") for noun, count in counts.items())


def _noun(found: object) -> str:
    if isinstance(found, Finding):
        return "finding"
    return {Changed: "change", MachineChange: "pool"}.get(type(found), "resource")


def _lines(found: object) -> Iterator[str]:
    if isinstance(found, Finding):
        yield from f"{found.severity}  {found}".splitlines()
    elif isinstance(found, Changed):
        yield f"{_named(found.resource)} {_DONE.get(found.operation, found.operation)}"
        if found.lost:
            yield f"  Lost: {found.lost}"
        if found.causes:
            yield f"  Changed: {listed((cause.path for cause in found.causes), _MOST_NAMES)}"
        if found.refused:
            yield "  protect blocks the change."
    elif isinstance(found, MachineChange):
        yield _of_machines(found)
        if found.why:
            yield f"  Changed: {listed(found.why, _MOST_NAMES)}"
    elif isinstance(found, Resource):
        yield _named(found)


def _named(resource: Resource) -> str:
    place = resource.place
    return f"{resource.name} ({kind_of(resource.type)})" + (f" at {place.file}:{place.line}" if place else "")


def _of_machines(change: MachineChange) -> str:
    counts = (
        (change.replaced_most, "replaced"),
        (change.added, "added"),
        (change.removed_most, "removed"),
    )
    done = listed(f"{count} {what}" for count, what in counts if count)
    return f"pool {change.pool} ({change.machine_type}): {done or change.job}"

"""Changes that a cloud refuses, or ignores: what becomes smaller, older, or skips a version (`catalog.updates`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from penstock.catalog import updates
from penstock.catalog.conditions import applies
from penstock.catalog.updates import RefusalKind, UpdateRefusal
from penstock.changes.change_finding import finding
from penstock.changes.diff import Changed, Changes
from penstock.changes.inline_parts import PartChange, part_changes
from penstock.changes.pool_updates import updates_on
from penstock.changes.reserved_pools import known, machines_in
from penstock.core import versions
from penstock.core.cidr import any_range, overlaps
from penstock.core.findings import Finding, Severity
from penstock.core.quantities import parse_quantity
from penstock.graph.graph import Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.values import shown
from penstock.graph.view import Site, View
from penstock.model.pools import machine_pools
from penstock.simulate.lifecycle import Difference, Operation


class _Kind(NamedTuple):
    """The code of a kind of refusal, and its test: whether the second value is refused after the first one."""

    code: str
    refuses: Callable[[Any, Any], bool]
    operation: Operation = Operation.UPDATE
    severity: Severity = Severity.ERROR
    below: bool = False
    """Whether a change of a part of the property is one of it, too."""


def refused(changes: Changes) -> Iterator[Finding]:
    """Yield a finding for each change that a cloud refuses, by the values before and after it."""
    for changed in (*changes.updated, *changes.replaced):
        for cause in changed.causes:
            for row, before in _refusals(changed, cause, changes):
                yield _finding(changed, row, replace(cause, before=before))
            for refusal in _refused_parts(changed, cause):
                yield _finding(changed, *refusal)


def _finding(changed: Changed, row: UpdateRefusal, cause: Difference) -> Finding:
    kind = _KINDS[row.kind]
    return finding(
        kind.code,
        kind.severity,
        changed.resource,
        f"{changed.resource.name} ({changed.resource.type}): {cause.path} {shown(cause.before)} → "
        f"{shown(cause.after)}. {row.message}",
        hint=row.hint,
        path=cause.path,
    )


def is_refused(changed: Changed, cause: Difference, changes: Changes | None = None) -> bool:
    """Return whether the cloud refuses, or ignores, a change of one property; some need all `changes` for that."""
    return any(_refusals(changed, cause, changes)) or any(_refused_parts(changed, cause))


def _refused_parts(changed: Changed, cause: Difference) -> Iterator[tuple[UpdateRefusal, Difference]]:
    """The facts by which a cloud refuses a change of a part that could be a resource of its own, and the change."""
    for part in part_changes(changed, cause) if changed.operation is Operation.UPDATE else ():
        each, rows = part.difference, updates.refusals_of(part.fact.part)
        found = [row for row in rows if _refuses_part(row, part)]
        if not found and each.replaces and part.fact.message:
            found = [_as_fixed(part)]
        yield from ((row, each) for row in found[:1])


def _refuses_part(row: UpdateRefusal, part: PartChange) -> bool:
    kind, each = _KINDS[row.kind], part.difference
    if row.kind in _JOINED or kind.operation is not Operation.UPDATE:
        return False
    return (
        _is_meant(row, part.path, below=kind.below)
        and applies(row.when, part.inputs)
        and kind.refuses(*_in_order(row, each.before, each.after))
    )


def _as_fixed(part: PartChange) -> UpdateRefusal:
    fact = part.fact
    return UpdateRefusal(
        type=fact.part,
        property=".".join(part.path.keys),
        kind="fixed",
        when=None,
        order=(),
        message=fact.message,
        hint=fact.hint,
        source=fact.source,
        as_of=fact.as_of,
        unverified=fact.unverified,
    )


def _refusals(changed: Changed, cause: Difference, changes: Changes | None) -> Iterator[tuple[UpdateRefusal, Any]]:
    """The facts by which a cloud refuses a change of one property, each with the value that it has."""
    rows = updates.refusals_of(changed.resource.type)
    if not rows or changed.before is None or changed.after is None:
        return
    path = PropertyPath.parse(cause.path)
    before = _existing(changed.before, path, cause.before)
    for row in rows:
        kind = _KINDS[row.kind]
        if not _is_meant(row, path, below=kind.below) or changed.operation is not kind.operation:
            continue
        joined = _JOINED.get(row.kind)
        values = joined(changed, row, changes) if joined is not None else _in_order(row, before, cause.after)
        if applies(row.when, changed.after.inputs) and kind.refuses(*values):
            yield row, before


def _is_meant(row: UpdateRefusal, path: PropertyPath, *, below: bool) -> bool:
    keys = tuple(row.property.split("."))
    return path.keys == keys or (below and path.keys[: len(keys)] == keys)


def _in_order(row: UpdateRefusal, before: Any, after: Any) -> tuple[Any, Any]:
    """Two values, or their places in the order of a row that has one."""
    if not row.order:
        return before, after
    words = [str(value).lower() if isinstance(value, bool) else value for value in (before, after)]
    if any(word not in row.order for word in words):
        return None, None
    return row.order.index(words[0]), row.order.index(words[1])


def _zones(changed: Changed, row: UpdateRefusal, changes: Changes | None) -> tuple[Any, Any]:
    """The zones of the subnets that a property names, before and after; None for both where they are not known."""
    cloud = updates_on(changed.resource.type)
    if changes is None or cloud is None or changed.before is None or changed.after is None:
        return None, None
    was, now = View(changed.before, Site(changes.before)), View(changed.after, Site(changes.after))
    before, after = (known(partial(cloud.subnet_zones, view, row.property)) for view in (was, now))
    return (before, after) if before and after else (None, None)


def _in_use(changed: Changed, row: UpdateRefusal, changes: Changes | None) -> tuple[Any, Any]:
    """The machines that run from a reservation, and those that it will hold."""
    if changes is None or changed.before is None or changed.after is None:
        return None, None
    used = machines_in(View(changed.before, Site(changes.before)))
    return used, PropertyPath.parse(row.property).get(changed.after.inputs)


def _beside_machines(changed: Changed, row: UpdateRefusal, changes: Changes | None) -> tuple[Any, Any]:
    """Both values of a property, where the program has machines that may run; None for both without any."""
    if changes is None or changed.before is None or changed.after is None:
        return None, None
    before = Site(changes.before)
    if not any(known(partial(machine_pools, View(each, before))) for each in changes.before):
        return None, None
    path = PropertyPath.parse(row.property)
    return path.get(changed.before.inputs), path.get(changed.after.inputs)


_JOINED: Final[Mapping[RefusalKind, Callable[[Changed, UpdateRefusal, Changes | None], tuple[Any, Any]]]] = {
    "zones": _zones,
    "in use": _in_use,
    "mixed": _beside_machines,
}
"""Kinds whose two values come from other resources, too."""


def _existing(was: Resource, path: PropertyPath, given: Any) -> Any:
    """The value that the cloud has: what it reported, where it has moved by itself since, or what was given."""
    reported = path.get(was.outputs)
    return reported if reported is not None and type(reported) is type(given) else given


def _is_less(before: Any, after: Any) -> bool:
    first, second = _number(before), _number(after)
    return first is not None and second is not None and second < first


def _is_small_step(before: Any, after: Any) -> bool:
    first, second = _number(before), _number(after)
    return (
        first is not None and second is not None and first < second and second * 10 < first * 11
    )  # a tenth, which no float is


def _is_older(before: Any, after: Any) -> bool:
    if _is_another_engine(before, after):
        return False
    pairs = list(zip_longest(_version(before), _version(after)))
    for first, second in pairs:
        if first is None or second is None:
            return False  # 1.35 is any patch of it
        if first != second:
            return bool(second < first)
    return False


def _skips(before: Any, after: Any) -> bool:
    first, second = _version(before), _version(after)
    return len(first) > 1 and len(second) > 1 and first[0] == second[0] and second[1] > first[1] + 1


def _is_next_major(before: Any, after: Any, *, numbers: int = 1) -> bool:
    first, second = _version(before)[:numbers], _version(after)[:numbers]
    return bool(len(first) == len(second) == numbers and second > first)


def _is_another_engine(before: Any, after: Any) -> bool:
    """Return whether the words before two versions differ, as those of `POSTGRES_16` and `MYSQL_8_0` do."""
    words = [re.match(r"[A-Za-z]+", value) for value in (before, after) if isinstance(value, str)]
    return all(words) and len({word.group() for word in words if word is not None}) > 1


def _overlaps(before: Any, after: Any) -> bool:
    old, new = any_range(before), any_range(after)
    return old is not None and new is not None and overlaps(old, new)


def _version(value: Any) -> tuple[int, ...]:
    return versions.numbers(value) if isinstance(value, str) else ()


def _number(value: Any) -> float | None:
    """A number, or a text that holds one, as some APIs write sizes, or an amount of Kubernetes (`20Gi`)."""
    if isinstance(value, str) and (amount := parse_quantity(value)) is not None:
        return float(amount)
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _differ(before: Any, after: Any) -> bool:
    return bool(before != after)


_KINDS: Final[Mapping[RefusalKind, _Kind]] = {
    "shrink": _Kind("DIFF-010", _is_less),
    "less": _Kind("DIFF-019", _is_less),
    "small step": _Kind("DIFF-010", _is_small_step),
    "downgrade": _Kind("DIFF-011", _is_older),
    "skip": _Kind("DIFF-012", _skips),
    "major": _Kind("DIFF-013", _is_next_major),
    "second major": _Kind("DIFF-013", partial(_is_next_major, numbers=2)),
    "stop": _Kind("DIFF-013", _differ, below=True),
    "mixed": _Kind("DIFF-021", _differ, severity=Severity.WARNING),
    "overlap": _Kind("DIFF-014", _overlaps, Operation.REPLACE),
    "other engine": _Kind("DIFF-019", _is_another_engine),
    "back": _Kind("DIFF-019", _is_less),
    "zones": _Kind("DIFF-019", _differ),
    "fixed": _Kind("DIFF-019", _differ, below=True),
    "in use": _Kind("DIFF-010", _is_less),
    "ignored": _Kind("DIFF-015", _differ, severity=Severity.WARNING),
    "ignored downgrade": _Kind("DIFF-015", _is_older, severity=Severity.WARNING),
    "ignored shrink": _Kind("DIFF-015", _is_less, severity=Severity.WARNING),
}

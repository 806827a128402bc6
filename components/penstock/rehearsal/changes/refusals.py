"""Changes that a cloud refuses, or ignores: what becomes smaller, older, or skips a version (`catalog.updates`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_network
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from penstock.catalog import updates
from penstock.catalog.conditions import applies
from penstock.catalog.updates import RefusalKind, UpdateRefusal
from penstock.findings import Finding, Severity
from penstock.rehearsal.changes.change_finding import finding
from penstock.rehearsal.changes.diff import Changed, Changes
from penstock.rehearsal.lifecycle import Difference, Operation, version_numbers
from penstock.resources.graph import Resource
from penstock.resources.property_path import PropertyPath
from penstock.resources.values import shown

_TENTH: Final = 1.1
"""The least by which storage grows that grows by a tenth at least."""


class _Kind(NamedTuple):
    """The code of a kind of refusal, and its test: whether the second value is refused after the first one."""

    code: str
    refuses: Callable[[Any, Any], bool]
    operation: Operation = Operation.UPDATE
    severity: Severity = Severity.ERROR


def refused(changes: Changes) -> Iterator[Finding]:
    """Yield a finding for each change that a cloud refuses, by the values before and after it."""
    for changed in (*changes.updated, *changes.replaced):
        for cause in changed.causes:
            for row, before in _refusals(changed, cause):
                kind = _KINDS[row.kind]
                yield finding(
                    kind.code,
                    kind.severity,
                    changed.resource,
                    f"{changed.resource.name} ({changed.resource.type}): {cause.path} {shown(before)} → "
                    f"{shown(cause.after)}. {row.message}",
                    hint=row.hint,
                    path=cause.path,
                )


def is_refused(changed: Changed, cause: Difference) -> bool:
    """Return whether the cloud refuses, or ignores, a change of one property."""
    return any(_refusals(changed, cause))


def _refusals(changed: Changed, cause: Difference) -> Iterator[tuple[UpdateRefusal, Any]]:
    """The facts by which a cloud refuses a change of one property, each with the value that it has."""
    rows = updates.refusals_of(changed.resource.type)
    if not rows or changed.before is None or changed.after is None:
        return
    path = PropertyPath.parse(cause.path)
    before = _existing(changed.before, path, cause.before)
    for row in rows:
        kind = _KINDS[row.kind]
        meant = path.keys == tuple(row.property.split(".")) and changed.operation is kind.operation
        if meant and applies(row.when, changed.after.inputs) and kind.refuses(before, cause.after):
            yield row, before


def _existing(was: Resource, path: PropertyPath, given: Any) -> Any:
    """The value that the cloud has: what it reported, where it has moved by itself since, or what was given."""
    reported = path.get(was.outputs)
    return reported if reported is not None and type(reported) is type(given) else given


def _is_less(before: Any, after: Any) -> bool:
    first, second = _number(before), _number(after)
    return first is not None and second is not None and second < first


def _is_small_step(before: Any, after: Any) -> bool:
    first, second = _number(before), _number(after)
    return first is not None and second is not None and first < second < first * _TENTH


def _is_older(before: Any, after: Any) -> bool:
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


def _is_next_major(before: Any, after: Any) -> bool:
    first, second = _version(before), _version(after)
    return bool(first and second and second[0] > first[0])


def _overlaps(before: Any, after: Any) -> bool:
    try:
        old, new = ip_network(before, strict=False), ip_network(after, strict=False)
    except ValueError:
        return False
    return old.version == new.version and old.overlaps(new)


def _version(value: Any) -> tuple[int, ...]:
    return version_numbers(value) if isinstance(value, str) else ()


def _number(value: Any) -> float | None:
    """A number, or a text that holds one, as some APIs write sizes."""
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


_KINDS: Final[Mapping[RefusalKind, _Kind]] = {
    "shrink": _Kind("DIFF-010", _is_less),
    "small step": _Kind("DIFF-010", _is_small_step),
    "downgrade": _Kind("DIFF-011", _is_older),
    "skip": _Kind("DIFF-012", _skips),
    "major": _Kind("DIFF-013", _is_next_major),
    "stop": _Kind("DIFF-013", lambda before, after: before != after),
    "overlap": _Kind("DIFF-014", _overlaps, Operation.REPLACE),
    "ignored": _Kind("DIFF-015", lambda before, after: before != after, severity=Severity.WARNING),
    "ignored downgrade": _Kind("DIFF-015", _is_older, severity=Severity.WARNING),
}

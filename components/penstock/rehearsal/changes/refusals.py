"""Changes that a cloud refuses, or ignores: what becomes smaller, older, or skips a version (`catalog.updates`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_network
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from penstock.catalog import updates
from penstock.catalog.updates import Condition, RefusalKind, UpdateRefusal
from penstock.findings import Finding, Severity
from penstock.rehearsal.changes.change_finding import finding
from penstock.rehearsal.changes.diff import Changed, Changes
from penstock.rehearsal.lifecycle import Operation
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
        for row in updates.refusals_of(changed.resource.type):
            kind = _KINDS[row.kind]
            if changed.operation is kind.operation and changed.after is not None:
                yield from _judged(changed, row, kind, changed.after.inputs)


def _judged(changed: Changed, row: UpdateRefusal, kind: _Kind, inputs: Mapping[str, Any]) -> Iterator[Finding]:
    if not Condition.parse(row.when).holds(inputs):
        return
    for cause in changed.causes:
        path = PropertyPath.parse(cause.path)
        if path.keys != tuple(row.property.split(".")):
            continue
        before = _existing(changed, path, cause.before)
        if before is not None and cause.after is not None and kind.refuses(before, cause.after):
            yield finding(
                kind.code,
                kind.severity,
                changed.resource,
                f"{changed.resource.name} ({changed.resource.type}): {cause.path} {shown(before)} → "
                f"{shown(cause.after)}. {row.message}",
                hint=row.hint,
                path=cause.path,
            )


def _existing(changed: Changed, path: PropertyPath, given: Any) -> Any:
    """The value that the cloud has: what it reported, where it has moved by itself since, or what was given."""
    assert changed.before is not None  # noqa: S101 it is updated
    reported = path.get(changed.before.outputs)
    return reported if reported is not None and type(reported) is type(given) else given


def _is_less(before: Any, after: Any) -> bool:
    return _is_number(before) and _is_number(after) and after < before


def _is_small_step(before: Any, after: Any) -> bool:
    return _is_number(before) and _is_number(after) and before < after < before * _TENTH


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
    """The numbers of a version: of `1.35.1-gke.100`, `POSTGRES_16` and `16.4`."""
    return tuple(map(int, re.findall(r"\d+", value))) if isinstance(value, str) else ()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_KINDS: Final[Mapping[RefusalKind, _Kind]] = {
    "shrink": _Kind("DIFF-010", _is_less),
    "small step": _Kind("DIFF-010", _is_small_step),
    "downgrade": _Kind("DIFF-011", _is_older),
    "skip": _Kind("DIFF-012", _skips),
    "major": _Kind("DIFF-013", _is_next_major),
    "stop": _Kind("DIFF-013", lambda before, after: before != after),
    "overlap": _Kind("DIFF-014", _overlaps, Operation.REPLACE),
    "ignored downgrade": _Kind("DIFF-015", _is_older, severity=Severity.WARNING),
}

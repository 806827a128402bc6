"""The engine's next operation on one resource: compares its former inputs with those now."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from penstock.catalog import replacements
from penstock.catalog.replacements import Replacements
from penstock.core import versions
from penstock.core.cidr import any_range, is_inside
from penstock.graph.property_path import PropertyPath, Step
from penstock.graph.values import SEALED, UNKNOWN, Asset, Secret
from penstock.providers import plugin_of
from penstock.simulate import sdk_types

_LENIENT_BESIDES: Final = ("random",)
"""Lenient packages (`PluginTraits.lenient`) that have no record."""

_LINK: Final = re.compile(r"https://(www\.googleapis\.com/compute|compute\.googleapis\.com/compute)/(v1|beta)/")
"""The beginning of a path to a resource in a link to it (Compute Engine API, selfLink)."""


class Operation(StrEnum):
    """An operation of the engine on a resource."""

    SAME = "same"
    CREATE = "create"
    UPDATE = "update"
    REPLACE = "replace"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Difference:
    """One input that changed: its path, and both values, None where there is none.

    `replaces` means that it forces a replacement; `because` is the URN of the resource whose own replacement or change
    causes it, empty where the program asks for another value itself.
    """

    path: str
    before: Any
    after: Any
    replaces: bool = False
    because: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """The operation on a resource, and the property paths that force a replacement or change in place.

    `known` is False where it is not known which properties of the type force a replacement.
    """

    operation: Operation
    replaces: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    known: bool = True


def change(
    type_: str,
    old_inputs: Mapping[str, Any],
    new_inputs: Mapping[str, Any],
    *,
    ignore_changes: Sequence[str] = (),
    replace_on_changes: Sequence[str] = (),
) -> Change:
    """Return what the engine does to a resource of this type; options are property paths, as a program gives them."""
    found = differences(
        type_, old_inputs, new_inputs, ignore_changes=ignore_changes, replace_on_changes=replace_on_changes
    )
    return following(type_, found)


def following(type_: str, found: Sequence[Difference]) -> Change:
    """Return what follows for a resource from the differences of its inputs."""
    if not found:
        return Change(Operation.SAME)
    replaces = tuple(each.path for each in found if each.replaces)
    return Change(
        Operation.REPLACE if replaces else Operation.UPDATE,
        replaces,
        tuple(each.path for each in found if not each.replaces),
        known=replacements.replacements_of(type_).known,
    )


def differences(
    type_: str,
    old_inputs: Mapping[str, Any],
    new_inputs: Mapping[str, Any],
    *,
    ignore_changes: Sequence[str] = (),
    replace_on_changes: Sequence[str] = (),
) -> tuple[Difference, ...]:
    """The inputs that changed, each as deep as it is known.

    Secrets are compared by their values and stay secrets in what is returned, where one of both is not a secret too. A
    value that is not known yet counts as changed, unless it was not known before either. What is null is absent, and
    so is what only the provider can have added.
    """
    facts = replacements.replacements_of(type_).given(new_inputs)
    plugin = plugin_of(type_)
    lenient = plugin.lenient or type_.partition(":")[0] in _LENIENT_BESIDES
    comparison = _Comparison(facts, lenient=lenient, linked=plugin.links)
    old_inputs = _asked_for(type_, old_inputs, new_inputs)
    if ignore_changes:
        new_inputs = kept(old_inputs, new_inputs, ignore_changes)
    forcing = [PropertyPath.parse(path) for path in replace_on_changes]
    return tuple(
        Difference(
            str(path),
            *_both_hidden(before, after),
            replaces=forces(facts, path, before, after) or any(_touches(each, path, before, after) for each in forcing),
        )
        for path, before, after in comparison.of(old_inputs, new_inputs, ())
    )


def forces(facts: Replacements, path: PropertyPath, before: Any, after: Any) -> bool:
    """Return whether a change at this path makes another resource."""
    if any(_touches_keys(PropertyPath.parse(each).keys, path.keys, before, after) for each in facts.properties):
        return True
    signed: list[str] = []
    if _is_less(after, before):
        signed += facts.shrinking
    if not _open(after) and before is not None:
        signed += facts.removed
    if not _open(before) and after is not None:
        signed += facts.first
    return any(PropertyPath.parse(each).keys == path.keys for each in signed)


def kept(old: Any, new: Any, ignored: Sequence[str]) -> Any:
    """The new inputs with those that are ignored as they were."""
    return _kept(old, new, [PropertyPath.parse(path) for path in ignored])


def _kept(old: Any, new: Any, ignored: Sequence[PropertyPath]) -> Any:
    if any(not path.steps for path in ignored):
        return old
    if isinstance(new, Mapping) or (new is None and isinstance(old, Mapping)):
        before, after = old if isinstance(old, Mapping) else {}, new or {}
        result = {key: _kept(before.get(key), after.get(key), _below(ignored, key)) for key in {**after, **before}}
        remaining = {key: value for key, value in result.items() if value is not None}
        wholly_ignored = new is None or (old is None and new)
        return remaining or (None if wholly_ignored else remaining)
    if isinstance(new, list) and isinstance(old, list) and len(old) == len(new):
        return [_kept(*pair, _below(ignored, index)) for index, pair in enumerate(zip(old, new, strict=True))]
    return new


def _below(patterns: Sequence[PropertyPath], step: Step) -> list[PropertyPath]:
    return [rest for pattern in patterns if (rest := pattern.after(step)) is not None]


def _touches(pattern: PropertyPath, path: PropertyPath, before: Any, after: Any) -> bool:
    """True if a change at a path is one of what the pattern means: at it, below it, or of a whole that has it."""
    if pattern.covers(path):
        return True
    above, rest = PropertyPath(pattern.steps[: len(path.steps)]), PropertyPath(pattern.steps[len(path.steps) :])
    return bool(rest.steps) and above.covers(path) and (_is_in(before, rest) or _is_in(after, rest))


def _is_in(whole: Any, path: PropertyPath) -> bool:
    return any(place.value not in (None, UNKNOWN) for place in path.locations(_opened(whole)))


def _touches_keys(pattern: tuple[str, ...], keys: tuple[str, ...], before: Any, after: Any) -> bool:
    """The same of a path in a table, which leaves out where a list is."""
    rest = pattern[len(keys) :]
    if not rest:
        return keys[: len(pattern)] == pattern
    return pattern[: len(keys)] == keys and (_has_keys(before, rest) or _has_keys(after, rest))


def _asked_for(type_: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
    """The old inputs without those that no program can give: providers keep notes of their own among them."""
    declared = sdk_types.input_types(type_)
    return {
        key: value
        for key, value in old.items()
        if key in new or not (key.startswith("__") or (declared is not None and key not in declared))
    }


def _both_hidden(before: Any, after: Any) -> tuple[Any, Any]:
    """Both values; what has been a secret, or becomes one, is shown on neither side."""
    if not (isinstance(before, Secret) or isinstance(after, Secret)):
        return before, after
    return _hidden(after, before), _hidden(before, after)


def _has_keys(whole: Any, keys: tuple[str, ...]) -> bool:
    value = _open(whole)
    if not keys:
        return value is not None
    if isinstance(value, list):
        return any(_has_keys(item, keys) for item in value)
    return isinstance(value, Mapping) and _has_keys(value.get(keys[0]), keys[1:])


def _is_less(after: Any, before: Any) -> bool:
    if isinstance(after, str) and isinstance(before, str) and "/" in after and "/" in before:
        return not _holds(after, before)
    if isinstance(after, str) and isinstance(before, str):
        return versions.numbers(after) < versions.numbers(before)
    if isinstance(after, list) and isinstance(before, list):
        return len(after) <= len(before)
    return isinstance(after, int | float) and isinstance(before, int | float) and after < before


def _holds(range_: str, other: str) -> bool:
    """Return whether a range of addresses has all of another; True for what is no range."""
    outer, inner = any_range(range_), any_range(other)
    return outer is None or inner is None or is_inside(inner, [outer])


@dataclass(frozen=True, slots=True)
class _Comparison:
    facts: Replacements
    lenient: bool
    linked: bool

    def of(self, old: Any, new: Any, steps: tuple[Step, ...]) -> Iterator[tuple[PropertyPath, Any, Any]]:
        before, after = _open(old), _open(new)
        if before is after or SEALED in (before, after):
            return
        if isinstance(before, Asset) and isinstance(after, Asset):
            before, after = _by_content(before, after)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            for key in sorted({**before, **after}):
                below = _hidden(old, before.get(key)), _hidden(new, after.get(key))
                yield from self.of(*below, (*steps, key))
        elif isinstance(before, list) and isinstance(after, list):
            if ".".join(PropertyPath(steps).keys) in self.facts.sets:
                if Counter(map(self._canonical, before)) != Counter(map(self._canonical, after)):
                    yield PropertyPath(steps), old, new
                return
            for index in range(max(len(before), len(after))):
                below = _hidden(old, _at(before, index)), _hidden(new, _at(after, index))
                yield from self.of(*below, (*steps, index))
        elif not self._same(before, after):
            yield PropertyPath(steps), old, new

    def _same(self, before: Any, after: Any) -> bool:
        if self.lenient and (_read(before) == _read(after) or _say_the_same(before, after)):
            return True
        if self.linked and _point_at_the_same(before, after):
            return True
        return before == after and isinstance(before, bool) is isinstance(after, bool)

    def _canonical(self, value: Any) -> str:
        return json.dumps(_all_read(value) if self.lenient else value, sort_keys=True, default=_as_json)


def _open(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else value


def _opened(value: Any) -> Any:
    """A value without the marks of secrets anywhere in it."""
    if isinstance(value, Mapping):
        return {key: _opened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_opened(item) for item in value]
    return _opened(value.value) if isinstance(value, Secret) else value


def _hidden(whole: Any, part: Any) -> Any:
    """A part of a secret is a secret too."""
    return Secret(part) if isinstance(whole, Secret) and part is not None and not isinstance(part, Secret) else part


def _at(items: list[Any], index: int) -> Any:
    return items[index] if index < len(items) else None


def _read(value: Any) -> Any:
    """A flag, a number or a text as the text that a lenient provider takes for any of them; no tags as none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value) if isinstance(value, float) and not value.is_integer() else str(int(value))
    return None if value == {} else value


def _all_read(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _all_read(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_all_read(item) for item in value]
    return _read(value.value if isinstance(value, Secret) else value)


def _by_content(before: Asset, after: Asset) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Two assets as the engine compares them: by the hash of what they hold, where that is known of both."""
    hashed = "hash" in before and "hash" in after
    first, second = ({key: each[key] for key in each if (key == "hash") is hashed} for each in (before, after))
    return first, second


def _as_json(value: Any) -> Any:
    if isinstance(value, Secret):
        return value.value
    return {"": "unknown"} if value is UNKNOWN else str(value)


def _point_at_the_same(before: Any, after: Any) -> bool:
    """True if a link, a path (`projects/p/global/networks/n`) and a name are the same resource, as Google's are."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return False
    first, second = _LINK.sub("", before), _LINK.sub("", after)
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    named = "/" not in shorter and longer.startswith("projects/") and longer.endswith(f"/{shorter}")
    return bool(shorter) and (longer == shorter or named)


def _say_the_same(before: Any, after: Any) -> bool:
    if not (isinstance(before, str) and isinstance(after, str)):
        return False
    if not (before.lstrip().startswith(("{", "[")) and after.lstrip().startswith(("{", "["))):
        return False
    try:
        return bool(json.loads(before) == json.loads(after))
    except ValueError:
        return False

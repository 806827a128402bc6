"""Holds a description against its models, and finds the part of it that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from pydantic import ValidationError

from penstock.core.wording import is_suggestion
from penstock.description.codes import Code
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.positions import Path, no_value
from penstock.description.problems import Coded, Problem
from penstock.description.storage import StorageSpec
from penstock.providers import built_clouds

_ADDONS = ("addons",)
_AN_ADDON = 2
"""The steps to the block of an add-on."""

LISTS = ("node_pools", "storage")
"""Blocks whose items are judged one by one: a broken item does not keep the others from the rules."""

_VARIABLE: Final = re.compile(r"\$(\{\w+\}|[A-Z_][A-Z0-9_]*)")
"""A value that a shell would expand, such as `${AWS_REGION}`."""

_STAND_INS: Mapping[str, Any] = {"environment": "dev", "cloud": {"provider": built_clouds()[0]}}
"""For required blocks that are broken; no rule that reads a broken block runs, so they are never judged."""


@dataclass(frozen=True, slots=True)
class Sound:
    """The part of a description that fits the models.

    Attributes:
        spec: The description without what is broken in it.
        broken: The top-level fields with something broken in them.
        kept: For a block of `LISTS` with a broken item, where the remaining ones stand in the file.
        in_part: The blocks of add-ons without what is broken in them: they are there, and nothing more is said of them.
    """

    spec: Spec
    broken: frozenset[str] = frozenset()
    kept: Mapping[str, Sequence[int]] = field(default_factory=dict)
    in_part: frozenset[Path] = frozenset()

    def node_pools(self) -> Iterator[tuple[int, NodePoolSpec]]:
        """The pools that fit, each with its index in the file."""
        return zip(self.kept.get("node_pools", count()), self.spec.node_pools, strict=False)

    def storage(self) -> Iterator[tuple[int, StorageSpec]]:
        """The storage that fits, each with its index in the file."""
        return zip(self.kept.get("storage", count()), self.spec.storage, strict=False)


def fit(data: Any) -> tuple[Sound | None, list[Coded]]:
    """Return the part of plain data that fits the models (None: nothing), and a problem for each other part."""
    problems: list[Coded] = [
        (Code.WRONG_KIND, Problem(path, no_value(path))) for path, each in _values(data) if each is None
    ]
    problems += [
        (
            Code.WRONG_FORM,
            Problem(path, f"{each} is not expanded.", "Write the value itself: a stack file has no variables."),
        )
        for path, each in _values(data)
        if isinstance(each, str) and _VARIABLE.fullmatch(each)
    ]
    try:
        sound = Sound(Spec.model_validate(data))
        if not problems:
            return sound, []
    except ValidationError as error:
        from penstock.description import type_mismatches  # only a mistake needs it

        found = type_mismatches.problems(error, data)
        reported = {problem.path for _, problem in found}
        problems = [*found, *((code, problem) for code, problem in problems if problem.path not in reported)]
    return _fitting(data, problems), problems


def _fitting(data: Any, problems: Sequence[Coded]) -> Sound | None:
    """What fits without the fields that nobody knows and those in add-ons, or else without all that has one.

    A field that is another one misspelt says what is not known: whatever has it is not judged. An add-on is left out
    with all others, as one may need another.
    """
    paths = [problem.path for _, problem in problems]
    unknown = [each for code, each in problems if code == Code.UNKNOWN_FIELD]
    misspelt = {each.path[:1] for each in unknown if is_suggestion(each.hint)}
    strays = {each.path for each in unknown if not is_suggestion(each.hint)}
    inside = {path for path in paths if path[:1] == _ADDONS} - strays
    if _ADDONS in misspelt or any(len(path) <= _AN_ADDON for path in inside):
        inside = set()
    for depth in range(max(map(len, inside), default=0), _AN_ADDON, -1):
        left_out = strays | {path[:depth] for path in inside}
        fitting = _without([path for path in paths if path not in strays | inside], _pruned(data, left_out, ()))
        if fitting is not None:
            return replace(fitting, in_part=frozenset(path[:_AN_ADDON] for path in inside))
    fitting = _without([path for path in paths if path not in strays], _pruned(data, strays, ()))
    return fitting if fitting is not None else _without(paths, data)


def _pruned(value: Any, strays: set[Path], path: Path) -> Any:
    if isinstance(value, Mapping):
        kept = ((key, item) for key, item in value.items() if (*path, key) not in strays)
        return {key: _pruned(item, strays, (*path, key)) for key, item in kept}
    if isinstance(value, list | tuple):
        return [_pruned(item, strays, (*path, index)) for index, item in enumerate(value)]
    return value


def _values(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value below a block or list, the blocks and lists themselves too, each with its path."""
    if path:
        yield path, value
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        yield from _values(item, (*path, key))


def _without(paths: Sequence[Path], data: Any) -> Sound | None:
    if not isinstance(data, dict):
        return None
    items = {path[:2] for path in paths if len(path) > 1 and path[0] in LISTS}
    blocks = {path[0] for path in paths if path[:2] not in items}
    kept = {
        block: [index for index in range(len(data[block])) if (block, index) not in items]
        for block in LISTS
        if isinstance(data.get(block), list)
    }
    rest = {key: value for key, value in data.items() if key not in blocks}
    for block in kept.keys() & rest.keys():
        rest[block] = [data[block][index] for index in kept[block]]
    try:
        spec = Spec.model_validate({**_STAND_INS, **rest})
    except ValidationError:
        return None
    return Sound(spec, frozenset(str(path[0]) for path in paths if path), kept)

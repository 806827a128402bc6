"""Paths to properties: one grammar for checks, tables, options of resources and findings.

A path is a row of steps: keys of objects with dots between (`scalingConfig.minSize`), an index of a list
(`subnetIds[0]`), each item of a list (`rules[].port`), or everything an object or a list holds (`replicaSpecs.*`, as
Pulumi's options have it also `rules[*]`). A key that has dots or brackets itself is in quotes: `tags["a.b"]`, or
`limits."nvidia.com/gpu"`.

A path enters a list only where it says so: a key finds nothing in a list. `[]` takes a value that is not a list as
the only item, for SDKs differ on what may be there several times. What is not known, or secret, represents all that is
below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from penstock.graph.values import MAPPING, PLAIN, PartlyHidden, Secret, Unknown


class Every(Enum):
    """A step to several values at once."""

    ITEM = "[]"
    PART = "*"


Step = str | int | Every
"""A key of an object, an index of a list, or each value that is here."""

_Steps = tuple[tuple[Step, str], ...]
"""Steps, each with how it is written behind others."""

_STEP: Final = re.compile(
    r'\[(?:"(?P<bracketed>(?:[^"\\]|\\.)*)"|(?P<index>\d+)|(?P<any>\*)|)\]|"(?P<quoted>[^"]+)"|(?P<key>[^.\[\]"]+)'
)
_PLAIN: Final = re.compile(r"[^.\[\]\"]+")
HIDDEN: Final = (Unknown, Secret, PartlyHidden)
_LIST: Final = (list, tuple)
"""Kinds of values; a union written where it is asked for would be created anew each time."""


class Location(NamedTuple):
    """A place among the inputs of a resource, by its whole path, and what is there: None where nothing does."""

    path: str
    value: Any


@dataclass(frozen=True, slots=True)
class PropertyPath:
    """A path to a property, or to all those of a pattern."""

    steps: tuple[Step, ...]

    @classmethod
    def parse(cls, text: str) -> PropertyPath:
        """Read a path; text that is not of the grammar is read as far as it is."""
        return _parsed(text)

    def __str__(self) -> str:
        text = ""
        for step in self.steps:
            text += _written(step) if text else _written(step).removeprefix(".")
        return text

    @property
    def top(self) -> str:
        """The property of the resource that it leads into; empty where it begins with no key."""
        return step if self.steps and isinstance(step := self.steps[0], str) else ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys, without the steps into lists: as tables of the clouds' schemas write paths."""
        return tuple(step for step in self.steps if isinstance(step, str))

    def covers(self, other: PropertyPath) -> bool:
        """Return whether another path is at or below this pattern."""
        return len(self.steps) <= len(other.steps) and all(
            _meets(wanted, step) for wanted, step in zip(self.steps, other.steps, strict=False)
        )

    def after(self, step: Step) -> PropertyPath | None:
        """The rest of the pattern below a first step; None where it leads elsewhere, or ends here."""
        return PropertyPath(self.steps[1:]) if self.steps and _meets(self.steps[0], step) else None

    def locations(self, value: Any, base: str = "") -> list[Location]:
        """Each value at the path, with its whole path below a base; one that is not given is None."""
        return _found(value, _with_texts(self.steps), base)

    def get(self, value: Any) -> Any:
        """The first value at the path; None where there is none."""
        here = value
        for step in self.steps:
            if isinstance(here, HIDDEN):
                return here
            if type(step) is str:
                here = here.get(step) if isinstance(here, MAPPING) else None
            elif type(step) is int:
                here = here[step] if isinstance(here, _LIST) and step < len(here) else None
            else:  # several values may be there
                return next((found.value for found in self.locations(value)), None)
        return here

    def put(self, value: Mapping[str, Any], new: Any) -> Mapping[str, Any]:
        """A copy of an object that has a new value at the path, whose steps are keys.

        Objects on the way are created where they are missing. Where something else is on the way, or it is not known
        what does, the object itself is returned.
        """
        key, rest = self.steps[0], PropertyPath(self.steps[1:])
        assert isinstance(key, str)  # noqa: S101 - a value is put at one place
        if not rest.steps:
            return {**value, key: new}
        present = value.get(key)
        inner = {} if present is None else present
        below = rest.put(inner, new) if isinstance(inner, Mapping) else inner
        return value if below is inner else {**value, key: below}


def locations(value: Any, path: str, base: str = "") -> list[Location]:
    """Each value at a path that is given as text; the texts of a program's rules are read once."""
    return _found(value, _with_texts(_parsed(path).steps), base)


def leaves(value: Any, steps: tuple[Step, ...] = ()) -> list[tuple[PropertyPath, Any]]:
    """Every value that is neither an object nor a list, with its path; those that are not given are left out."""
    found: list[tuple[PropertyPath, Any]] = []
    _add_leaves(value, steps, found)
    return found


def _add_leaves(value: Any, steps: tuple[Step, ...], found: list[tuple[PropertyPath, Any]]) -> None:
    if value is None:
        return
    if isinstance(value, PLAIN):
        found.append((PropertyPath(steps), value))
    elif isinstance(value, MAPPING):
        for key, item in value.items():
            _add_leaves(item, (*steps, key), found)
    elif isinstance(value, _LIST):
        for index, item in enumerate(value):
            _add_leaves(item, (*steps, index), found)
    else:
        found.append((PropertyPath(steps), value))


def _found(value: Any, steps: _Steps, base: str) -> list[Location]:
    found: list[Location] = []
    _gather(value, steps, 0, base, found)
    return found


@lru_cache(maxsize=4096)
def _with_texts(steps: tuple[Step, ...]) -> _Steps:
    return tuple((step, _written(step)) for step in steps)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> PropertyPath:
    return PropertyPath(tuple(map(_step, _STEP.finditer(text))))


def _step(found: re.Match[str]) -> Step:
    if found["index"] is not None:
        return int(found["index"])
    if found["bracketed"] is not None:
        return re.sub(r"\\(.)", r"\1", found["bracketed"], flags=re.DOTALL)
    if found["any"] or found["key"] == Every.PART.value:
        return Every.PART
    return found["quoted"] or found["key"] or Every.ITEM


def _written(step: Step) -> str:
    """A step as it is behind others."""
    match step:
        case int():
            return f"[{step}]"
        case Every.ITEM:
            return "[]"
        case Every.PART:
            return ".*"
        case str() if _PLAIN.fullmatch(step) and step != Every.PART.value:
            return f".{step}"
        case str():
            quoted = re.sub(r'(["\\])', r"\\\1", step)
            return f'["{quoted}"]'


def _meets(wanted: Step, step: Step) -> bool:
    return wanted in (step, Every.PART) or (wanted is Every.ITEM and isinstance(step, int))


def _gather(value: Any, steps: _Steps, done: int, path: str, found: list[Location]) -> None:
    """Add what is below a value: rules ask for thousands of places, most of which are behind keys only."""
    for step, written in steps[done:]:
        if isinstance(value, HIDDEN):
            break
        if type(step) is not str:
            _gather_several(value, steps, done, path, found)
            return
        value = value.get(step) if isinstance(value, MAPPING) else None
        path = path + written if path else written.removeprefix(".")
        done += 1
    found.append(Location(path, value))


def _gather_several(value: Any, steps: _Steps, done: int, path: str, found: list[Location]) -> None:
    """Add what is below the values at a step that is not a key."""
    step, done = steps[done][0], done + 1
    if isinstance(value, _LIST):
        for index, item in enumerate(value):
            if step in (index, Every.ITEM, Every.PART):
                _gather(item, steps, done, f"{path}[{index}]", found)
    elif step is Every.PART and isinstance(value, MAPPING):
        for key, item in value.items():
            below = _written(key) if path else _written(key).removeprefix(".")
            _gather(item, steps, done, path + below, found)
    elif step is Every.ITEM and value is not None:
        _gather(value, steps, done, path, found)

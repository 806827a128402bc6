"""The names of properties that an SDK declares for a type at any depth, and those that a text mentions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pulumi._types import input_type_types, is_input_type

from penstock.simulate import sdk_types

_PATH = re.compile(r"(?<![\w./:@>'-])[a-z]\w*(?:\[\])?(?:\.[a-z]\w*(?:\[\])?)*(?![\w/:-])")
_TYPE = re.compile(r"\b[A-Z]\w+\b")


def words_in(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of a text as the steps of property paths; `encryptAtRest.enabled` has two."""
    for word in _PATH.findall(text):
        yield tuple(word.replace("[]", "").split("."))


def paths_in(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the property paths of a text: the words with a capital inside."""
    return (steps for steps in words_in(text) if any(re.search("[A-Z]", step) for step in steps))


def types_in(text: str, package: str) -> Iterator[str]:
    """Yield the tokens of the types of a package that a text names by their class, such as `BucketVersioning`."""
    for name in _TYPE.findall(text):
        yield from _tokens(package)[name]


def declares(type_: str, path: tuple[str, ...]) -> bool:
    """Return whether a type has a path at any depth."""
    names, steps = _declared(type_)
    return path[0] in names and all(step in steps for step in pairwise(path))


@cache
def _declared(type_: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The names of a type at any depth, and each name with those below it."""
    names: set[str] = set()
    steps: set[tuple[str, str]] = set()
    todo: list[tuple[str, Mapping[str, Any]]] = [("", sdk_types.input_types(type_) or {})]
    seen: set[tuple[str, type]] = set()
    while todo:
        above, declared = todo.pop()
        for name, hint in declared.items():
            names.add(name)
            steps.add((above, name))
            below = {(name, cls) for cls in _objects(hint)} - seen
            seen |= below
            todo += ((name, input_type_types(cls)) for _, cls in below)
    return frozenset(names), frozenset(steps)


def _objects(hint: Any) -> Iterator[type]:
    """Yield the classes of objects in a type hint, those of lists and maps too."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        for choice in get_args(hint):
            yield from _objects(choice)
    elif isinstance(origin, type) and issubclass(origin, Mapping | Sequence):
        yield from _objects(get_args(hint)[-1])
    elif isinstance(hint, type) and is_input_type(hint):
        yield hint


@cache
def _tokens(package: str) -> Mapping[str, list[str]]:
    """The tokens of a package by the names of their classes."""
    spec = find_spec(f"pulumi_{package.replace('-', '_')}")
    assert spec is not None
    assert spec.origin is not None
    found: dict[str, list[str]] = defaultdict(list)
    for token, name in re.findall(rf'"({package}:[\w/]+:\w+)": "(\w+)"', Path(spec.origin).read_text(encoding="utf-8")):
        found[name].append(token)
    return found

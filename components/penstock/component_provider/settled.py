"""The values of inputs as plain data. The engine has settled all of them before it asks for a component."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping
from typing import Any

import pulumi
from pulumi.output import Unknown

from penstock.description.positions import Path
from penstock.graph.values import UNKNOWN, Secret


def settled(value: Any) -> Any:
    """The value with `UNKNOWN` for what is not known yet, and with secrets marked as such."""
    if isinstance(value, pulumi.Output):
        inner = settled(_at_once(value.future(with_unknowns=True))) if _at_once(value.is_known()) else UNKNOWN
        return Secret(inner) if _at_once(value.is_secret()) else inner
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, float) and value.is_integer():
        return int(value)  # the wire has one kind of number
    if isinstance(value, Mapping):
        return {key: settled(item) for key, item in value.items()}
    return [settled(item) for item in value] if isinstance(value, list) else value


def without_secrets(value: Any) -> Any:
    """Plain data with secret values in place of their marks."""
    if isinstance(value, Secret):
        return without_secrets(value.value)
    if isinstance(value, Mapping):
        return {key: without_secrets(item) for key, item in value.items()}
    return [without_secrets(item) for item in value] if isinstance(value, list) else value


def paths_of(value: Any, kind: type, path: Path = ()) -> Iterator[Path]:
    """Yield the paths at which plain data has a `Secret`, or a value of another kind."""
    if isinstance(value, kind):
        yield path
    elif isinstance(value, Secret):
        yield from paths_of(value.value, kind, path)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from paths_of(item, kind, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths_of(item, kind, (*path, index))


def _at_once(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that has nothing to wait for: `construct` is called inside a running event loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise RuntimeError("an input of a component is not settled")

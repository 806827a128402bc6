"""What a provider adds to the inputs of a resource out of its own configuration: a region, a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.providers import plugin_of

Inputs = Mapping[str, Any]


def evened(
    type_: str, old_inputs: Inputs, old_outputs: Inputs, new_inputs: Inputs, configuration: Inputs
) -> tuple[Inputs, Inputs]:
    """The old and the new inputs of a resource, each with what the provider adds where only the other one says it.

    A state holds what the real provider added, as if the program had asked for it. `configuration` is that of the
    provider now; where it does not tell, the old value is taken to stay.
    """
    plugin = plugin_of(type_)
    path = plugin.filled_input
    if not path:
        return old_inputs, new_inputs
    before, after = _at(old_inputs, path), _at(new_inputs, path)
    if before is not None and after is None:
        new_inputs = _with(new_inputs, path, configuration.get(path[-1]) or plugin.filled_with or before)
    elif before is None and after is not None:
        old_inputs = _with(old_inputs, path, _at(old_outputs, path))
    return old_inputs, new_inputs


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _with(inputs: Inputs, path: tuple[str, ...], value: Any) -> Inputs:
    if len(path) == 1:
        return {**inputs, path[0]: value}
    inner = inputs.get(path[0])
    if inner is not None and not isinstance(inner, Mapping):
        return inputs  # a secret, or not known yet
    return {**inputs, path[0]: _with(inner or {}, path[1:], value)}

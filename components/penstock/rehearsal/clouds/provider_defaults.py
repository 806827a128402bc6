"""What a provider adds to the inputs of a resource out of its own configuration: a region, a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

Inputs = Mapping[str, Any]


class _Added(NamedTuple):
    """An input that is taken from the provider's `setting` where a program does not give it."""

    path: tuple[str, ...]
    setting: str
    otherwise: str = ""


_ADDED: Final = {
    "aws": _Added(("region",), "region"),
    "kubernetes": _Added(("metadata", "namespace"), "namespace", "default"),
}


def evened(
    type_: str, old_inputs: Inputs, old_outputs: Inputs, new_inputs: Inputs, configuration: Inputs
) -> tuple[Inputs, Inputs]:
    """The old and the new inputs of a resource, each with what the provider adds where only the other one says it.

    A state holds what the real provider added, as if the program had asked for it. `configuration` is that of the
    provider now; where it does not tell, the old value is taken to stay.
    """
    added = _ADDED.get(type_.partition(":")[0])
    if added is None:
        return old_inputs, new_inputs
    before, after = _at(old_inputs, added.path), _at(new_inputs, added.path)
    if before is not None and after is None:
        told = configuration.get(added.setting) or added.otherwise or before
        new_inputs = _with(new_inputs, added.path, told)
    elif before is None and after is not None:
        old_inputs = _with(old_inputs, added.path, _at(old_outputs, added.path))
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

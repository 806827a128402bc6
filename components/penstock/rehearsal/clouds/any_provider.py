"""Answers for any provider from what its SDK declares: each output gets a value of its declared type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_origin

from pulumi._types import is_output_type, output_type_types

from penstock.rehearsal import sdk_types
from penstock.rehearsal.clouds import Asked, Made
from penstock.rehearsal.clouds.identity import auto_name, hexadecimal

_TIMES = ("At", "Date", "Time", "Timestamp")
_WHEN = "2026-01-01T00:00:00Z"
"""When everything in a rehearsal happens."""

_DEPTH = 4  # an output type may contain itself


def create(asked: Asked) -> Made:
    """An id, a name where the SDK declares one that was not given, and every output that is no input."""
    return Made(auto_name(asked.urn, asked.name), outputs(asked))


def outputs(asked: Asked) -> dict[str, Any]:
    """A value of the declared type for each output that the program could not have set."""
    declared = sdk_types.output_types(asked.type)
    inputs = sdk_types.input_types(asked.type) or {}
    found = {
        key: _value(type_, key, asked.urn, _DEPTH)
        for key, type_ in declared.items()
        if key not in inputs and key != "urn"
    }
    if "name" in inputs and "name" not in asked.inputs and inputs["name"] is str:
        found["name"] = auto_name(asked.urn, asked.name)
    return found


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """Echoes the arguments: a function that we do not know answers nothing else."""
    del token, provider
    return arguments


def _value(type_: Any, key: str, urn: str, depth: int) -> Any:
    if isinstance(type_, type) and is_output_type(type_):
        if depth == 0:
            return {}
        return {name: _value(item, name, urn, depth - 1) for name, item in output_type_types(type_).items()}
    origin = get_origin(type_) or type_
    if isinstance(origin, type):
        if origin in (bool, int, float):
            return origin()
        if issubclass(origin, str) and key.endswith(_TIMES):
            return _WHEN
        if issubclass(origin, str):
            return f"{key}-{hexadecimal(urn, 8, key)}"
        if issubclass(origin, Mapping):
            return {}
        if issubclass(origin, Sequence):
            item = get_args(type_)
            return [_value(item[0], key, urn, depth - 1)] if item and is_output_type(item[0]) and depth else []
    return None

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

_ADDRESSES = {("Ip", "IpAddress"): "10.0.0.10", ("Cidr", "CidrBlock"): "10.0.0.0/16"}
"""What programs take apart, by the end of its name."""

_DEPTH = 4  # an output type may contain itself


def create(asked: Asked) -> Made:
    """An id, a name where the SDK declares one that was not given, and a value for whatever else was not."""
    return Made(asked.id or auto_name(asked.urn, asked.name), {**outputs(asked), **defaults(asked)})


def outputs(asked: Asked) -> dict[str, Any]:
    """A value of the declared type for each output that the program could not have set."""
    inputs = sdk_types.input_types(asked.type) or {}
    return {
        key: _value(type_, key, asked.urn, _DEPTH)
        for key, type_ in sdk_types.output_types(asked.type).items()
        if key not in inputs and key != "urn"
    }


def defaults(asked: Asked) -> dict[str, Any]:
    """What the cloud chooses of that which the program could have set and did not.

    A list gets no member, and no object is made: what is switched on by a block stays off without one.
    """
    inputs = sdk_types.input_types(asked.type) or {}
    chosen = {
        key: [] if _is_list(type_) else _value(type_, key, asked.urn, _DEPTH)
        for key, type_ in sdk_types.sure_output_types(asked.type).items()
        # A name may be made from a prefix that was given; the cloud never makes up the prefix.
        if key in inputs and asked.inputs.get(key) is None and not _is_object(type_) and not key.endswith("Prefix")
    }
    if "name" in inputs and "name" not in asked.inputs and inputs["name"] is str:
        chosen["name"] = auto_name(asked.urn, asked.name)
    return chosen


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments, and a value of its declared type for every other result; the same question, the same answer."""
    del provider
    given = {key: value for key, value in arguments.items() if value is not None}
    question = f"{token}:{sorted(given.items())}"
    declared = sdk_types.result_types(token)
    return {**{key: _value(type_, key, question, _DEPTH) for key, type_ in declared.items()}, **given}


def _is_object(type_: Any) -> bool:
    return isinstance(type_, type) and is_output_type(type_)


def _is_list(type_: Any) -> bool:
    origin = get_origin(type_)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def _value(type_: Any, key: str, urn: str, depth: int) -> Any:
    if _is_object(type_):
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
            address = (form for ends, form in _ADDRESSES.items() if key.endswith(ends))
            return next(address, f"{key}-{hexadecimal(urn, 8, key)}")
        if issubclass(origin, Mapping):
            return {}
        if issubclass(origin, Sequence):
            item = get_args(type_)
            return [_value(item[0], key, urn, depth - 1)] if item and depth else []
    return None

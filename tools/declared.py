"""Declarations and documentation of a resource type's properties in the SDKs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, is_typeddict

from pulumi import Output
from pulumi._types import input_type_types, is_input_type

from penstock.simulate import sdk_types

_DEPTH = 5


def documented_properties(type_: str) -> dict[str, str]:
    """The provider's documentation of each property that is a text, by path."""
    return dict(_types(sdk_types.arguments_class(type_), sdk_types.input_types(type_) or {}, ""))


def _types(owner: type | None, declared: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for name, hint in declared.items():
        here = f"{path}.{name}" if path else name
        kind = plain(hint)
        if get_origin(kind) is not None and issubclass(get_origin(kind), Sequence):
            here, kind = f"{here}[]", plain(get_args(kind)[0])
        if kind is str:
            yield here, _doc(owner, name)
        elif isinstance(kind, type) and is_input_type(kind) and path.count(".") < _DEPTH:
            yield from _types(kind, input_type_types(kind), here)


def _doc(owner: type | None, name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return getattr(owner, snake, None).__doc__ or ""


def plain(hint: Any) -> Any:
    """The one plain type in a declaration; None where there are several."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    members = [
        member
        for member in get_args(hint)
        if member is not NoneType
        and get_origin(member) is not Output
        and not hasattr(get_origin(member), "__await__")
        and not is_typeddict(member)
    ]
    if any(isinstance(member, type) and is_input_type(member) for member in members):
        members = [member for member in members if get_origin(member) is not Mapping and not _is_mapping(member)]
    # `Union[str, Runtime]`: the provider's words are only a help there.
    members = [member for member in members if not (isinstance(member, type) and issubclass(member, Enum))] or members
    return members[0] if len(members) == 1 else None


def _is_mapping(member: Any) -> bool:
    origin = get_origin(member)
    return isinstance(origin, type) and issubclass(origin, Mapping)

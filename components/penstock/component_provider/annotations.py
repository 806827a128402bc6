"""Annotations of arguments and handle fields, read for programs in other languages."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import pulumi
from typing_extensions import Doc


class Meaning(NamedTuple):
    """An annotation taken apart.

    Attributes:
        type: The type, without None and without what makes it an input.
        is_input: True if the value may be an output of another resource.
        required: True if there has to be a value.
        description: The text of its `Doc`.
    """

    type: Any
    is_input: bool = False
    required: bool = True
    description: str = ""


def meaning_of(annotation: Any) -> Meaning:
    """Take an annotation apart."""
    if get_origin(annotation) is Annotated:
        inner, *notes = get_args(annotation)
        text = next((note.documentation for note in notes if isinstance(note, Doc)), "")
        return meaning_of(inner)._replace(description=text)
    if get_origin(annotation) is pulumi.Output:
        return Meaning(get_args(annotation)[0], is_input=True)
    if get_origin(annotation) in (Union, UnionType):
        options = get_args(annotation)
        first = meaning_of(next(option for option in options if option is not NoneType))
        is_input = first.is_input or any(get_origin(option) is Awaitable for option in options)  # Pulumi's Input
        return Meaning(first.type, is_input, required=NoneType not in options)
    return Meaning(annotation)


@cache
def handle_fields(handle: type) -> Mapping[str, Meaning]:
    """The fields of a handle but those for resources, which programs in other languages do not have."""
    names = {"Output": pulumi.Output, "T": Any}  # Pulumi's Input has both in quotes
    hints = get_type_hints(handle, localns=names, include_extras=True)
    meanings = {each.name: (meaning_of(hints[each.name]), _has_default(each)) for each in dataclasses.fields(handle)}
    return {
        name: meaning._replace(required=meaning.required and not has_default)
        for name, (meaning, has_default) in meanings.items()
        if not _holds_resources(meaning.type)
    }


def is_handle(type_: Any) -> bool:
    """Return whether a type is a handle."""
    return dataclasses.is_dataclass(type_)


def item_types(type_: Any) -> tuple[Any, ...] | None:
    """The types of a list's items: one for all where their number is open. None if it is not a list."""
    if get_origin(type_) is not tuple:
        return None
    return tuple(option for option in get_args(type_) if option is not Ellipsis)


def value_type(type_: Any) -> Any:
    """The type of the values of a mapping; None if it is not a mapping."""
    return get_args(type_)[1] if get_origin(type_) is Mapping else None


def _holds_resources(type_: Any) -> bool:
    if isinstance(type_, type) and issubclass(type_, pulumi.Resource):
        return True
    return any(_holds_resources(option) for option in get_args(type_) if option is not Ellipsis)


def _has_default(each: dataclasses.Field[Any]) -> bool:
    return each.default is not dataclasses.MISSING or each.default_factory is not dataclasses.MISSING

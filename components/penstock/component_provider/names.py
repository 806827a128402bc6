"""Property names: snake_case in descriptions and Python, camelCase in Pulumi programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

_WORD: Final = re.compile(r"[A-Za-z0-9_]+")
_NOTHING: Final[Mapping[str, Any]] = {}


_RESERVED: Final = {"pulumi": "pulumiOperator"}
"""Fields whose names Pulumi's schema keeps for itself."""


@cache
def camel_case(name: str) -> str:
    """`node_pools` as `nodePools`."""
    if name in _RESERVED:
        return _RESERVED[name]
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


class FieldNames:
    """The names of the fields of a model and of the models in it, both ways. Keys of mappings are left alone."""

    def __init__(self, model: type[BaseModel]) -> None:
        self._schema = model.model_json_schema()
        self._fields = frozenset(_fields(self._schema))

    def as_python(self, value: Any) -> Any:
        """Data of a program as the model takes it."""
        return self._renamed(value, self._schema)

    def as_program(self, text: str) -> str:
        """A path or a message with the names that programs write."""

        def renamed(word: re.Match[str]) -> str:
            # Words such as pulumi are also words of messages.
            is_name = word[0] in self._fields and ("_" in word[0] or text[: word.start()].endswith("."))
            return camel_case(word[0]) if is_name else word[0]

        return _WORD.sub(renamed, text)

    def _renamed(self, value: Any, schema: Any) -> Any:
        schema = self._resolved(schema, value)
        if isinstance(value, list):
            items = schema.get("items", _NOTHING)
            return [self._renamed(item, items) for item in value]
        if not isinstance(value, dict):
            return value
        if "properties" not in schema:
            values = schema.get("additionalProperties") or _NOTHING
            return {key: self._renamed(item, values) for key, item in value.items()}
        properties = schema["properties"]
        names = {camel_case(name): name for name in properties}
        renamed = {names.get(key, key): item for key, item in value.items()}
        return {key: self._renamed(item, properties.get(key, _NOTHING)) for key, item in renamed.items()}

    def _resolved(self, schema: Any, value: Any) -> Mapping[str, Any]:
        """The schema that a value is held to: of several the one that its tag names, or the one with fields."""
        if not isinstance(schema, Mapping):
            return _NOTHING
        if "$ref" in schema:
            return self._resolved(self._schema["$defs"][schema["$ref"].rpartition("/")[2]], value)
        if "discriminator" in schema and isinstance(value, dict):
            tag = schema["discriminator"]
            target = tag["mapping"].get(value.get(tag["propertyName"]))
            return self._resolved({"$ref": target}, value) if target else _NOTHING
        options = [self._resolved(option, value) for option in schema.get("anyOf", ())]
        fitting = (each for each in options if {"properties", "items", "additionalProperties"} & each.keys())
        return next(fitting, _NOTHING) if options else schema


def _fields(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            yield from properties
        for value in schema.values():
            yield from _fields(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _fields(value)

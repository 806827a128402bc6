"""The fields of a description by the published JSON Schema: what may be at a place, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from penstock.description import json_schema
from penstock.editor.stack_text import Path

Schema = Mapping[str, Any]
_KIND = "kind"


@cache
def _whole() -> Schema:
    return json_schema()


def fields_at(path: Path, data: Any) -> Sequence[Schema]:
    """Return the schemas that a value at a path of the description may follow.

    `data` is the description as far as it is typed: the kind of an item in it decides between kinds of storage.
    """
    found: list[Schema] = [{"$ref": "#/$defs/Spec"}]
    value = data
    for step in path:
        here = None if step == _KIND else value  # which kinds there are does not depend on the one that is named
        found = [below for schema in _options(found, here) for below in _below(schema, step)]
        value = _item(value, step)
    return list(_options(found, value))


def keys_in(schemas: Sequence[Schema]) -> Mapping[str, Schema]:
    """Return the fields of the blocks among schemas, by their keys: those first that must be given."""
    fields = {key: field for schema in reversed(schemas) for key, field in schema.get("properties", {}).items()}
    required = {key for schema in schemas for key in schema.get("required", ())}
    return dict(sorted(fields.items(), key=lambda item: item[0] not in required))


def words_in(schemas: Sequence[Schema]) -> Sequence[str]:
    """Return the words that a value may be."""
    words = [str(word) for schema in schemas for word in (*schema.get("enum", ()), *_constant(schema))]
    if any(schema.get("type") == "boolean" for schema in schemas):
        words += ["true", "false"]
    return list(dict.fromkeys(words))


def described(field: Schema) -> str:
    """Return the description of a field, or else of the block that it refers to."""
    if "description" in field:
        return str(field["description"])
    return next((text for each in _resolved(field) if (text := str(each.get("description", "")))), "")


def field_of(path: Path, data: Any) -> Schema | None:
    """Return a field as its block declares it, with its own description; None where the block has no such field."""
    if not path or not isinstance(path[-1], str):
        return None
    return keys_in(fields_at(path[:-1], data)).get(path[-1])


def _options(schemas: Sequence[Schema], value: Any) -> Iterator[Schema]:
    for schema in schemas:
        for each in _resolved(schema):
            if _fits(each, value):
                yield each


def _resolved(schema: Schema) -> Iterator[Schema]:
    """Yield a schema without references and alternatives."""
    if "$ref" in schema:
        yield from _resolved(_whole()["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    elif alternatives := schema.get("anyOf") or schema.get("oneOf"):
        for each in alternatives:
            yield from _resolved(each)
    elif schema.get("type") != "null":
        yield schema


def _fits(schema: Schema, value: Any) -> bool:
    """Return whether a schema is of the kind that a block names, if it names one."""
    kind = value.get(_KIND) if isinstance(value, Mapping) else None
    constant = _constant(schema.get("properties", {}).get(_KIND, {}))
    return kind is None or not constant or kind in constant


def _constant(schema: Schema) -> Sequence[Any]:
    return (schema["const"],) if "const" in schema else ()


def _below(schema: Schema, step: str | int) -> Iterator[Schema]:
    if isinstance(step, int):
        if "items" in schema:
            yield schema["items"]
    elif step in schema.get("properties", {}):
        yield schema["properties"][step]
    elif isinstance(schema.get("additionalProperties"), Mapping):
        yield schema["additionalProperties"]


def _item(value: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and step < len(value) else None
    return value.get(step) if isinstance(value, Mapping) else None

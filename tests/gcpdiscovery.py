"""Google's discovery documents as judge: whether the request behind a resource has these fields, words and types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tools import gcp_requests
from tools import gcp_requests_matching as matching
from tools.gcp_requests import Request, Schema, item_of, resolved

from penstock.graph.values import Secret, Unknown

_TYPES: Mapping[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str, int, float),  # numbers of 64 bits travel as text
    "array": (list, tuple),
    "object": (dict,),
}

_NAMED = ("name",)
"""What the provider makes up where a program does not say it."""


def is_covered(type_: str) -> bool:
    """Return whether a document tells what the request behind a type takes."""
    return bool(gcp_requests.requests(type_))


def complaints(type_: str, inputs: Mapping[str, Any]) -> list[str]:
    """What no version of the API would take of a resource's inputs: one sentence each, with the path of the property.

    What is not known yet, or has no field because it is part of the address, is not judged.
    """
    versions = gcp_requests.requests(type_)
    found = []
    for name, value in inputs.items():
        reported: list[list[str]] = [list(_property(type_, request, name, value)) for request in versions]
        fewest = min(map(len, reported), default=0)
        found += next((each for each in reported if len(each) == fewest), [])
    lacking = [set(_lacking(type_, request, inputs)) for request in versions]
    return found + sorted(set.intersection(*lacking) if lacking else ())


def _property(type_: str, request: Request, name: str, value: Any) -> Iterator[str]:
    if name in matching.OF_EVERY_TYPE or name.lower() in gcp_requests.parameters(type_):
        return
    yield from _field(type_, value, name, request.schema, request.document)


def _field(type_: str, value: Any, path: str, owner: Schema, document: str) -> Iterator[str]:
    value = value.value if isinstance(value, Secret) else value
    if value is None or isinstance(value, Unknown) or path in matching.KEPT.get(type_, ()):
        return
    schema = gcp_requests.field(type_, path, owner, document)
    if schema is None:
        yield f"{path}: {document} has no such field"
    else:
        yield from _value(type_, value, path, schema, document)


def _value(type_: str, value: Any, path: str, schema: Schema, document: str) -> Iterator[str]:
    value, sent = value.value if isinstance(value, Secret) else value, resolved(schema, document)
    if isinstance(value, Unknown):
        return
    if sent.get("type") == "array":
        items = value if isinstance(value, list | tuple) else [value]  # Terraform takes just one where it has no list
        for item in items:
            yield from _value(type_, item, f"{path}[]" if items is value else path, item_of(sent, document), document)
    elif isinstance(value, list) and "additionalProperties" in sent:  # each with its key among its own properties
        for item in value:
            yield from _value(type_, _without_key(item), f"{path}[]", sent["additionalProperties"], document)
    elif not _is_a(value, sent.get("type", "object")):
        yield f"{path}: {document} wants {sent.get('type')}, not {type(value).__name__}"
    elif "enum" in sent and value not in sent["enum"]:
        yield f"{path}: {document} knows no {value!r}, but {', '.join(sent['enum'])}"
    elif isinstance(value, dict) and "properties" in sent:
        for name, inner in value.items():
            yield from _field(type_, inner, f"{path}.{name}", sent, document)
        yield from _required(type_, value, path, sent, Request(document, "", ""))


def _without_key(item: Any) -> Any:
    return {name: value for name, value in item.items() if name != "id"} if isinstance(item, dict) else item


def _is_a(value: Any, kind: str) -> bool:
    if kind in ("integer", "number", "boolean") and isinstance(value, str):
        return value.lstrip("-").isdecimal() or value.lower() in ("true", "false")  # the provider reads them
    return isinstance(value, _TYPES.get(kind, (object,))) and isinstance(value, bool) <= (kind in ("boolean", "any"))


def _lacking(type_: str, request: Request, inputs: Mapping[str, Any]) -> Iterator[str]:
    yield from _required(type_, inputs, "", request.schema, request)


def _required(type_: str, inputs: Mapping[str, Any], path: str, schema: Schema, request: Request) -> Iterator[str]:
    """The fields that an object must have, and does not."""
    places = (f"{path}.{name}" if path else name for name in inputs)
    given = {way[0][0] for place in places if (way := gcp_requests.located(type_, place, schema, request.document))}
    for name, field in schema.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        if here not in _NAMED and name not in given and _is_required(field, request.method):
            yield f"{here}: the request needs it"


def _is_required(field: Schema, method: str) -> bool:
    said = field.get("description", "").startswith(("Required.", "[Required]"))
    return not field.get("readOnly") and (said or method in field.get("annotations", {}).get("required", ()))

"""Which request of Google's APIs serves a Pulumi resource, by the discovery documents that Google publishes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import googleapiclient

from penstock.gcp.simulate import cloud
from tools import gcp_ids
from tools import gcp_requests_matching as matching

Schema = Mapping[str, Any]

_FOLDER = Path(googleapiclient.__file__).parent / "discovery_cache" / "documents"
_MAKING = ("create", "insert", "update", "patch")
"""The methods that take a whole resource, the best first."""


@dataclass(frozen=True)
class Request:
    """What a method takes: the API's document, such as `container.v1`, the method and the schema of its body."""

    document: str
    method: str
    body: str

    @property
    def schema(self) -> Schema:
        """The schema of the body."""
        return schemas(self.document)[self.body]


@cache
def requests(type_: str) -> tuple[Request, ...]:
    """The requests that make a resource of a type, one for each version of its API; none where no document has one."""
    return tuple(request for document in _documents(type_) if (request := _request(type_, document)) is not None)


@cache
def schemas(document: str) -> Mapping[str, Schema]:
    """The schemas of a document."""
    found: Mapping[str, Schema] = _read(document).get("schemas", {})
    return found


def field(type_: str, path: str, owner: Schema, document: str) -> Schema | None:
    """What a property is sent as: its schema inside that of its owner; None where the request has no such field.

    `path` is the property's in the program, `[]` standing for each item of a list (`guestAccelerators[].count`).
    """
    return next((schema for _, schema in located(type_, path, owner, document)[-1:]), None)


def located(type_: str, path: str, owner: Schema, document: str) -> list[tuple[str, Schema]]:
    """The fields that lead to what a property is sent as, with their schemas; none where the request has none."""
    way: list[tuple[str, Schema]] = []
    for step in matching.RENAMED.get(type_, {}).get(path, path.rpartition(".")[2]).split("."):
        properties = item_of(way[-1][1] if way else owner, document).get("properties", {})
        names = {each.lower(): each for each in properties}
        spelt = next((names[each] for each in _spellings(step) if each in names), None)
        if spelt is None:
            return []
        way.append((spelt, properties[spelt]))
    return way


def parameters(type_: str) -> frozenset[str]:
    """What a request has beside its body, in small letters: the words of its address and of its query."""
    methods = [(request.document, request.method) for request in requests(type_) if request.method]
    named = [_method(_read(document), method)["parameters"] for document, method in methods]
    in_id = re.findall(r"\w+", cloud.identity(type_))
    return frozenset(name.lower() for names in (*named, in_id) for name in names)


def _method(owner: Mapping[str, Any], wanted: str) -> Mapping[str, Any]:
    for _, methods in _collections(owner.get("resources", {})):
        for method in methods.values():
            if method["id"] == wanted:
                found: Mapping[str, Any] = method
                return found
    return {"parameters": {}}


def resolved(schema: Schema | None, document: str) -> Schema:
    """A schema itself, where another one only refers to it."""
    if schema is None:
        return {}
    return resolved(schemas(document)[schema["$ref"]], document) if "$ref" in schema else schema


def item_of(schema: Schema, document: str) -> Schema:
    """What a list has as items; a schema that is not a list is its own only item, as where Terraform takes just one."""
    plain = resolved(schema, document)
    return resolved(plain["items"], document) if plain.get("type") == "array" else plain


def _documents(type_: str) -> tuple[str, ...]:
    module = type_.split(":")[1].split("/", maxsplit=1)[0]
    if type_ in matching.SERVICES or module in matching.SERVICES:
        return matching.SERVICES.get(type_, matching.SERVICES.get(module, ()))
    return tuple(name for name in _names() if name.partition(".")[0] == module and "alpha" not in name)


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.json")))


@cache
def _read(document: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((_FOLDER / f"{document}.json").read_text(encoding="utf-8"))
    return found


def _request(type_: str, document: str) -> Request | None:
    schema_name = "Binding" if gcp_ids.GRANTS.search(type_) else matching.SCHEMAS.get(type_)
    name = type_.rpartition(":")[2]
    if schema_name is not None:
        return Request(document, "", schema_name) if schema_name in schemas(document) else None
    wanted = _plurals(name)
    module = type_.split(":")[1].split("/", maxsplit=1)[0]
    for collection, methods in _collections(_read(document).get("resources", {})):
        if collection.lower() in wanted:
            for verb in _MAKING:
                body = methods.get(verb, {}).get("request", {}).get("$ref")
                if body:
                    return Request(document, methods[verb]["id"], _inner(body, name, document))
    named = next((each for each in schemas(document) if each.lower() in (name.lower(), f"{module}{name}".lower())), "")
    return Request(document, "", named) if named else None


def _collections(resources: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The collections of an API, each with its methods, the outer ones first; those of a project before all others."""
    outer = sorted(resources.items(), key=lambda item: item[0] != "projects")
    for name, collection in outer:
        yield name, collection.get("methods", {})
    for _, collection in outer:
        yield from _collections(collection.get("resources", {}))


def _inner(body: str, name: str, document: str) -> str:
    """The schema of the resource itself, where a request wraps it: the `cluster` of a `CreateClusterRequest`."""
    if not re.search("Request$", body):
        return body
    properties = schemas(document)[body].get("properties", {})
    inner: Schema = next((properties[each] for each in properties if each.lower() == name.lower()), {})
    return str(inner.get("$ref", body))


def _plurals(name: str) -> tuple[str, ...]:
    name = name.lower()
    return f"{name}s", f"{name}es", re.sub("y$", "ies", name), name


def _spellings(name: str) -> tuple[str, ...]:
    """How the API may spell a property; Pulumi makes lists plural, and what is single singular."""
    plainly = name.lower()
    return plainly, f"{plainly}s", plainly.removesuffix("s"), re.sub("ies$", "y", plainly), re.sub("es$", "", plainly)

"""The texts of a program: each with where it is given, and those that a resource or the cloud itself answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from penstock.graph.graph import Resource
from penstock.graph.values import MAPPING, PLAIN
from penstock.graph.view import Site

_PRINCIPALS = ("Principal", "NotPrincipal")


class GivenText(NamedTuple):
    """A text that a program gives to a resource, or to a function of a provider.

    `token` is the type or the function, `path` the keys that lead to the text, with dots between; `urn` is empty for a
    function.
    """

    token: str
    path: str
    text: str
    urn: str


def given_texts(site: Site) -> tuple[GivenText, ...]:
    """Return every text of a program that it may name a thing by; of policies only those whom they are about."""
    return site.once(_given_texts)


def created_texts(site: Site) -> frozenset[str]:
    """Return the texts that resources of the program answer, and what its look-ups found: none of it is missing."""
    return site.once(_created_texts)


def names_in(resource: Resource) -> frozenset[str]:
    """Return the texts of a resource that it may be named by."""
    values = (resource.id, *resource.inputs.values(), *resource.outputs.values())
    return frozenset(value for value in values if isinstance(value, str))


def _given_texts(site: Site) -> tuple[GivenText, ...]:
    found: list[GivenText] = []
    for resource in site.graph:
        if resource.custom:
            given = {**resource.inputs, "id": resource.id} if resource.external else resource.inputs
            found += (GivenText(resource.type, path, text, resource.urn) for path, text in _texts(given, ""))
    for lookup in site.graph.lookups:
        found += (GivenText(lookup.token, path, text, "") for path, text in _texts(lookup.arguments, ""))
    return tuple(found)


def _created_texts(site: Site) -> frozenset[str]:
    found: set[str] = set()
    configured: set[str] = set()
    for resource in site.graph:
        given = _all_texts(resource.inputs)
        if resource.type.startswith("pulumi:providers:"):
            configured |= given
        elif resource.custom and not resource.external:
            found |= _all_texts(resource.outputs) - given
            found.add(resource.id)
    for lookup in site.graph.lookups:
        found |= _all_texts(lookup.answer) - _all_texts(lookup.arguments)
    return frozenset(found - configured)  # clouds answer the project and the region that they were asked in


def _all_texts(value: Mapping[str, Any]) -> set[str]:
    return {text for _, text in _texts(value, "")}


def _texts(value: Any, path: str) -> list[tuple[str, str]]:
    """Each text with the keys that lead to it: programs have thousands, so that this makes no generators."""
    found: list[tuple[str, str]] = []
    _add_texts(value, path, found)
    return found


def _add_texts(value: Any, path: str, found: list[tuple[str, str]]) -> None:
    if isinstance(value, str):
        if value.startswith("{") and "Principal" in value:
            found += _principals(value)
        else:
            found.append((path, value))
    elif isinstance(value, PLAIN):
        return
    elif isinstance(value, MAPPING):
        for key, item in value.items():
            _add_texts(item, f"{path}.{key}" if path else str(key), found)
    elif isinstance(value, list | tuple):
        for item in value:
            _add_texts(item, path, found)


def _principals(document: str) -> Iterator[tuple[str, str]]:
    try:
        written = json.loads(document)
    except ValueError:
        return
    statements = written.get("Statement", ()) if isinstance(written, Mapping) else ()
    for statement in [statements] if isinstance(statements, Mapping) else statements:
        if isinstance(statement, Mapping):
            yield from _texts({key: statement[key] for key in _PRINCIPALS if key in statement}, "")

"""The objects of a program, as manifests for an API server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from penstock.graph.graph import Graph, Resource
from penstock.graph.values import UNKNOWN, Secret
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.rules import inventory

_FIRST: Final = ("CustomResourceDefinition", "Namespace", "LimitRange", "ResourceQuota", "ServiceAccount", "ConfigMap")


class NotWritten(Exception):
    """A value of an object is not known before the program runs."""


def manifests(graph: Graph) -> list[tuple[str, Mapping[str, Any]]]:
    """The objects of a program by URN, those first that decide what becomes of others.

    Raises:
        NotWritten: a value of one of them is not known.
    """
    site = Site(graph)
    found = [(view.urn, _manifest(view.resource, view)) for view in inventory.objects(site)]
    return sorted(found, key=lambda pair: _rank(pair[1]["kind"]))


def _manifest(resource: Resource, view: View) -> Mapping[str, Any]:
    kind = inventory.kind(view)
    assert kind is not None
    try:
        name = inventory.form_of_name(view)
    except (NotKnown, TypeMismatch):
        raise NotWritten from None
    body = _plain(resource.inputs)
    given = body.pop("metadata", None) or {}
    metadata = given if isinstance(given, Mapping) else {}
    named = {"name": name} if name is not None else {}
    return {**body, "apiVersion": kind.api_version, "kind": kind.name, "metadata": {**named, **metadata}}


def _rank(kind: str) -> int:
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


def _plain(value: Any) -> Any:
    if value is UNKNOWN:
        raise NotWritten
    if isinstance(value, Secret):
        return _plain(value.value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value

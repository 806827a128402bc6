"""Types that a provider keeps under a former name as well: rules know the present ones, with their properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from penstock.catalog.records import record_of_type
from penstock.catalog.tables import rows_of_clouds
from penstock.graph.graph import Graph, Resource
from penstock.providers import provider_of

_API_VERSION = re.compile(r"^([^:]+:\w+)/v\d+\w*(?=:)")
"""The version of an API in a token, as in `azure-native:storage/v20240101:StorageAccount`."""


@dataclass(frozen=True, slots=True)
class FormerType:
    """The present name of a type."""

    present: str


@cache
def present(type_: str) -> str:
    """The present name of a type: the one without a version where the provider has a type for each of its API's."""
    provider = provider_of(type_)
    if provider is None:
        return type_
    plain = _API_VERSION.sub(r"\1", type_) if provider.plugin.versioned_types else type_
    found = record_of_type(FormerType, "former_types", plain)
    return found.present if found is not None else plain


@cache
def _lists_of(type_: str) -> Mapping[str, str]:
    """What a former type has as lists of one, by path, and the name under which the present type has that one."""
    return {row["path"]: row["present"] for row in rows_of_clouds("former_lists") if row["type"] == type_}


def by_present_names(graph: Graph) -> Graph:
    """The Graph, with each resource's type under its present name; URNs stay."""
    renamed = {resource.urn: _renamed(resource) for resource in graph if present(resource.type) != resource.type}
    if not renamed:
        return graph
    return replace(graph, resources={**graph.resources, **renamed})


def _renamed(resource: Resource) -> Resource:
    inputs, sources, lists = resource.inputs, resource.property_dependencies, _lists_of(resource.type)
    if lists:
        inputs = _singular(inputs, lists)
        sources = {lists.get(key, key): urns for key, urns in sources.items()}
    return replace(resource, type=present(resource.type), inputs=inputs, property_dependencies=sources)


def _singular(values: Mapping[str, Any], lists: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """The values, with the one item of a list in its place where the present type has it so."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        here = f"{path}.{key}" if path else key
        if here not in lists:
            found[key] = value
            continue
        only = value[0] if isinstance(value, list) and value else None if value == [] else value
        found[lists[here]] = _singular(only, lists, here) if isinstance(only, Mapping) else only
    return found

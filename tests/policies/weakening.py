"""Weakens a platform one property at a time, as a careless change would."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from penstock.graph.graph import Graph, Resource
from penstock.graph.values import Secret, Unknown
from penstock.rules.levels import Category

Change = Callable[[Any], Any]

_PROTECTING = ("deletionProtection", "deletionProtectionEnabled")
"""Flags that protect a resource beside the option: with the option gone, they would still."""


@dataclass(frozen=True)
class Weakening:
    """The effect of a change on resources whose type is like `types`: to the value at a path, or to the whole of them.

    One that `adds` sets what was not given, too; one without a `change` removes; one with `having` means resources that
    have this property. `also` is set beside it.
    """

    category: Category
    name: str
    types: str
    path: str = ""
    change: Change | None = None
    adds: bool = False
    having: str = ""
    also: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.category.value}: {self.name}"


def weakened(graph: Graph, weakening: Weakening) -> Iterator[tuple[Resource, Graph]]:
    """The Graph with each resource in its turn weakened, and which it is; without it where the change has no path."""
    for resource in graph:
        if not fnmatchcase(resource.type, weakening.types) or resource.external:
            continue
        if weakening.having and not resource.inputs.get(weakening.having):
            continue
        if not weakening.path:
            rest = {urn: each for urn, each in graph.resources.items() if urn != resource.urn}
            yield resource, replace(graph, resources=rest)
            continue
        inputs = deepcopy(dict(resource.inputs))
        if _changed(inputs, weakening.path.split("."), weakening):
            top = re.split(r"[.\[]", weakening.path)[0]
            sources = {key: urns for key, urns in resource.property_dependencies.items() if key != top}
            weaker = replace(resource, inputs={**inputs, **weakening.also}, property_dependencies=sources)
            yield resource, replace(graph, resources={**graph.resources, resource.urn: weaker})


def unprotected(graph: Graph) -> Iterator[tuple[Resource, Graph]]:
    """The Graph with each protected resource in its turn left unprotected."""
    for resource in graph:
        if resource.options.protect:
            inputs = {key: False if key in _PROTECTING else value for key, value in resource.inputs.items()}
            weaker = replace(resource, inputs=inputs, options=replace(resource.options, protect=False))
            yield resource, replace(graph, resources={**graph.resources, resource.urn: weaker})


def _changed(block: Any, steps: Sequence[str], weakening: Weakening) -> bool:
    """Changes the first value at a path, in place; whether there was one that the change makes another."""
    head, *rest = steps
    name = head.removesuffix("[]")
    if not isinstance(block, dict):
        return False
    if head != name:
        items = block.get(name) or []
        return any(_changed(item, rest, weakening) for item in items) if rest else _item_changed(items, weakening)
    if rest:
        return _changed(block.get(name), rest, weakening)
    old = block.get(name)
    if (old is None and not weakening.adds) or isinstance(old, Unknown | Secret):
        return False
    new = weakening.change(old) if weakening.change else None
    block[name] = new
    return bool(new != old)


def _item_changed(items: list[Any], weakening: Weakening) -> bool:
    if items and weakening.change:
        items[0] = weakening.change(items[0])
    return bool(items)

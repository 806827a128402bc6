"""A bill by component, pool, resource, type or tag of its resources: each line counts in one group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from penstock.cost.bill import Line, Unpriced
from penstock.cost.misdeclared import called
from penstock.cost.total import Cost, Total
from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import machine_pools

NONE: Final = "(none)"
"""The name of the group of what belongs to no component, no pool or no tag."""

_PLATFORM: Final = "penstock:index:Platform"
_POOL: Final = ":NodePool"
_TAGS: Final = ("tags", "labels", "resourceLabels", "userLabels", "tagsAll")
TAG: Final = "tag:"
"""Begins the way by a tag, before its key."""


@dataclass(frozen=True, slots=True)
class CostGroup(Total):
    """The lines that share a component, a pool, a type or the value of a tag, and what has no price among them."""

    name: str
    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]


def grouped(cost: Cost, graph: Graph, by: str) -> tuple[CostGroup, ...]:
    """Return the groups of a bill by one of `WAYS`, or by `tag:KEY`, the dearest first.

    Raises:
        ValueError: `by` is none of them.
    """
    if by.startswith(TAG) and by != TAG:
        return by_tag(cost, graph, by.removeprefix(TAG))
    if by not in WAYS:
        raise ValueError(f"{by!r} is not a way to group costs; use {', '.join(WAYS)} or tag:KEY")
    return WAYS[by](cost, graph)


def by_component(cost: Cost, graph: Graph) -> tuple[CostGroup, ...]:
    """Return a bill by the outermost component below the platform, or below the stack where there is no platform.

    A program without components is one by resource.
    """
    if all(resource.custom or resource.type == STACK_TYPE for resource in graph):
        return by_resource(cost, graph)
    return _grouped(cost, graph, lambda resource: _component(resource, graph))


def by_pool(cost: Cost, graph: Graph) -> tuple[CostGroup, ...]:
    """Return a bill by node pool: the component of the name, and resources of pools outside components by theirs."""
    site = Site(graph)
    return _grouped(cost, graph, lambda resource: _pool(View(resource, site)))


def by_resource(cost: Cost, graph: Graph) -> tuple[CostGroup, ...]:
    """Return a bill by resource: its name, and the last part of its type."""
    return _grouped(cost, graph, lambda resource: f"{resource.name} ({resource.type.rpartition(':')[2]})")


def by_type(cost: Cost, graph: Graph) -> tuple[CostGroup, ...]:
    """Return a bill by type token."""
    return _grouped(cost, graph, lambda resource: resource.type)


def by_tag(cost: Cost, graph: Graph, key: str) -> tuple[CostGroup, ...]:
    """Return a bill by the value of a tag or label, be it of the resource or of its provider's defaults."""
    return _grouped(cost, graph, lambda resource: _tag(resource, graph, key))


WAYS: Final[Mapping[str, Callable[[Cost, Graph], tuple[CostGroup, ...]]]] = {
    "component": by_component,
    "pool": by_pool,
    "resource": by_resource,
    "type": by_type,
}
"""The ways to group lines, beside that by a tag."""


def _grouped(cost: Cost, graph: Graph, name: Callable[[Resource], str]) -> tuple[CostGroup, ...]:
    lines: dict[str, list[Line]] = {}
    unpriced: dict[str, list[Unpriced]] = {}
    for line in cost.lines:
        lines.setdefault(_of(line.urn, graph, name), []).append(line)
    for each in cost.unpriced:
        unpriced.setdefault(_of(each.urn, graph, name), []).append(each)
    groups = [
        CostGroup(group, tuple(lines.get(group, ())), tuple(unpriced.get(group, ()))) for group in {**lines, **unpriced}
    ]
    return tuple(sorted(groups, key=lambda group: (-group.monthly_usd, -(group.high_usd or 0), group.name)))


def _of(urn: str, graph: Graph, name: Callable[[Resource], str]) -> str:
    resource = graph.resources.get(urn)
    return NONE if resource is None else name(resource)


def _above(resource: Resource, graph: Graph) -> list[Resource]:
    """The parents of a resource, the nearest first, without the stack."""
    found: list[Resource] = []
    parent = graph.resources.get(resource.parent)
    while parent is not None and parent.type != STACK_TYPE:
        found.append(parent)
        parent = graph.resources.get(parent.parent)
    return found


def _component(resource: Resource, graph: Graph) -> str:
    components = [each for each in _above(resource, graph) if not each.custom]
    below = [each for each in components if each.type != _PLATFORM]
    if below:
        return below[-1].name
    return components[-1].name if components else NONE


def _pool(view: View) -> str:
    pools = [each.name for each in _above(view.resource, view.site.graph) if each.type.endswith(_POOL)]
    if not pools:
        with suppress(NotKnown, TypeMismatch):
            pools += [called(pool) for pool in machine_pools(view)]
    return pools[0] if pools else NONE


def _tag(resource: Resource, graph: Graph, key: str) -> str:
    provider = graph.resources.get(resource.provider_urn)
    defaults = provider.inputs.get("defaultTags") if provider is not None else None
    labels = provider.inputs.get("defaultLabels") if provider is not None else None
    own = [resource.inputs.get(name) for name in _TAGS]
    for tags in (*own, defaults.get("tags") if isinstance(defaults, Mapping) else None, labels):
        value: Any = tags.get(key) if isinstance(tags, Mapping) else None
        if isinstance(value, str):
            return value
    return NONE

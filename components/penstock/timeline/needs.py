"""The order of creation under the engine, and how much of it the resources need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from penstock.catalog.conditions import applies
from penstock.catalog.needs import Need, NeedStep, needs_of
from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View

Edges = Mapping[str, frozenset[str]]
"""For each URN the URNs that must have ended before it starts."""


def waits(graph: Graph) -> dict[str, frozenset[str]]:
    """The waits of the engine: a resource is registered once its parent, its provider and its dependencies are created.

    A component is created at once, but only when what it depends on is there; its children wait with it.
    """
    return {
        resource.urn: frozenset(
            need for need in (resource.parent, resource.provider_urn, *resource.dependencies) if need in graph.resources
        )
        for resource in graph
    }


def creation_order(graph: Graph) -> dict[str, frozenset[str]]:
    """The waits of the engine, and those of creations that end only after another, such as add-ons that need a node.

    Where the engine creates the other only afterwards, the creation fails instead, and the wait is left out.
    """
    before = waits(graph)
    clouds = _CloudNeeds(graph)
    for resource in graph:
        found = frozenset(need for need in clouds.awaited_by(resource) if not _waits_for(need, resource.urn, before))
        if found:
            before[resource.urn] |= found
    return before


def true_needs(graph: Graph, starts: Mapping[str, float], ends: Mapping[str, float]) -> dict[str, frozenset[str]]:
    """The part of the waits that the cloud would insist on.

    That is: the provider, resources whose values are handed over, and those that the catalogue says the cloud needs
    (`catalog.needs`). Of the latter only what the schedule keeps counts, so that no bound lies above what it bounds. A
    parent that is a resource of a cloud is no need by itself. Between objects of one cluster every dependency counts,
    because what one needs of another is in their content, such as the kinds that a chart installs.
    """
    clouds = _CloudNeeds(graph)
    return {
        resource.urn: frozenset(
            {
                *(need for need in _handed_over(resource, graph) if need in graph.resources),
                *(need for need in clouds.of(resource) if ends[need] <= starts[resource.urn]),
            }
        )
        for resource in graph
    }


def _handed_over(resource: Resource, graph: Graph) -> Iterator[str]:
    yield resource.provider_urn
    for urns in resource.property_dependencies.values():
        yield from urns
    parent = graph.resources.get(resource.parent)
    if parent is not None and not parent.custom:
        yield parent.urn
    for urn in resource.dependencies:
        if resource.external or (_of_kubernetes(resource) and _is_object(graph.resources.get(urn))):
            yield urn


def _of_kubernetes(resource: Resource) -> bool:
    return not resource.custom or _is_object(resource)


def _is_object(resource: Resource | None) -> bool:
    return resource is not None and resource.type.startswith("kubernetes:")


def _waits_for(start: str, target: str, before: Edges) -> bool:
    """Return whether a resource waits for another, directly or through others."""
    open_, seen = [start], {start}
    while open_:
        for urn in before[open_.pop()]:
            if urn == target:
                return True
            if urn not in seen:
                seen.add(urn)
                open_.append(urn)
    return False


class _CloudNeeds:
    """The needs of the catalogue, found among the resources of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._site = graph, Site(graph)
        self._pointing: dict[tuple[str, str, str], dict[str, list[str]]] = {}

    def of(self, resource: Resource) -> Iterator[str]:
        for need in needs_of(resource.type):
            if applies(need.when, resource.inputs):
                yield from self._found(resource, need)

    def awaited_by(self, resource: Resource) -> Iterator[str]:
        """The needs that its creation awaits once it is under way."""
        for need in needs_of(resource.type):
            if need.awaited and applies(need.when, resource.inputs):
                yield from self._found(resource, need)

    def _found(self, resource: Resource, need: Need) -> Iterator[str]:
        reached = [resource.urn]
        for step in need.steps:
            reached = list(dict.fromkeys(urn for start in reached for urn in self._next(self._graph[start], step)))
        return (urn for urn in reached if urn != resource.urn and applies(need.where, self._graph[urn].inputs))

    def _next(self, resource: Resource, step: NeedStep) -> list[str]:
        if not step.forward:
            return self._referrers(step, resource.type).get(resource.urn, [])
        if step.property == "*":
            return [each.urn for each in self._graph.of_type(step.type) if _share_a_project(resource, each)]
        if "{" in step.property:
            try:
                name = step.property.format_map({**resource.inputs, **resource.outputs})
            except KeyError:
                return []
            found = self._site.named(step.type, name)
            return [] if found is None else [found.urn]
        return self._pointed_at(resource, step.property, step.type)

    def _referrers(self, step: NeedStep, to: str) -> dict[str, list[str]]:
        key = (step.type, step.property, to)
        if key not in self._pointing:
            index: dict[str, list[str]] = {}
            for resource in self._graph.of_type(step.type):
                for urn in self._pointed_at(resource, step.property, to):
                    index.setdefault(urn, []).append(resource.urn)
            self._pointing[key] = index
        return self._pointing[key]

    def _pointed_at(self, resource: Resource, path: str, type_: str) -> list[str]:
        """By a value that flows, also as a part of another one, or by a name that is written out."""
        view = View(resource, self._site)
        flowing = [source.urn for source in view.sources(PropertyPath.parse(path).top, type_)]
        if flowing:
            return flowing
        try:
            return [target.urn for target in view.found(path, type_)]
        except (NotKnown, TypeMismatch):
            return []


def _share_a_project(one: Resource, other: Resource) -> bool:
    """True if two resources are in one project, as far as they name theirs and do not leave it to the provider."""
    projects = {each.inputs["project"] for each in (one, other) if isinstance(each.inputs.get("project"), str)}
    return len(projects) < 2  # noqa: PLR2004 - both name the same, or one does not

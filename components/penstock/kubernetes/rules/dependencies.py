"""Which resources wait for which, directly or through others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.graph.graph import Resource
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules.types import DEFINITION, NAMESPACE

_WAITED_FOR = (NAMESPACE, RELEASE, DEFINITION)


def follows(view: View, maker: View) -> bool:
    """Return whether a resource is created after another: a namespace, a Helm release or a custom definition."""
    bits, reached = view.site.once(_reached)
    return bool(reached[view.urn] & bits[maker.urn])


def waits_for(maker: View, view: View) -> bool:
    """Return whether a maker is itself created after a resource that needs it."""
    return view.urn in maker.site.once(_Order).before(maker.urn)


def starts_with(view: View, maker: View) -> bool:
    """Return whether a resource waits for all that the maker waits for, so that the engine creates both at once."""
    needs, own = (
        {urn for urn in _needs(each.resource) if urn in view.site.graph.resources and view.site.graph[urn].custom}
        for each in (maker, view)
    )
    order = view.site.once(_Order)
    return all(view.urn in order.after(need) for need in needs - own)


class _Order:
    """What comes before and after a resource, looked up for the few that others need."""

    def __init__(self, site: Site) -> None:
        self._needs = {resource.urn: _needs(resource) for resource in site.graph}
        self._needed_by: dict[str, list[str]] = {}
        for urn, needs in self._needs.items():
            for need in needs:
                self._needed_by.setdefault(need, []).append(urn)
        self._reached: dict[tuple[str, bool], frozenset[str]] = {}

    def before(self, urn: str) -> frozenset[str]:
        """The resources that one waits for, directly or through others."""
        return self._all(urn, self._needs, forward=False)

    def after(self, urn: str) -> frozenset[str]:
        """The resources that wait for one, directly or through others."""
        return self._all(urn, self._needed_by, forward=True)

    def _all(self, urn: str, steps: Mapping[str, Sequence[str]], *, forward: bool) -> frozenset[str]:
        if (urn, forward) not in self._reached:
            found: set[str] = set()
            waiting = [urn]
            while waiting:
                new = set(steps.get(waiting.pop(), ())) - found
                found |= new
                waiting += new
            self._reached[urn, forward] = frozenset(found)
        return self._reached[urn, forward]


def of_one_manifest(view: View, other: View) -> bool:
    """Return whether both come out of one file, chart or folder, which the SDK lets nobody order."""
    return bool(_manifests(view) & _manifests(other))


def _manifests(view: View) -> set[str]:
    resources, found = view.site.graph.resources, set()
    above = resources.get(view.resource.parent)
    while above is not None:
        if above.type.startswith("kubernetes:"):
            found.add(above.urn)
        above = resources.get(above.parent)
    return found


def _reached(site: Site) -> tuple[dict[str, int], dict[str, int]]:
    """A bit for each resource that others wait for, and for every resource the bits of those that it comes after."""
    resources = site.graph.resources
    bits = {resource.urn: 1 << index for index, resource in enumerate(site.graph.of_type(*_WAITED_FOR))}
    reached: dict[str, int] = {}
    for start in resources:
        path = [start]
        while path:
            urn = path[-1]
            missing = [need for need in _needs(resources[urn]) if need in resources and need not in reached]
            if missing and urn not in reached:
                reached[urn] = 0  # it waits; a circle, which no engine takes, ends here
                path.extend(missing)
                continue
            path.pop()
            reached[urn] = bits.get(urn, 0)
            for need in _needs(resources[urn]):
                reached[urn] |= reached.get(need, 0)
    return bits, reached


def _needs(resource: Resource) -> tuple[str, ...]:
    return (resource.parent, resource.provider_urn, *resource.dependencies)

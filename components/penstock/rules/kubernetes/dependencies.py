"""Which resources wait for which, directly or through others."""

from __future__ import annotations

from penstock.resources.graph import Resource
from penstock.resources.view import Site, View
from penstock.rules.kubernetes.types import DEFINITION, NAMESPACE, RELEASE

_WAITED_FOR = (NAMESPACE, RELEASE, DEFINITION)


def follows(view: View, maker: View) -> bool:
    """Return whether a resource is created after another: a namespace, a Helm release or a custom definition."""
    bits, reached = view.site.once(_reached)
    return bool(reached[view.urn] & bits[maker.urn])


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

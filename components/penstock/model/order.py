"""The order in which resources are created."""

from __future__ import annotations

from penstock.graph.view import View


def comes_after(later: View, earlier: View) -> bool:
    """Return whether a resource is created after another, by a direct or an indirect dependency."""
    graph = later.site.graph.resources
    waiting, seen = [later.urn], {later.urn}
    while waiting:
        resource = graph.get(waiting.pop())
        if resource is None:
            continue
        for need in (*resource.dependencies, resource.parent, resource.provider_urn):
            if need == earlier.urn:
                return True
            if need and need not in seen:
                seen.add(need)
                waiting.append(need)
    return False

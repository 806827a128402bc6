"""The project and region that a command is for."""

from __future__ import annotations

import re
from typing import Final

from penstock.gcp.model.apis import project_of
from penstock.gcp.model.places import region
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View

UNKNOWN_PROJECT = "PROJECT"
"""What a command has where the project is not known."""

UNKNOWN_REGION = "REGION"
"""What a command has where the region is not known."""

_PROVIDER = "pulumi:providers:gcp"

_PARENTS: Final = ("keyRing", "keyRingId", "cryptoKeyId", "secret")
"""Properties by which resources without a property `project` name what they are in."""

_OF_PROJECT: Final = re.compile(r"projects/(?P<project>[^/]+)/")


def project_or_parents(view: View) -> str | None:
    """Return the project of a resource, or that of what it is in; None where neither is known."""
    project = project_of(view)
    if project is not None:
        return project
    parents = (view.given(name) for name in _PARENTS)
    found = (_OF_PROJECT.match(parent) for parent in parents if isinstance(parent, str))
    return next((match["project"] for match in found if match is not None), None)


def project_for(site: Site, urn: str = "") -> str:
    """Return the project of a resource, or that of the program's first provider that names one."""
    resource = site.graph.resources.get(urn)
    views = [View(resource, site)] if resource is not None and resource.type.startswith("gcp:") else []
    named = (project_or_parents(view) for view in (*views, *site.of_type(_PROVIDER)))
    return next(filter(None, named), UNKNOWN_PROJECT)


def region_for(view: View) -> str:
    """Return the region of a resource."""
    try:
        return region(view)
    except NotKnown:
        return UNKNOWN_REGION

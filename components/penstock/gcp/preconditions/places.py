"""The project and region that a command is for."""

from __future__ import annotations

from penstock.gcp.model.apis import project_of
from penstock.gcp.model.places import region
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View

UNKNOWN_PROJECT = "PROJECT"
"""What a command has where the project is not known."""

UNKNOWN_REGION = "REGION"
"""What a command has where the region is not known."""

_PROVIDER = "pulumi:providers:gcp"


def project_for(site: Site, urn: str = "") -> str:
    """Return the project of a resource, or that of the program's first provider that names one."""
    resource = site.graph.resources.get(urn)
    views = [View(resource, site)] if resource is not None and resource.type.startswith("gcp:") else []
    named = (project_of(view) for view in (*views, *site.of_type(_PROVIDER)))
    return next(filter(None, named), UNKNOWN_PROJECT)


def region_for(view: View) -> str:
    """Return the region of a resource."""
    try:
        return region(view)
    except NotKnown:
        return UNKNOWN_REGION

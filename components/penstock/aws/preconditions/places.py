"""The region that a command is for."""

from __future__ import annotations

from penstock.aws.model.ec2 import aws_region
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View

UNKNOWN_REGION = "REGION"
"""What a command has where the region is not known."""

_PROVIDER = "pulumi:providers:aws"


def region_of(site: Site, urn: str) -> str:
    """Return the region of a resource, or that of the program's first provider."""
    for view in (*_views(site, urn), *site.of_type(_PROVIDER)):
        try:
            return aws_region(view)
        except NotKnown:
            continue
    return UNKNOWN_REGION


def _views(site: Site, urn: str) -> list[View]:
    resource = site.graph.resources.get(urn)
    return [] if resource is None or not resource.type.startswith("aws:") else [View(resource, site)]

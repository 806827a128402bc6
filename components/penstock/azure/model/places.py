"""The region of a resource of Azure."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER, RESOURCES_RESOURCE_GROUP
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_HOLDERS: Final = {
    CONTAINERSERVICE_AGENT_POOL: ("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER),
}
"""Where a resource that has no location of its own names the one that it is part of."""


def name_of_location(text: str) -> str:
    """Return a location as the API spells it: East US is eastus."""
    return text.replace(" ", "").lower()


def region(view: View) -> str:
    """The region that a resource is created in, as the API spells it: East US is eastus.

    Raises:
        NotKnown: neither the resource nor its provider nor its group says so.
    """
    if view.type in _HOLDERS:
        holder = view.one(*_HOLDERS[view.type])
        if holder is None:
            raise NotKnown
        return region(holder)
    return name_of_location(view.text("location") or location_of_group(view))


def location_of_group(view: View) -> str:
    """The location of what names none: that of the provider, or else that of its resource group.

    Raises:
        NotKnown: the provider names none, and the group lies outside the program.
    """
    if view.resource.provider_urn not in view.site.graph.resources:
        raise NotKnown
    if found := view.provider.text("location"):
        return found
    group = None if view.type == RESOURCES_RESOURCE_GROUP else view.one("resourceGroupName", RESOURCES_RESOURCE_GROUP)
    if group is None:
        raise NotKnown
    return group.text("location") or location_of_group(group)

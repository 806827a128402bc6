"""The region of a resource of Azure."""

from __future__ import annotations

from typing import Final

from penstock.resources.verdict import NotKnown
from penstock.resources.view import View

_GROUP: Final = "azure-native:resources:ResourceGroup"


def region(view: View) -> str:
    """The region that a resource is created in, as the API spells it: East US is eastus.

    Raises:
        NotKnown: neither the resource nor its provider nor its group says so.
    """
    return (view.text("location") or location_of_group(view)).replace(" ", "").lower()


def location_of_group(view: View) -> str:
    """The location of what names none: that of the provider, or else that of its resource group.

    Raises:
        NotKnown: the provider names none, and the group lies outside the program.
    """
    if view.resource.provider_urn not in view.site.graph.resources:
        raise NotKnown
    if found := view.provider.text("location"):
        return found
    group = None if view.type == _GROUP else view.one("resourceGroupName", _GROUP)
    if group is None:
        raise NotKnown
    return group.text("location") or location_of_group(group)

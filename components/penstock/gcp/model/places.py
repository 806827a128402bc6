"""Where resources of Google Cloud are: their region, and what its name alone shows of the place."""

from __future__ import annotations

import re

from penstock.catalog import regions
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.gcp.facts.zones import zone_exists
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_PLACE = re.compile(r"(?!aws-|azure-)(?P<region>[a-z]+-[a-z]+\d+)(?:-(?P<zone>[a-z0-9]+))?")
"""Regions and zones of Google Cloud: BigQuery Omni's are those of other clouds, such as azure-eastus2."""
_GIVEN = ("region", "zone", "location")


def place(view: View) -> str:
    """The region, zone or multi-region that a resource is created in, in lower case.

    Raises:
        NotKnown: neither the resource nor its provider says so.
    """
    given = (view.text(key) for key in _GIVEN)
    named = next(filter(None, given), None) or view.provider.text("region")
    if not named and not view.has_own_provider:
        named = next(filter(None, (view.outputs.text(key) for key in _GIVEN)), None)
    if not named:
        raise NotKnown
    return named.rpartition("/")[2].lower()


def region(view: View) -> str:
    """The region that a resource is created in; that of its zone where it is in one."""
    return region_of(place(view)) or place(view)


def region_of(name: str) -> str | None:
    """The region that a region or zone is or lies in; None for what is neither, such as a multi-region."""
    found = _PLACE.fullmatch(name)
    return None if found is None else found["region"]


def is_zone(name: str) -> bool:
    """Return whether this is the name of a zone, by its form."""
    found = _PLACE.fullmatch(name)
    return found is not None and found["zone"] is not None


def is_region(name: str) -> bool:
    """Return whether this is the name of a region, by its form."""
    found = _PLACE.fullmatch(name)
    return found is not None and found["zone"] is None


def is_unlisted(name: str) -> bool:
    """Return whether a region or zone is one that public lists do not name, and Google's own sources do."""
    zones = {row["zone"] for row in rows("gcp/unlisted_zones")}
    listed = {region.name for region in regions.all_regions("gcp")}
    return name in zones or region_of(name) in {region_of(zone) for zone in zones} - listed


def exists(name: str) -> bool:
    """Return whether there is a region or a zone of that name, as far as the catalogue can tell.

    AI zones, such as us-central1-ai1a, are believed where their region is known: public lists do not name them.
    """
    try:
        region = regions.find_region(region_of(name) or name, "gcp")
    except UnknownFact:
        return False
    return not is_zone(name) or zone_exists(name, region) is not False

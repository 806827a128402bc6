"""The zones of Google Cloud, which have one name for everybody."""

from __future__ import annotations

import re

from penstock.catalog.machine_zones import zones_with_machines
from penstock.catalog.regions import Region

_ORDINARY = re.compile(r"[a-z]")


def zone_exists(zone: str, region: Region) -> bool | None:
    """Return whether a region has a zone of that name; None for an AI zone, such as us-central1-ai1a.

    Public lists do not name those, nor all zones of a region that sells accelerators only.
    """
    if zone in region.zones or zone in zones_with_machines("gcp"):
        return True
    ordinary = _ORDINARY.fullmatch(zone.removeprefix(f"{region.name}-"))
    return False if ordinary and "zones" not in region.unverified else None

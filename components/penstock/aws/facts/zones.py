"""The names and ids of availability zones, as far as they are known of every account.

Each account has its own letters for the zones of a region, and older ones see zones that newer ones do not: us-west-1b,
or cac1-az3. No account sees a letter or a number beyond those of the region's zones.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

from penstock.catalog.machine_zones import local_zones
from penstock.catalog.regions import Region, all_regions

_EDGE = re.compile(r"(-[a-z0-9]+)+-\d+[a-z]?")
"""The end of the name of a Local Zone (us-west-2-lax-1a) or of a Wavelength Zone (us-east-1-wl1-bos-wlz-1)."""
_ID = re.compile(r"(?P<prefix>[a-z]+\d)-az(?P<number>\d+)")


def is_zone_id(text: str) -> bool:
    """Return whether a text has the form of the id of an ordinary zone, such as use1-az1."""
    return _ID.fullmatch(text) is not None


def zone_name_exists(name: str, region: Region) -> bool | None:
    """Return whether a region has a zone of that name; None for one that only some accounts may see."""
    if name in region.zones or name in local_zones("aws"):
        return name.startswith(region.name)
    letter = name.removeprefix(region.name)
    if letter == name:
        return False
    if letter not in set(ascii_lowercase):
        return None if _EDGE.fullmatch(letter) else False
    if "zones" in region.unverified:
        return None
    return None if ascii_lowercase.index(letter) < _most_zones(region) else False


def zone_id_exists(zone_id: str, region: Region) -> bool | None:
    """Return whether a region has a zone of that id; as `zone_name_exists`."""
    local = local_zones("aws").get(zone_id)
    if zone_id in region.zone_ids or local is not None:
        return local is None or local.region == region.name
    found = _ID.fullmatch(zone_id)
    if found is None:
        return None if zone_id.startswith(f"{_prefix(region)}-") else False
    if found["prefix"] != _prefix(region):
        return False
    return None if int(found["number"]) <= _most_zones(region) or "zone_ids" in region.unverified else False


def region_of_zone_id(zone_id: str) -> str | None:
    """Return the region that the beginning of a zone's id stands for."""
    prefix = zone_id.partition("-")[0]
    return next((region.name for region in all_regions("aws") if _prefix(region) == prefix), None)


def _prefix(region: Region) -> str:
    return region.zone_ids[0].partition("-")[0] if region.zone_ids else ""


def _most_zones(region: Region) -> int:
    """The zones that the accounts of a region may see together, by the highest number and the last letter."""
    numbers = (int(found["number"]) for zone_id in region.zone_ids if (found := _ID.fullmatch(zone_id)))
    letters = (ascii_lowercase.index(zone[-1]) + 1 for zone in region.zones)
    return max((*numbers, *letters), default=0)

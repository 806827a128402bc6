"""Which machine types are sold in which zone; a region that sells a type seldom sells it in all of its zones.

Google's zones have one name for everybody. AWS maps the names of zones (us-east-1a) to buildings anew for each account,
so that its table has zone ids (use1-az1), and a name says something only where all of a region's zones, or none, sell
a type. A Local Zone (us-east-1-dfw-2a) is the same place for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import keyed, records
from penstock.catalog.regions import Region, all_regions
from penstock.catalog.tables import clouds_with


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineZones:
    """The zones that sell a machine type: by name on Google Cloud, by id on AWS."""

    machine_type: str
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalZone:
    """A zone of a region that lies elsewhere, and that an account opts in to."""

    name: str
    zone_id: str
    region: str


def is_sold(machine_type: str, zone: str, cloud: str) -> bool | None:
    """Return whether a zone, by its name or id, sells a machine type; None where that is not known."""
    region = region_of_zone(zone, cloud)
    selling = _selling(machine_type, region, cloud) if region is not None else ()
    if region is None or not selling:
        # The table may be older than the offer of the region, which `offerings` knows.
        return True if region is not None and zone in zones_seen(machine_type, region.name, cloud) else None
    local = local_zones(cloud).get(zone)
    known = local.zone_id if local is not None else zone
    if known in selling:
        return True
    if local is not None or known in region.zone_ids:
        return False
    if known not in region.zones:
        return None  # an AI zone, say, that public lists do not name
    if not region.zone_ids:
        return False
    sold = [zone_id in selling for zone_id in region.zone_ids]
    return all(sold) if all(sold) or not any(sold) else None


def is_single_tenant(machine_type: str, zone: str, cloud: str) -> bool:
    """Return whether a zone sells a machine type only to customers that have agreed on it with the cloud."""
    found = keyed(MachineZones, f"{cloud}/single_tenant_zones") if cloud in clouds_with("single_tenant_zones") else {}
    return machine_type in found and zone in found[machine_type].zones


def zones_seen(machine_type: str, region: str, cloud: str) -> tuple[str, ...]:
    """The zones of a region that are known to sell a machine type of which no whole list is known."""
    table = keyed(MachineZones, f"{cloud}/zones_seen") if cloud in clouds_with("zones_seen") else {}
    found = table.get(machine_type)
    return tuple(zone for zone in found.zones if zone.startswith(f"{region}-")) if found is not None else ()


def zones_selling(machine_type: str, region: str, cloud: str) -> tuple[str, ...]:
    """The zones of a region that sell a machine type, as users name them; empty where that is not known."""
    found = next((each for each in all_regions(cloud) if each.name == region), None)
    names = {each.zone_id: each.name for each in local_zones(cloud).values()}
    return tuple(names.get(zone, zone) for zone in _selling(machine_type, found, cloud)) if found is not None else ()


@cache
def zones_with_machines(cloud: str) -> frozenset[str]:
    """Return every zone that sells one of the machine types of the table, by its name or id."""
    return frozenset(zone for found in _table(cloud).values() for zone in found.zones)


def may_sell(machine_type: str, zones: Iterable[str], cloud: str) -> tuple[str, ...]:
    """Those of some zones that are not known to lack a machine type, in their order."""
    return tuple(zone for zone in zones if is_sold(machine_type, zone, cloud) is not False)


@cache
def local_zones(cloud: str) -> Mapping[str, LocalZone]:
    """The Local Zones of a cloud by their names and by their ids."""
    rows = records(LocalZone, f"{cloud}/local_zones") if cloud in clouds_with("local_zones") else ()
    return {key: row for row in rows for key in (row.name, row.zone_id)}


@cache
def region_of_zone(zone: str, cloud: str) -> Region | None:
    """The region of a zone by its name or id; None for a zone of no region that the catalogue has."""
    local = local_zones(cloud).get(zone)
    for region in all_regions(cloud):
        named = zone in region.zones or zone in region.zone_ids or (local is not None and local.region == region.name)
        if named or (zone.startswith(f"{region.name}-") and not region.zone_ids):
            return region
    return None


def _selling(machine_type: str, region: Region, cloud: str) -> tuple[str, ...]:
    found = _table(cloud).get(machine_type)
    prefix = f"{region.zone_ids[0].rpartition('-')[0]}-" if region.zone_ids else f"{region.name}-"
    return tuple(zone for zone in found.zones if zone.startswith(prefix)) if found is not None else ()


@cache
def _table(cloud: str) -> Mapping[str, MachineZones]:
    return keyed(MachineZones, f"{cloud}/machine_zones") if cloud in clouds_with("machine_zones") else {}

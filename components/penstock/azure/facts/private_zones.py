"""Private DNS zones, by which names of services lead to their private endpoints."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateZone:
    """The zones of one sub-resource of a service, such as `blob` of a storage account.

    Attributes:
        resource: the sub-resource, as `groupIds` of an endpoint name it.
        zones: of its names; several where services share the word, or one has names in several.
    """

    resource: str
    zones: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_zone(resource: str) -> str:
    """The name of the zone of a sub-resource; of several, the first.

    Raises:
        UnknownFact: the catalogue has none; the text names the nearest ones.
    """
    found = record_of(PrivateZone, "azure/private_zones", resource, "sub-resource with a private endpoint")
    return found.zones[0]


def zones_of(resource: str) -> tuple[str, ...]:
    """The names of all zones of a sub-resource, which Azure knows in any case; empty where the catalogue has none."""
    names = {each.resource.casefold(): each.zones for each in records(PrivateZone, "azure/private_zones")}
    return names.get(resource.casefold(), ())

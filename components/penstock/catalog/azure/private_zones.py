"""Private DNS zones, by which names of services lead to their private endpoints."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateZone:
    """The zone of one sub-resource of a service, such as `blob` of a storage account."""

    resource: str
    zone: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_zone(resource: str) -> str:
    """The name of the zone of a sub-resource.

    Raises:
        UnknownFact: the catalogue has none; the text names the nearest ones.
    """
    return record_of(PrivateZone, "azure/private_zones", resource, "sub-resource with a private endpoint").zone

"""Locations that span regions: where a service keeps data in several of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from penstock.catalog.records import Column, records
from penstock.catalog.tables import unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiRegion:
    """A location of a service beyond its regions, in lower case.

    Attributes:
        kind: multi for several regions that Google chooses, dual for two that are known.
        key_location: where the key of Cloud KMS is that encrypts data there.
    """

    service: str
    name: Annotated[str, Column("location")]
    kind: Literal["multi", "dual"]
    key_location: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_multi_region(service: str, name: str) -> MultiRegion:
    """The location of that name, in any case.

    Raises:
        UnknownFact: the service has none of that name.
    """
    table = _table(service)
    if name.lower() not in table:
        raise unknown(f"multi-region of {service}", name, table)
    return table[name.lower()]


def multi_region_names(service: str) -> tuple[str, ...]:
    """The locations of a service, in the order of the table."""
    return tuple(_table(service))


@cache
def _table(service: str) -> dict[str, MultiRegion]:
    return {each.name: each for each in records(MultiRegion, "gcp/multi_regions") if each.service == service}

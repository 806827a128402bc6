"""Regions and their zones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One region of a cloud.

    Attributes:
        place: where it is, in the cloud's words.
        zones: full names, such as us-east-1a. On AWS the letters represent different buildings in different accounts,
            and an account may see fewer zones. On Azure, the names that nodes are labelled with, such as eastus-1; the
            numbers represent different buildings in different subscriptions.
        zone_ids: ids of the same zones on AWS, such as use1-az1, and on Azure, such as eastus-az1, which mean the same
            buildings in every account. Their order is not that of the names. Empty on other clouds.
        partition: the part of AWS that shares accounts and ARNs; empty on other clouds.
        residency: eu, or the ISO 3166 code of the country outside the EU whose law holds for data in it.
        dns_suffix: the end of the names of its services on AWS.
    """

    cloud: str
    name: Annotated[str, Column("region")]
    place: str
    zones: tuple[str, ...]
    residency: str
    unverified: tuple[str, ...]
    source: str
    as_of: str
    partition: str = ""
    dns_suffix: str = ""
    zone_ids: tuple[str, ...] = ()


def find_region(name: str, cloud: str) -> Region:
    """The region of that exact name.

    Raises:
        UnknownFact: the cloud has no such region; the text names the nearest ones.
    """
    return record_of(Region, f"{cloud}/regions", name, "region", cloud=cloud)


def all_regions(cloud: str) -> tuple[Region, ...]:
    """Every region of a cloud, in the order of the table."""
    return tuple(keyed(Region, f"{cloud}/regions", cloud=cloud).values())

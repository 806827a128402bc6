"""The carbon of electricity, by region.

The clouds publish it by methods that differ, so that figures of one cloud can be ranked, and those of two cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed
from penstock.catalog.tables import clouds_with


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The electricity of one region.

    Attributes:
        grid_g_kwh: grams of CO2 equivalent for each kWh, a yearly mean.
        carbon_free_share: the part that the cloud's own purchases make free of carbon; None is "not known".
        pue: power of the site over power of its machines, of the cloud's whole fleet.
    """

    name: Annotated[str, Column("region")]
    grid_g_kwh: float
    carbon_free_share: float | None
    pue: float
    unverified: tuple[str, ...]
    source: str
    as_of: str


def grid_of(region: str, cloud: str) -> Grid | None:
    """The grid of a region; None where it is not known."""
    return keyed(Grid, f"{cloud}/carbon").get(region) if cloud in clouds_with("carbon") else None


def all_grids(cloud: str) -> tuple[Grid, ...]:
    """Every grid of a cloud that is known, in the order of the table."""
    return tuple(keyed(Grid, f"{cloud}/carbon").values()) if cloud in clouds_with("carbon") else ()

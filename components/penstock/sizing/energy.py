"""Energy of a job and the carbon of it."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.carbon import Grid, all_grids, grid_of
from penstock.catalog.chips import Chip
from penstock.catalog.sizing_assumptions import assumed


@dataclass(frozen=True, slots=True, kw_only=True)
class Energy:
    """Energy in kWh with the site's own share, and carbon in kg of CO2 equivalent; None is "not known"."""

    kwh: float | None
    carbon_kg: float | None
    grid: Grid | None


def energy_of(chip: Chip, accelerators: int, hours: float, *, region: str | None, cloud: str) -> Energy:
    """The product of accelerators, rated power, use, hours and PUE; and of that and the intensity of the grid."""
    grid = grid_of(region, cloud) if region is not None else None
    if chip.power_w is None or grid is None:
        return Energy(kwh=None, carbon_kg=None, grid=grid)
    kwh = accelerators * chip.power_w / 1000 * assumed("power_use") * hours * grid.pue
    return Energy(kwh=kwh, carbon_kg=kwh * grid.grid_g_kwh / 1000, grid=grid)


def cleanest_first(cloud: str) -> tuple[Grid, ...]:
    """The grids of one cloud, the cleanest first; figures of two clouds cannot be compared."""
    return tuple(sorted(all_grids(cloud), key=lambda each: each.grid_g_kwh))

"""Machines that have no price, whatever the catalogue learns: the price of some types is taken away."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from penstock.catalog import prices

UNHEARD = "x99.48xlarge"
"""A machine type that no cloud sells."""


def take_prices_away(monkeypatch: pytest.MonkeyPatch, types: Collection[str]) -> None:
    """Let the catalogue have no price of these machine types."""
    known = prices.machine_hour

    def machine_hour(machine_type: str, region: str, capacity: str, cloud: str) -> prices.Price | None:
        return None if machine_type in types else known(machine_type, region, capacity, cloud)

    monkeypatch.setattr(prices, "machine_hour", machine_hour)

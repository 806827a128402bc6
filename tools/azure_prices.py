"""Prices of virtual machines of Azure: `python -m tools.azure_prices prices.json`, with its retail prices."""

from __future__ import annotations

from penstock.catalog.price_lists.azure import SOURCE, refreshed
from tools import refresh

__all__ = ["SOURCE", "refreshed"]

if __name__ == "__main__":
    refresh.main("azure/prices", refreshed)

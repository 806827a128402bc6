"""Prices of Compute Engine: `python -m tools.gcp_prices skus.json`, with the SKUs of the service 6F81-5844-456A."""

from __future__ import annotations

from penstock.catalog.price_lists.gcp import SOURCE, refreshed
from tools import refresh

__all__ = ["SOURCE", "refreshed"]

if __name__ == "__main__":
    refresh.main("gcp/prices", refreshed)

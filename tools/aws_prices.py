"""Prices of EC2: `python -m tools.aws_prices index.csv`, with a region's price list of AmazonEC2."""

from __future__ import annotations

from penstock.catalog.price_lists.aws import SOURCE, refreshed
from tools import refresh

__all__ = ["SOURCE", "refreshed"]

if __name__ == "__main__":
    refresh.main("aws/prices", refreshed)

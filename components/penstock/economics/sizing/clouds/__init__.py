"""What sizing needs of each cloud, asked by its record: storage on sale, slices, and the fields of its descriptions."""

from __future__ import annotations

from penstock.economics.sizing.clouds.cloud_sizing import CloudSizing, LustreSale, PricedItem, sizing_of

__all__ = ["CloudSizing", "LustreSale", "PricedItem", "sizing_of"]

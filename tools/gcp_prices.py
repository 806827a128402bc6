"""Prices of Compute Engine, from Google's SKUs or from a checkout of a published list.

`python -m tools.gcp_prices skus.json` reads SKUs of the service 6F81-5844-456A into gcp/prices.
`python -m tools.gcp_prices FOLDER` reads a checkout into the tables of all regions: `tools.machine_prices`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from penstock.gcp.cost.price_list import SOURCE, refreshed
from tools import machine_prices, refresh
from tools.machine_prices import Before, Published, Reader

__all__ = ["LISTS", "SOURCE", "refreshed"]


def _karpenter(capacity: str, files: Sequence[Path], _: Before) -> Published:
    """The table of karpenter-provider-gcp, which does not say its date."""
    by_region = json.loads(files[0].read_text(encoding="utf-8"))["prices"]
    found = {
        (region, machine_type): usd
        for region, ways in by_region.items()
        for machine_type, usd in ways.get(capacity, {}).items()
        if usd
    }
    return Published(found)


_FILE: Final = "pkg/providers/pricing/initial-prices.json"

LISTS: Final = {
    "karpenter": Reader(_FILE, partial(_karpenter, "on_demand")),
    "karpenter-spot": Reader(_FILE, partial(_karpenter, "spot")),
}
"""The lists of gcp/machine_price_lists."""

if __name__ == "__main__":
    folders = [Path(each) for each in sys.argv[1:]]
    if folders and all(each.is_dir() for each in folders):
        machine_prices.run("gcp", LISTS, folders)
    else:
        refresh.main("gcp/prices", refreshed)

"""Prices of virtual machines of Azure, from its retail prices or from a checkout of a published list.

`python -m tools.azure_prices prices.json` reads retail prices of regions into azure/prices.
`python -m tools.azure_prices FOLDER` reads a checkout into the tables of all regions: `tools.machine_prices`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from penstock.azure.cost.price_list import SOURCE, refreshed
from tools import machine_prices, refresh
from tools.go_prices import read_date, read_table
from tools.machine_prices import Before, Published, Reader

__all__ = ["LISTS", "SOURCE", "refreshed"]

_SIZE = re.compile(r"(Standard|Basic)_(?!.*Type\d)\w[\w-]*")
"""A size of virtual machines; the list also has dedicated hosts."""


def _karpenter(files: Sequence[Path], _: Before) -> Published:
    listed = (price for file in files for price in read_table(file))
    prices = {key: usd for key, usd in listed if usd and _SIZE.fullmatch(key[1])}
    return Published(prices, min(map(read_date, files)))


LISTS: Final = {"karpenter": Reader("pkg/providers/pricing/zz_generated.pricing.go", _karpenter)}
"""The lists of azure/machine_price_lists."""

if __name__ == "__main__":
    folders = [Path(each) for each in sys.argv[1:]]
    if folders and all(each.is_dir() for each in folders):
        machine_prices.run("azure", LISTS, folders)
    else:
        refresh.main("azure/prices", refreshed)

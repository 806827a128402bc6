"""Long price tables, one compressed CSV file for each region: data/NAME/REGION.csv.gz of a cloud.

The price is the last column. Only the regions that are needed are read.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from penstock.catalog.tables import path_of

_ENDING: Final = ".csv.gz"
_GZIP: Final = 31
"""The format of the files for zlib, which spares the import of gzip."""


def folder_of(cloud: str, name: str) -> Path:
    """Return the folder with the tables of a cloud."""
    return path_of(f"{cloud}/{name}").with_suffix("")


@cache
def regions_with(cloud: str, name: str) -> frozenset[str]:
    """Return the regions of a cloud that have a table."""
    folder = folder_of(cloud, name)
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return frozenset(each.removesuffix(_ENDING) for each in names if each.endswith(_ENDING))


@cache
def region_prices(cloud: str, name: str, region: str) -> Mapping[str, str]:
    """Return the prices of a region as text, by the columns before them; none for a region without a table."""
    if region not in regions_with(cloud, name):
        return {}
    packed = (folder_of(cloud, name) / f"{region}{_ENDING}").read_bytes()
    text = zlib.decompress(packed, _GZIP).decode("ascii")
    return dict(line.rsplit(",", 1) for line in text.splitlines()[1:])

"""Prices of nodes of managed services, one compressed table for each region.

`node_price_lists` of a cloud names the published list of each service. The table of a region is
data/node_prices/REGION.csv.gz beside it: a service, an item and its USD an hour in each line. Only the regions that are
asked for are read.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from penstock.catalog.records import keyed
from penstock.catalog.tables import clouds_with, path_of

HEADER: Final = "service,item,usd_h"
LISTS: Final = "node_price_lists"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeList:
    """The published list of a service: a pattern of its files in a checkout, its source and its date."""

    service: str
    files: str
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class NodePrice:
    """The price of one node for an hour, with the list that has it."""

    usd_h: float
    source: str
    as_of: str


def node_lists(cloud: str) -> Mapping[str, NodeList]:
    """Return the lists of a cloud by service."""
    return keyed(NodeList, f"{cloud}/{LISTS}") if cloud in clouds_with(LISTS) else {}


def find_node(cloud: str, service: str, item: str, region: str) -> NodePrice | None:
    """Return the price of a node in a region; None if no list has it."""
    listed = node_lists(cloud).get(service)
    usd = _table(cloud, region).get(f"{service},{item}") if listed is not None else None
    return None if listed is None or usd is None else NodePrice(float(usd), listed.source, listed.as_of)


def nodes_of(cloud: str, service: str, region: str) -> frozenset[str]:
    """Return the items of a service that have a price in a region."""
    keys = (key.partition(",") for key in _table(cloud, region)) if service in node_lists(cloud) else ()
    return frozenset(item for name, _, item in keys if name == service)


def folder_of(cloud: str) -> Path:
    """Return the folder with the tables of a cloud."""
    return path_of(f"{cloud}/node_prices").with_suffix("")


@cache
def _table(cloud: str, region: str) -> Mapping[str, str]:
    """The prices of a region as text, by service and item."""
    path = folder_of(cloud) / f"{region}.csv.gz"
    if not region or not path.is_file():
        return {}
    text = gzip.decompress(path.read_bytes()).decode("ascii")
    return dict(line.rsplit(",", 1) for line in text.splitlines()[1:])

"""Prices of nodes of managed services, one compressed table for each region.

`node_price_lists` of a cloud names the published list of each service. The table of a region is
data/node_prices/REGION.csv.gz beside it: a service, an item and its USD an hour in each line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from penstock.catalog.records import keyed
from penstock.catalog.region_tables import region_prices
from penstock.catalog.tables import clouds_with

HEADER: Final = "service,item,usd_h"
LISTS: Final = "node_price_lists"
TABLES: Final = "node_prices"


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
    usd = region_prices(cloud, TABLES, region).get(f"{service},{item}") if listed is not None else None
    return None if listed is None or usd is None else NodePrice(float(usd), listed.source, listed.as_of)

"""Prices of nodes of ElastiCache, MSK, OpenSearch, RDS and Redshift in all regions.

`python -m tools.aws_nodes FOLDER` reads a checkout of yeo/ec2.shop, whose `data` are those of the pricing pages.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from penstock.catalog.node_prices import HEADER, TABLES, node_lists
from penstock.catalog.region_tables import folder_of
from penstock.catalog.tables import rows
from tools.machine_prices import number

Entry = Mapping[str, str]
Found = Iterator[tuple[str, str, float]]
"""The place, the item and USD an hour."""

_CLOUD: Final = "aws"
_HOME: Final = "us-east-1"
_ENGINES: Final = {"PostgreSQL": "postgres", "MySQL": "mysql", "MariaDB": "mariadb"}
_CACHE: Final = re.compile(
    r"OnDemand Cache Instance .* (?P<engine>Redis|Valkey)( datatiering)? (Current|Previous) Generation"
)
_WAREHOUSE: Final = "OnDemand Compute Instance"
_BROKER: Final = re.compile(r"(?:.*-)?(?P<kind>Kafka|Express)\.(?P<size>[\w.-]+)", re.IGNORECASE)


def _caches(page: Mapping[str, Any]) -> Found:
    """Nodes with data tiering have families of their own; Memcached costs what Redis costs."""
    sets = {rate: name for name, rates in page["sets"].items() for rate in rates}
    for place, entries in page["regions"].items():
        for rate, entry in entries.items():
            read = _CACHE.fullmatch(sets.get(rate, rate))
            if read is not None and "Instance Type" in entry:
                yield place, f"{read['engine'].lower()} {entry['Instance Type']}", float(entry["price"])


def _brokers(page: Mapping[str, Any]) -> Found:
    for place, entries in page["regions"].items():
        for entry in entries.values():
            read = _BROKER.fullmatch(entry.get("usageType", ""))
            if read is not None and entry.get("operation") in ("RunBroker", "ExpressBroker"):
                yield place, f"{read['kind'].lower()}.{read['size']}", float(entry["price"])


def _reserved(item: Callable[[Entry], str]) -> Callable[[Mapping[str, Any]], Found]:
    """Reserved ones have the price on demand beside theirs."""

    def read(page: Mapping[str, Any]) -> Found:
        for place, entries in page["regions"].items():
            for entry in entries.values():
                if "OnDemand:PricePerUnit" in entry:
                    yield place, item(entry), float(entry["OnDemand:PricePerUnit"])

    return read


def _warehouses(page: Mapping[str, Any]) -> Found:
    """Nodes on demand; the page also has the seconds of concurrency scaling, by the same names."""
    nodes = {rate for name, rates in page["sets"].items() if name.startswith(_WAREHOUSE) for rate in rates}
    for place, entries in page["regions"].items():
        for rate, entry in entries.items():
            if rate in nodes:
                yield place, entry["Instance Type"], float(entry["price"])


READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Found]]] = {
    "elasticache": _caches,
    "msk": _brokers,
    "opensearch": _reserved(lambda entry: entry["Instance Type"]),
    "rds": _reserved(lambda entry: f"{_ENGINES[entry['Database Engine']]} {entry['Instance Type']}"),
    "redshift": _warehouses,
}
"""The reader of the pages of each service."""


def region_texts(folder: Path) -> dict[str, str]:
    """Return the text of each region's table; what the table that people keep has for the home region is left out.

    Raises:
        ValueError: the folder lacks the files of a list.
    """
    places = {row["place"].replace("Europe (", "EU ("): row["region"] for row in rows(f"{_CLOUD}/regions")}
    kept = {(row["service"], row["item"]) for row in rows(f"{_CLOUD}/node_prices") if not row["region"]}
    found: dict[str, dict[tuple[str, str], float]] = {}
    for service, listed in node_lists(_CLOUD).items():
        files = sorted((folder / "data").glob(listed.files))
        if not files:
            raise ValueError(f"{folder}: the checkout lacks data/{listed.files}")
        for place, item, usd in _priced(service, files):
            region = places.get(place.replace("Europe (", "EU ("))
            if region is not None and usd and not (region == _HOME and (service, item) in kept):
                found.setdefault(region, {})[service, item] = usd
    return {region: _text(prices) for region, prices in found.items()}


def _priced(service: str, files: Sequence[Path]) -> Found:
    for file in files:
        text = file.read_text(encoding="utf-8")
        if text.startswith("{"):  # a place without a page answers in XML
            yield from READERS[service](json.loads(text))


def _text(prices: Mapping[tuple[str, str], float]) -> str:
    lines = (f"{service},{item},{number(usd)}" for (service, item), usd in sorted(prices.items()))
    return "\n".join([HEADER, *lines, ""])


def main(folder: Path) -> None:
    """Write the tables of all regions anew."""
    target = folder_of(_CLOUD, TABLES)
    target.mkdir(exist_ok=True)
    for region, text in sorted(region_texts(folder).items()):
        path = target / f"{region}.csv.gz"
        path.write_bytes(gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0))
        print(f"{region}: {text.count(chr(10)) - 1} prices")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The price services of the clouds, asked by their records over the network of whoever refreshes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

from penstock.catalog.price_lists.asking import Fresh
from penstock.catalog.price_lists.merging import MACHINE_KEY, Row, merged
from penstock.core.errors import PriceServiceFailed
from penstock.providers import provider_named

_SERVICE_KEY: Final = ("cloud", "service", "item", "region")


def example_region(cloud: str) -> str:
    """Return a region to ask a cloud's service for; empty where it answers for all of them without any."""
    region: str = _service(cloud).EXAMPLE_REGION
    return region


def ask_service(cloud: str, regions: Sequence[str], endpoint: str | None = None) -> Fresh:
    """Return the prices that a cloud's service has for regions.

    Args:
        cloud: Its name, of those that have a `price_service`.
        regions: The regions to ask for; without any, a service that needs none answers for all of its own.
        endpoint: Another address of the service, such as a mirror.

    Raises:
        KeyError: the cloud has no price service.
        PriceServiceFailed: it cannot be reached, refuses, or answers in another form.
    """
    service = _service(cloud)
    base = (endpoint or service.ENDPOINT).rstrip("/")
    try:
        fresh: Fresh = service.ask(base, regions)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        message = f"the price service of {cloud} answered in a form that is not known: {error}"
        raise PriceServiceFailed(message) from None
    return fresh


def write_prices(cloud: str, fresh: Fresh, folder: Path) -> list[tuple[Path, int, int]]:
    """Write fresh prices over those of a folder, and return each file with its new or changed rows and all of them."""
    written: list[tuple[Path, Sequence[Row], Sequence[str]]] = [
        (folder / cloud / "prices.csv", fresh.machines, MACHINE_KEY)
    ]
    if fresh.services:
        written.append((folder / "services.csv", fresh.services, _SERVICE_KEY))
    return [(path, *_write(path, rows, key)) for path, rows, key in written if rows]


def _write(path: Path, rows: Sequence[Row], key: Sequence[str]) -> tuple[int, int]:
    there: list[Row] = []
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as file:
            there = list(csv.DictReader(file))
    anew = merged(there, rows, key, lambda _: False)
    header = list(rows[0])
    text = io.StringIO()
    writer = csv.DictWriter(text, header, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(anew)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.getvalue(), encoding="utf-8")
    return sum(row not in there for row in anew), len(anew)


def _service(cloud: str) -> ModuleType:
    provider = provider_named(cloud)
    service = provider.module("price_service") if provider is not None else None
    if service is None:
        raise KeyError(cloud)
    return service

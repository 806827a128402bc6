"""Prices of virtual machines of Azure from its retail prices.

The text is the API's answer for `serviceName eq 'Virtual Machines' and armRegionName eq 'REGION'`, with the `Items` of
all pages in one list. It speaks of every size of its regions, so what it does not have there is no longer sold.
https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from penstock.azure.facts.machines import AzureMachine
from penstock.catalog import machines
from penstock.catalog.price_lists.merging import MACHINE_KEY, Row, merged
from penstock.catalog.tables import rows
from penstock.core.clock import utc_today

SOURCE = "Azure retail prices API, Virtual Machines"
_WANTED = {"type": "Consumption", "unitOfMeasure": "1 Hour", "currencyCode": "USD"}
_OTHER_PRODUCTS = ("Windows", "CloudServices", "Dedicated Host")
"""Ends of the names of products that are not plain Linux on shared hardware."""
_SIZES = ("Standard_", "Basic_")
"""Starts of the names of sizes."""


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of azure/prices with the prices of an answer, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not an answer of the retail prices API.
    """
    listed = _listed(text)
    regions = {item["armRegionName"] for item in listed}
    priced = {row["machine_type"] for row in rows("azure/prices")}
    known = {machine.machine_type for machine in machines.machine_types(AzureMachine)} | priced
    every = _rows(listed, as_of or utc_today().isoformat())
    fresh = (row for row in every if row["machine_type"] in known)
    return merged(shipped, fresh, MACHINE_KEY, lambda row: row["region"] in regions)


def read_prices(text: str, as_of: str = "") -> list[Row]:
    """Return the prices of all machines in an answer, at a date; that of today where none is given.

    Raises:
        ValueError: as `refreshed`.
    """
    return list(_rows(_listed(text), as_of or utc_today().isoformat()))


def _listed(text: str) -> Sequence[Mapping[str, Any]]:
    listed: Sequence[Mapping[str, Any]] = json.loads(text).get("Items")
    if not listed:
        raise ValueError("this is not an answer of the retail prices API: it has no Items")
    return listed


def _rows(listed: Sequence[Mapping[str, Any]], as_of: str) -> Iterator[Row]:
    for item in listed:
        is_plain = all(item[key] == value for key, value in _WANTED.items())
        is_other = item["productName"].endswith(_OTHER_PRODUCTS) or item["skuName"].endswith(" Low Priority")
        if is_plain and not is_other and item["armSkuName"].startswith(_SIZES) and item["retailPrice"]:
            yield {
                "machine_type": item["armSkuName"],
                "region": item["armRegionName"],
                "capacity": "spot" if item["skuName"].endswith(" Spot") else "on_demand",
                "usd_h": f"{item['retailPrice']:g}",
                "unverified": "",
                "source": SOURCE,
                "as_of": as_of,
            }

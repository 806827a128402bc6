"""The price service of Azure: its retail prices, page by page, for which nobody needs an account."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from penstock.azure.cost.price_list import read_prices
from penstock.catalog.price_lists.asking import MOST_PAGES, Fresh, answered
from penstock.catalog.price_lists.merging import Row

ENDPOINT: Final = "https://prices.azure.com"
EXAMPLE_REGION: Final = "eastus"


def ask(base: str, regions: Sequence[str]) -> Fresh:
    """Return the prices of virtual machines, region by region."""
    rows: list[Row] = []
    for region in regions:
        wanted = {"$filter": f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}'"}
        url = f"{base}/api/retail/prices?{urlencode(wanted)}"
        items = [item for page in _pages(url, base) for item in page["Items"]]
        rows += read_prices(json.dumps({"Items": items}))
    return Fresh(rows)


def _pages(url: str, base: str) -> Iterator[Mapping[str, Any]]:
    """The pages of an answer of Azure, which names the next one; always of the host that was asked."""
    for _ in range(MOST_PAGES):
        page = answered(url)
        yield page
        following = page.get("NextPageLink")
        if not following:
            return
        parts = urlsplit(following)
        url = f"{base}{parts.path}{'?' if parts.query else ''}{parts.query}"

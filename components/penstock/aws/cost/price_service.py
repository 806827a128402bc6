"""The price service of AWS: the bulk price list of a region, for which nobody needs an account."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from penstock.aws.cost.price_list import read_list
from penstock.catalog.price_lists.asking import NO_REGION, Fresh, opened
from penstock.catalog.price_lists.merging import Row

ENDPOINT: Final = "https://pricing.us-east-1.amazonaws.com"
EXAMPLE_REGION: Final = "us-east-1"


def ask(base: str, regions: Sequence[str]) -> Fresh:
    """Return the prices of machines and of what is beside them, region by region."""
    hours: list[Row] = []
    services: list[Row] = []
    for region in regions:
        url = f"{base}/offers/v1.0/aws/AmazonEC2/current/{quote(region)}/index.csv"
        with opened(url, absent=NO_REGION) as answer:
            found = read_list(io.TextIOWrapper(answer, encoding="utf-8-sig", newline=""))
        hours += found[0]
        services += found[1]
    return Fresh(hours, services)

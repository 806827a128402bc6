"""The price service of Google Cloud: SKUs page by page, for an API key with the Cloud Billing API."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from penstock.catalog.price_lists.asking import MOST_PAGES, Fresh, answered
from penstock.core.errors import PriceServiceFailed
from penstock.gcp.cost.price_list import read_skus

ENDPOINT: Final = "https://cloudbilling.googleapis.com"
EXAMPLE_REGION: Final = ""
"""None needs to be named."""

GOOGLE_KEY: Final = "GOOGLE_API_KEY"
"""The variable with the API key; it is sent in a header and never shown."""

_COMPUTE_ENGINE: Final = "6F81-5844-456A"


def ask(base: str, regions: Sequence[str]) -> Fresh:
    """Return the prices of machines: the service answers for all of its regions, and others are left out.

    Raises:
        PriceServiceFailed: there is no key, or it cannot be reached, or refuses.
    """
    key = os.environ.get(GOOGLE_KEY)
    if not key:
        raise PriceServiceFailed(
            f"the Cloud Billing Catalog API needs an API key: create one for the Cloud Billing API, set {GOOGLE_KEY}."
        )
    skus: list[Any] = []
    token = ""
    for _ in range(MOST_PAGES):
        wanted = {"pageSize": "5000", **({"pageToken": token} if token else {})}
        page = answered(f"{base}/v1/services/{_COMPUTE_ENGINE}/skus?{urlencode(wanted)}", {"X-Goog-Api-Key": key})
        skus += page.get("skus", ())
        token = page.get("nextPageToken", "")
        if not token:
            break
    rows = read_skus(json.dumps({"skus": skus}))
    return Fresh([row for row in rows if not regions or row["region"] in regions])

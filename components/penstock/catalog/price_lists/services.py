"""The price services of the clouds, asked over the network of whoever refreshes.

AWS:          https://pricing.us-east-1.amazonaws.com, the bulk price list of a region; no account needed
Azure:        https://prices.azure.com/api/retail/prices, page by page; no account needed
Google Cloud: https://cloudbilling.googleapis.com, SKUs page by page; needs an API key with the Cloud Billing API
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from penstock.catalog.price_lists import aws, azure, gcp
from penstock.catalog.price_lists.merging import Row, merged
from penstock.errors import PriceServiceFailed

ENDPOINTS: Final[Mapping[str, str]] = {
    "aws": "https://pricing.us-east-1.amazonaws.com",
    "azure": "https://prices.azure.com",
    "gcp": "https://cloudbilling.googleapis.com",
}
"""Where each cloud's price service is."""

GOOGLE_KEY: Final = "GOOGLE_API_KEY"
"""The variable with the API key for Google Cloud; it is sent in a header and never shown."""

_COMPUTE_ENGINE: Final = "6F81-5844-456A"
_TIMEOUT_S: Final = 60
_MOST_PAGES: Final = 2000
_SERVICE_KEY: Final = ("cloud", "service", "item", "region")


@dataclass(frozen=True, slots=True)
class Fresh:
    """Prices that a service gave: rows of `CLOUD/prices`, and rows of `services` with their region."""

    machines: Sequence[Row]
    services: Sequence[Row] = ()


def ask_service(cloud: str, regions: Sequence[str], endpoint: str | None = None) -> Fresh:
    """Return the prices that a cloud's service has for regions.

    Args:
        cloud: aws, azure or gcp.
        regions: The regions to ask for; Google answers for all of its regions at once, and others are left out.
        endpoint: Another address of the service, such as a mirror.

    Raises:
        PriceServiceFailed: it cannot be reached, refuses, or answers in another form.
    """
    base = (endpoint or ENDPOINTS[cloud]).rstrip("/")
    try:
        if cloud == "aws":
            return _aws(base, regions)
        return Fresh(_azure(base, regions) if cloud == "azure" else _gcp(base, regions))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        message = f"the price service of {cloud} answered in a form that is not known: {error}"
        raise PriceServiceFailed(message) from None


def write_prices(cloud: str, fresh: Fresh, folder: Path) -> list[tuple[Path, int, int]]:
    """Write fresh prices over those of a folder, and return each file with its new or changed rows and all of them."""
    written: list[tuple[Path, Sequence[Row], Sequence[str]]] = [
        (folder / cloud / "prices.csv", fresh.machines, aws.KEY)
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


def _aws(base: str, regions: Sequence[str]) -> Fresh:
    hours: list[Row] = []
    services: list[Row] = []
    for region in regions:
        url = f"{base}/offers/v1.0/aws/AmazonEC2/current/{quote(region)}/index.csv"
        with _opened(url) as answer:
            found = aws.read_list(io.TextIOWrapper(answer, encoding="utf-8-sig", newline=""))
        hours += found[0]
        services += found[1]
    return Fresh(hours, services)


def _azure(base: str, regions: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    for region in regions:
        wanted = {"$filter": f"serviceName eq 'Virtual Machines' and armRegionName eq '{region}'"}
        url = f"{base}/api/retail/prices?{urlencode(wanted)}"
        items = [item for page in _pages(url, base) for item in page["Items"]]
        rows += azure.read_prices(json.dumps({"Items": items}))
    return rows


def _pages(url: str, base: str) -> Iterator[Mapping[str, Any]]:
    """The pages of an answer of Azure, which names the next one; always of the host that was asked."""
    for _ in range(_MOST_PAGES):
        page = _json(url)
        yield page
        following = page.get("NextPageLink")
        if not following:
            return
        parts = urlsplit(following)
        url = f"{base}{parts.path}{'?' if parts.query else ''}{parts.query}"


def _gcp(base: str, regions: Sequence[str]) -> list[Row]:
    key = os.environ.get(GOOGLE_KEY)
    if not key:
        raise PriceServiceFailed(
            f"the Cloud Billing Catalog API needs an API key: create one for the Cloud Billing API, set {GOOGLE_KEY}."
        )
    skus: list[Any] = []
    token = ""
    for _ in range(_MOST_PAGES):
        wanted = {"pageSize": "5000", **({"pageToken": token} if token else {})}
        page = _json(f"{base}/v1/services/{_COMPUTE_ENGINE}/skus?{urlencode(wanted)}", {"X-Goog-Api-Key": key})
        skus += page.get("skus", ())
        token = page.get("nextPageToken", "")
        if not token:
            break
    rows = gcp.read_skus(json.dumps({"skus": skus}))
    return [row for row in rows if not regions or row["region"] in regions]


def _json(url: str, headers: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    with _opened(url, headers) as answer:
        found: Mapping[str, Any] = json.load(answer)
    if not isinstance(found, Mapping):
        raise ValueError("it is not an object")  # noqa: TRY004 - a wrong answer is a wrong value
    return found


def _opened(url: str, headers: Mapping[str, str] | None = None) -> Any:
    where = urlsplit(url).netloc
    try:
        return urlopen(Request(url, headers=dict(headers or {})), timeout=_TIMEOUT_S)  # noqa: S310 - http or https only
    except HTTPError as error:
        error.close()
        raise PriceServiceFailed(f"{where} refused with status {error.code}: {_meaning(error.code)}") from None
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise PriceServiceFailed(f"{where} cannot be reached ({reason}). Refreshing needs your network.") from None


def _meaning(status: int) -> str:
    known = {
        400: "the region or the key is not right.",
        403: "the key may not be used for it, or a proxy refuses.",
        404: "the region is not one of this cloud.",
        429: "too many requests; try again later.",
    }
    return known.get(status, "try again later.")

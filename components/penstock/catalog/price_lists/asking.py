"""What all price services share: the form of what they give, and requests over the network of whoever refreshes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from penstock.catalog.price_lists.merging import Row
from penstock.core.errors import PriceServiceFailed

MOST_PAGES: Final = 2000
"""The pages of an answer after which a service is taken for one that never ends."""

NO_REGION: Final = "the region is not one of this cloud, or there is no price service at this address."
"""What it means that a page of a region is not there."""

_NO_SERVICE: Final = "there is no price service at this address."
_TIMEOUT_S: Final = 60


@dataclass(frozen=True, slots=True)
class Fresh:
    """Prices that a service gave: rows of `CLOUD/prices`, and rows of `services` with their region."""

    machines: Sequence[Row]
    services: Sequence[Row] = ()


def answered(url: str, headers: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    """Return the object that an address answers with.

    Raises:
        PriceServiceFailed: it cannot be reached, or refuses.
        ValueError: it is no object.
    """
    with opened(url, headers) as answer:
        found: Mapping[str, Any] = json.load(answer)
    if not isinstance(found, Mapping):
        raise ValueError("it is not an object")  # noqa: TRY004 - a wrong answer is a wrong value
    return found


def opened(url: str, headers: Mapping[str, str] | None = None, *, absent: str = _NO_SERVICE) -> Any:
    """Return the open answer of an address, to be read and closed; `absent` is what it means that nothing is there.

    Raises:
        PriceServiceFailed: it cannot be reached, or refuses.
    """
    where = urlsplit(url).netloc
    try:
        return urlopen(Request(url, headers=dict(headers or {})), timeout=_TIMEOUT_S)  # noqa: S310 - http or https only
    except HTTPError as error:
        error.close()
        raise PriceServiceFailed(f"{where} refused with status {error.code}: {_meaning(error.code, absent)}") from None
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise PriceServiceFailed(f"{where} cannot be reached ({reason}). Refreshing needs your network.") from None


def _meaning(status: int, absent: str) -> str:
    known = {
        400: "the region or the key is not right.",
        403: "the key may not be used for it, or a proxy refuses.",
        404: absent,
        429: "too many requests; try again later.",
    }
    return known.get(status, "try again later.")

"""Reads of APIs by HTTP and JSON: what is common to clouds whose SDKs are made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

CONNECT_S: Final = 5
READ_S: Final = 30
TRIES: Final = 5
"""Attempts of one call where a cloud throttles or fails, with growing pauses."""

TRANSIENT: Final = (429, 500, 502, 503, 504)


class Refused(Exception):
    """A cloud answered with an error: its status, its reason in a word, and its message."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(f"{reason or status}: {message}")
        self.status, self.reason, self.message = status, reason, message


class Silent(Exception):
    """A cloud did not answer."""


def at(value: Any, path: str) -> Any:
    """Return what a path with dots leads to; None where it leads nowhere."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def items_at(value: Any, path: str) -> Iterator[Any]:
    """Yield the items that a path with dots leads to; `*` are all values of a list or a map."""
    key, _, rest = path.partition(".")
    if key == "*":
        inner = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    else:
        found = value.get(key) if isinstance(value, Mapping) else None
        inner = [] if found is None else [found]
    for each in inner:
        if rest:
            yield from items_at(each, rest)
        elif isinstance(each, list):
            yield from each
        else:
            yield each

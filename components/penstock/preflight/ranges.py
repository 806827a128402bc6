"""Ranges of addresses: which of those in use overlap one that a program wants to take."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_network


def overlapping(wanted: str, in_use: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the names and ranges in use that share addresses with a wanted range; what is no range is left out."""
    try:
        own = ip_network(wanted, strict=False)
    except ValueError:
        return []
    found = []
    for name, text in in_use:
        try:
            other = ip_network(text, strict=False)
        except ValueError:
            continue
        if own.version == other.version and own.overlaps(other):
            found.append((name, text))
    return found

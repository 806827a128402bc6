"""Ranges of addresses: which of those in use overlap one that a program wants to take."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.core.cidr import any_range, overlaps


def overlapping(wanted: str, in_use: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the names and ranges in use that share addresses with a wanted range; what is no range is left out."""
    own = any_range(wanted)
    ranges = ((name, text, any_range(text)) for name, text in in_use)
    return [(name, text) for name, text, other in ranges if own and other and overlaps(own, other)]

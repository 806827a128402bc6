"""Numbers as people say them."""

from __future__ import annotations

_MINUTE = 60


def minutes(seconds: float) -> str:
    """A time in whole minutes, or in seconds below one minute."""
    return f"{seconds / _MINUTE:.0f} min" if seconds >= _MINUTE else f"{seconds:.0f} s"


def plural(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

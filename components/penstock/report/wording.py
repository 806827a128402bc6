"""Numbers as people say them, and names as people see them."""

from __future__ import annotations

import re
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, changes its colours, or turns the direction of what follows."""

_MINUTE = 60


def minutes(seconds: float) -> str:
    """A time in whole minutes, or in seconds below one minute."""
    return f"{seconds / _MINUTE:.0f} min" if seconds >= _MINUTE else f"{seconds:.0f} s"


def plural(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def resource_of(urn: str) -> tuple[str, str]:
    """The name and the type of a resource; a name may have colons of its own."""
    *above, name = urn.split("::", 3)
    return name, above[-1].rpartition("$")[2] if above else ""


def harmless(text: str) -> str:
    """A line for a terminal, without what would steer it: names come from whoever wrote the program."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)

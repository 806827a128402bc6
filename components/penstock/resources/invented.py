"""The mark of texts that a simulated cloud has invented, by which rules know them from a user's own."""

from __future__ import annotations

import re

_LABEL = re.compile(r"\b[A-Za-z]\w*-[0-9a-f]{8}\b")


def may_be_invented(given: str) -> bool:
    """Return whether a text may be an invented one: it holds a property's name and eight hexadecimal digits."""
    return _LABEL.search(given) is not None

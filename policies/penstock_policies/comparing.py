"""Whether two values mean the same to a provider, and how a message repeats one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_LONGEST = 60


def same(value: Any, wanted: Any) -> bool:
    """Whether two values mean the same to a provider: "true" and true, "1" and 1, "Deny" and "deny"."""
    if isinstance(value, str) and isinstance(wanted, bool):
        return value.casefold() == str(wanted).casefold()
    if isinstance(value, str) and isinstance(wanted, str):
        return value.casefold() == wanted.casefold()
    if isinstance(value, bool) is not isinstance(wanted, bool):
        return False
    if isinstance(value, str) and isinstance(wanted, int | float):
        return as_number(value) == wanted
    return bool(value == wanted)


def as_number(value: Any) -> float | None:
    """A value that is a number, or a text that holds one, with `s` for seconds as Google writes them."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(str(value).removesuffix("s"))
    except ValueError:
        return None


def told(value: Any) -> str:
    """A value as a message may repeat it: what is long or has parts is not."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str) and len(value) <= _LONGEST:
        return value or "empty"
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        texts = [item for item in value if isinstance(item, str)]
        listed = ", ".join(texts)
        return "empty" if not texts else listed if len(listed) <= _LONGEST else f"{len(texts)} items"
    return "another value"

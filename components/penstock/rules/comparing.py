"""Comparison of values as a provider means them, and their form in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from penstock.secrets import detection

_LONGEST = 60
_END = 28
_ADDRESS = re.compile(r"(?=.*[:.@-])\S+")
"""A long name or address, such as an ARN; a script in base64 has none of these characters."""
_UNSET = " is not set"
_LISTED = 3


def same(value: Any, wanted: Any) -> bool:
    """Return whether two values mean the same to a provider: "true" and true, "1" and 1, "Deny" and "deny"."""
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


def shown(value: Any) -> str:
    """A value as a message may repeat it: a secret by its kind, a long name by its ends, another long text not."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str):
        return next(detection.found_in(value), None) or _shortened(value) or "empty"
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        items = [shown(item) if isinstance(item, str) else "" for item in value]
        listed = ", ".join(items)
        return "empty" if not items else listed if all(items) and len(listed) <= _LONGEST else f"a list of {len(items)}"
    return "another value"


def in_one(complaints: Iterable[str]) -> str:
    """Complaints as one sentence, which reports unset properties together."""
    said = list(complaints)
    absent = [each.removesuffix(_UNSET) for each in said if each.endswith(_UNSET)]
    if len(absent) > 1:
        said = [f"{_none_of(absent)} is set", *(each for each in said if not each.endswith(_UNSET))]
    return ", and ".join(said)


def _none_of(names: list[str]) -> str:
    if len(names) == 2:  # noqa: PLR2004 - of two, English says neither
        return f"neither {names[0]} nor {names[1]}"
    listed = names if len(names) <= _LISTED + 1 else [*names[:_LISTED], f"{len(names) - _LISTED} more"]
    return f"none of {', '.join(listed[:-1])} and {listed[-1]}"


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_END]}…{text[-_END:]}" if _ADDRESS.fullmatch(text) else "a long text"

"""Quantities as planners write them: 70B parameters, 1.4T tokens, 30d, 10TB."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf
from types import MappingProxyType

_FORM = re.compile(r"(?P<number>\d[\d_]*(?:\.\d+)?(?:e\+?\d+)?)\s*(?P<unit>[A-Za-z]*)")
_COUNTS = MappingProxyType({"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12})
_TIMES = MappingProxyType({"h": 3600.0, "min": 60.0, "d": 86400.0, "w": 604800.0})
_LATENCIES = MappingProxyType({"ms": 1e-3, "s": 1.0})
_BYTES = MappingProxyType({"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15, "tib": 1024.0**4})


def count(text: str) -> float:
    """A number with K, M, B or T for thousands, millions, 10^9 and 10^12.

    Raises:
        ValueError: the text is no such number.
    """
    return _read(text, _COUNTS, "a number such as 70B or 1.4T")


def seconds(text: str) -> float:
    """A time with its unit: 90min, 12h, 30d or 2w.

    Raises:
        ValueError: the text is no such time.
    """
    return _read(text, _TIMES, "a time such as 12h or 30d")


def latency(text: str) -> float:
    """A short time in seconds, with its unit: 50ms, 0.5s.

    Raises:
        ValueError: the text is no such time.
    """
    return _read(text, _LATENCIES, "a time such as 50ms or 0.5s")


def size(text: str) -> float:
    """A number of bytes: 500GB, 10TB.

    Raises:
        ValueError: the text is no such size.
    """
    return _read(text, _BYTES, "a size such as 500GB or 10TB")


def share(text: str) -> float:
    """A share, as 0.6 or 60%.

    Raises:
        ValueError: the text is no share from 0 to 1.
    """
    written = text.strip()
    try:
        value = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        raise ValueError(f"{text!r} is not a share such as 0.6 or 60%") from None
    if not 0 <= value <= 1:
        raise ValueError(f"{text} is not between 0 and 100 %")
    return value


def _read(text: str, units: Mapping[str, float], expected: str) -> float:
    found = _FORM.fullmatch(text.strip())
    factor = units.get(found["unit"].lower()) if found is not None else None
    if found is None and _FORM.fullmatch(text.strip().removeprefix("-")) is not None:
        raise ValueError(f"{text!r} is not above 0")
    if found is None or factor is None:
        raise ValueError(f"{text!r} is not {expected}")
    value = float(found["number"].replace("_", "")) * factor
    if not 0 < value < inf:
        raise ValueError(f"{text!r} is not above 0 and finite")
    return value

"""Amounts of bytes, and quantities as Kubernetes writes them: 500m, 4, 20Gi, 1e3."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

MIB: Final = 1024**2
GIB: Final = 1024**3
TIB: Final = 1024**4
"""Bytes of a mebibyte, a gibibyte and a tebibyte."""

MIB_PER_GIB: Final = 1024
GIB_PER_TIB: Final = 1024

LUSTRE_GIB_PER_TIB: Final = 1000
"""Clouds sell 1.2 TiB of Lustre as 1200 GiB."""

_QUANTITY: Final = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d{1,2}))?")

_SUFFIXES: Final = {
    **{letter: Decimal(10) ** power for letter, power in zip("num", (-9, -6, -3), strict=True)},
    **{letter: Decimal(1000) ** power for power, letter in enumerate("kMGTPE", 1)},
    **{f"{letter}i": Decimal(1024) ** power for power, letter in enumerate("KMGTPE", 1)},
}


def lustre_gib(capacity_tib: float) -> int:
    """Return the GiB of a Lustre capacity in TiB, as clouds count both: 1200 for 1.2."""
    return round(capacity_tib * LUSTRE_GIB_PER_TIB)


def lustre_tib(capacity_gib: float) -> float:
    """Return the TiB of a Lustre capacity in GiB, as clouds count both: 1.2 for 1200."""
    return capacity_gib / LUSTRE_GIB_PER_TIB


def parse_quantity(text: str) -> Decimal | None:
    """Return the amount of a Kubernetes quantity, in units or bytes; None for a text that Kubernetes rejects."""
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    digits, suffix, exponent = found.groups()
    return Decimal(digits) * _SUFFIXES.get(suffix or "", Decimal(1)) * Decimal(10) ** int(exponent or 0)


def quantity_text(value: Decimal) -> str:
    """Return a quantity for people: whole gibibytes and thousandths as such, everything else in plain digits."""
    gibibytes = value / GIB
    if gibibytes >= 1 and gibibytes == gibibytes.to_integral_value():
        return f"{gibibytes:f}Gi"
    if value != value.to_integral_value():
        return f"{(value * 1000).normalize():f}m"
    return f"{value.to_integral_value():f}"

"""Amounts of resources as Kubernetes writes them: 500m, 4, 20Gi, 1e3."""

from __future__ import annotations

import re
from decimal import Decimal

from penstock.graph.verdict import TypeMismatch
from penstock.graph.view import Block

_FORM = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d{1,2}))?")

_SUFFIXES = {
    **{letter: Decimal(10) ** power for letter, power in zip("num", (-9, -6, -3), strict=True)},
    **{letter: Decimal(1000) ** power for power, letter in enumerate("kMGTPE", 1)},
    **{f"{letter}i": Decimal(1024) ** power for power, letter in enumerate("KMGTPE", 1)},
}


def parse_quantity(text: str) -> Decimal | None:
    """The amount that a text means, in units or bytes; None where Kubernetes would not read it."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    digits, suffix, exponent = found.groups()
    return Decimal(digits) * _SUFFIXES.get(suffix or "", Decimal(1)) * Decimal(10) ** int(exponent or 0)


def amount(block: Block, key: str) -> Decimal | None:
    """The amount at a key; None where it is not given.

    Raises:
        TypeMismatch: what is there is no amount, which another rule reports.
    """
    value = block.value(key)
    if value is None:
        return None
    found = parse_quantity(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    if found is None:
        raise TypeMismatch
    return found


def amounts(block: Block | None) -> dict[str, Decimal]:
    """Every amount of an object, by resource; none where there is no object."""
    if block is None:
        return {}
    found = {name: amount(block, name) for name in block}
    return {name: value for name, value in found.items() if value is not None}


def shown(value: Decimal) -> str:
    """An amount for people: whole gibibytes and thousandths as such, everything else in plain digits."""
    gibibytes = value / _SUFFIXES["Gi"]
    if gibibytes >= 1 and gibibytes == gibibytes.to_integral_value():
        return f"{gibibytes:f}Gi"
    if value != value.to_integral_value():
        return f"{(value * 1000).normalize():f}m"
    return f"{value.to_integral_value():f}"

"""Quantities in the inputs of Kubernetes objects."""

from __future__ import annotations

from decimal import Decimal

from penstock.core.quantities import parse_quantity
from penstock.graph.verdict import TypeMismatch
from penstock.graph.view import Block


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

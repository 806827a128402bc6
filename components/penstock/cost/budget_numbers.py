"""Numbers in the inputs of a budget."""

from __future__ import annotations

from typing import Any


def number(value: Any) -> float | None:
    """Return the number that an input says; None where it is not known yet or no number, which the SDK's types show."""
    try:
        return float(value or "")
    except (TypeError, ValueError):
        return None

"""The words for what is paid for: parts that a program does not give leave no trace."""

from __future__ import annotations

from penstock.core.wording import listed


def quantity(number: object, unit: str, *, times: bool = False) -> str:
    """Return `512 GiB disk`, with `times` a multiplication sign between; the unit alone where no number is given."""
    if number is None:
        return unit
    shown = f"{number:g}" if isinstance(number, float) else str(number)
    return " ".join(part for part in (shown, "×" if times else "", unit) if part)


def described(*parts: str | None) -> str:
    """Return the parts that are given, with commas between them."""
    return listed(filter(None, parts))

"""Types of AWS whose ids have a form of their own."""

from __future__ import annotations

from penstock.catalog.answers import answer_forms


def has_own_id(type_: str) -> bool:
    """Return whether the ids of a type of AWS have a form of their own, which is more than a name."""
    return "{name}" not in answer_forms("aws").get(type_, {}).get("id", "{name}")

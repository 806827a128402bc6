"""Properties of AWS resources of which at least one must be given, although none of them is required by itself."""

from __future__ import annotations

from functools import cache

from penstock.catalog.tables import rows


@cache
def by_type() -> dict[str, tuple[str, ...]]:
    """The properties by type token."""
    return {row["type"]: tuple(row["properties"].split()) for row in rows("aws/alternatives")}

"""Which machines Google places compactly although their start is flexible."""

from __future__ import annotations

from penstock.catalog.tables import rows


def with_flex_start(machine_type: str) -> bool:
    """Return whether a pool of these machines may be placed compactly when it is bought with flex start."""
    return any(machine_type.startswith(row["prefix"]) for row in rows("gcp/compact_flex_start"))

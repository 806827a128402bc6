"""The projects of Google and other vendors whose images everybody may use."""

from __future__ import annotations

from functools import cache

from penstock.catalog.tables import rows


@cache
def image_projects() -> frozenset[str]:
    """Return the projects by their ids, such as debian-cloud."""
    return frozenset(row["project"] for row in rows("gcp/image_projects"))

"""Roles that Google has made for the services of a platform, as far as they are known here."""

from __future__ import annotations

from functools import cache

from penstock.catalog.tables import rows


@cache
def roles_of(service: str) -> tuple[str, ...]:
    """The roles of a service (storage, container), as grants write them; none for a service that is not listed."""
    listed = next((row["roles"] for row in rows("gcp/roles") if row["service"] == service), "")
    return tuple(f"roles/{service}.{name}" for name in listed.split())

"""Services of AWS that a closed network must reach through endpoints of its own."""

from __future__ import annotations

from penstock.catalog.tables import rows


def for_nodes() -> tuple[str, ...]:
    """The services that nodes and pods call, by endpoint name (`ecr.api`), without S3, which has a free gateway."""
    return tuple(row["service"] for row in rows("aws/endpoints"))

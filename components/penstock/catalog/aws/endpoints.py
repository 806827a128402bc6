"""Services of AWS that a closed network must reach through endpoints of its own."""

from __future__ import annotations

from penstock.catalog.tables import rows


def for_nodes() -> tuple[str, ...]:
    """What nodes and the pods on them call, as endpoints name it (`ecr.api`), S3 apart, which has a free gateway."""
    return tuple(row["service"] for row in rows("aws/endpoints"))

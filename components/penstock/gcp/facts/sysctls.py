"""Settings of the kernel that keep nodes from slowing training down."""

from __future__ import annotations

from penstock.catalog.tables import rows


def of_nodes(accelerator_kind: str | None) -> dict[str, str]:
    """The settings for nodes of GKE with that kind of accelerator, by name; empty where GKE's own will do."""
    return {row["sysctl"]: row["value"] for row in rows("gcp/sysctls") if row["kind"] == accelerator_kind}

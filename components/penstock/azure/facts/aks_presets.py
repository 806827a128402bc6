"""What AKS itself takes for the nodes that a cluster cannot be without."""

from __future__ import annotations

from penstock.catalog.tables import rows


def system_sizes() -> tuple[str, ...]:
    """The sizes that AKS offers for a system pool, the smallest first.

    Each has a local disk that its nodes start from, and is sold in every region. A pool that names no size gets one
    that AKS has at hand, which may be another in each cluster.
    """
    return tuple(row["system_size"] for row in rows("azure/aks_presets"))

"""Zones of AWS in which EKS puts no control plane."""

from __future__ import annotations

from penstock.catalog.tables import rows


def eks_refuses(zone_id: str) -> bool:
    """Return whether EKS puts no control plane into a zone, by its id (use1-az3), which is the same in all accounts."""
    return any(row["zone_id"] == zone_id for row in rows("aws/eks_zones"))

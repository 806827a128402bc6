"""The pools whose machines Karpenter starts: those that may be empty."""

from __future__ import annotations

from typing import Literal

from penstock.description.cluster import ClusterSpec
from penstock.description.node_pool import NodePoolSpec

CapacityType = Literal["reserved", "spot", "on-demand"]


def is_scaled(pool: NodePoolSpec, cluster: ClusterSpec) -> bool:
    """Return whether Karpenter starts the machines of a pool; the others are managed node groups.

    Interfaces, placement group, reservation, zone, labels and taints have fields in its API (Karpenter documentation,
    NodeClasses and NodePools, 1.14); a minimum of machines has one in an alpha version alone.
    """
    return cluster.autoscaling == "karpenter" and pool.nodes.min == 0


def capacity_type(pool: NodePoolSpec) -> CapacityType:
    """How Karpenter buys the machines of a pool; a capacity block is a reservation to it."""
    if pool.capacity in ("reserved", "capacity_block"):
        return "reserved"
    return "spot" if pool.capacity == "spot" else "on-demand"

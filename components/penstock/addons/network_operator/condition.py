"""The pools that need NVIDIA's network operator."""

from __future__ import annotations

from penstock.description.addon_conditions import installed
from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec


def holds(spec: Spec, pools: tuple[PoolNodes, ...]) -> bool:
    """Adapters that NVIDIA's network operator offers."""
    return "network-operator" not in installed(spec) and any(
        pool.rdma is not None and pool.rdma.advertiser == "operator" for pool in pools
    )

"""The pools that need compute domains."""

from __future__ import annotations

from penstock.description.addon_conditions import installed
from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec
from penstock.kubernetes.facts import accelerators


def holds(spec: Spec, pools: tuple[PoolNodes, ...]) -> bool:
    """GPUs that NVLink joins beyond their node, where nodes do not bring the driver for claims."""
    return "nvidia-dra" not in installed(spec) and any(
        pool.software is not None
        and pool.software.advertiser in ("operator", "plugin")
        and accelerators.spans_nodes(pool.accelerator)
        for pool in pools
    )

"""The pools that need NCCL profiles."""

from __future__ import annotations

from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec


def holds(_spec: Spec, pools: tuple[PoolNodes, ...]) -> bool:
    """GPUs on a fabric that NCCL has variables for."""
    return any(pool.accelerator_kind == "gpu" and pool.fabric is not None for pool in pools)

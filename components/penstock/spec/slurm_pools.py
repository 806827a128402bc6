"""The pools whose nodes Slurm hands out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from penstock.spec.addon_blocks.slurm import SlurmSpec
from penstock.spec.nodes.pool_nodes import PoolNodes

WORKER: Final = "slurm-worker-"
"""The start of the name of each set of workers; the rest is that of the pool."""

DETECTED: Final = {"nvidia.com/gpu": "nvidia", "amd.com/gpu": "rsmi"}
"""How Slurm finds accelerators, by what pods request (Slurm documentation, gres.conf, AutoDetect)."""


def slurm_pools(slurm: SlurmSpec, pools: Iterable[PoolNodes]) -> tuple[PoolNodes, ...]:
    """Return the pools that the block names, or all whose accelerators Slurm finds by itself."""
    if slurm.pools:
        return tuple(pool for pool in pools if pool.pool in slurm.pools)
    return tuple(pool for pool in pools if pool.resource in DETECTED)

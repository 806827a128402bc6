"""The pools whose nodes Slurm hands out, and those that are left to Kubernetes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from penstock.description.addon_blocks.slurm import SlurmSpec
from penstock.description.nodes.pool_nodes import PoolNodes

WORKER: Final = "slurm-worker-"
"""The start of the name of each set of workers; the rest is that of the pool."""

EVERY_NODE: Final = "all"
"""The partition of every node, beside that of each pool."""

DETECTED: Final = {"nvidia.com/gpu": "nvidia", "amd.com/gpu": "rsmi"}
"""How Slurm finds accelerators, by what pods request (Slurm documentation, gres.conf, AutoDetect)."""


def slurm_pools(slurm: SlurmSpec | None, pools: Iterable[PoolNodes]) -> tuple[PoolNodes, ...]:
    """Return the pools that the block names, or all whose accelerators Slurm finds by itself; none without Slurm."""
    if slurm is None:
        return ()
    if slurm.pools:
        return tuple(pool for pool in pools if pool.pool in slurm.pools)
    return tuple(pool for pool in pools if pool.resource in DETECTED)


def beside_slurm(slurm: SlurmSpec | None, pools: Iterable[PoolNodes]) -> tuple[PoolNodes, ...]:
    """Return the pools whose nodes Kubernetes hands out: all but those of Slurm."""
    every = tuple(pools)
    taken = {pool.pool for pool in slurm_pools(slurm, every)}
    return tuple(pool for pool in every if pool.pool not in taken)

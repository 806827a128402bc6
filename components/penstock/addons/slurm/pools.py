"""The pools whose nodes Slurm hands out, and those that are left to Kubernetes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from penstock.addons.slurm.block import SlurmSpec
from penstock.description.nodes.pool_nodes import PoolNodes

WORKER: Final = "slurm-worker-"
"""The start of the name of each set of workers; the rest is that of the pool."""

EVERY_NODE: Final = "all"
"""The partition of every node, beside that of each pool."""


def slurm_pools(slurm: SlurmSpec | None, pools: Iterable[PoolNodes]) -> tuple[PoolNodes, ...]:
    """Return the pools whose nodes Slurm hands out; none without Slurm."""
    every = tuple(pools)
    held = slurm.held_pools({pool.pool: pool.resource for pool in every}) if slurm is not None else ()
    return tuple(pool for pool in every if pool.pool in held)


def beside_slurm(slurm: SlurmSpec | None, pools: Iterable[PoolNodes]) -> tuple[PoolNodes, ...]:
    """Return the pools whose nodes Kubernetes hands out: all but those of Slurm."""
    every = tuple(pools)
    taken = {pool.pool for pool in slurm_pools(slurm, every)}
    return tuple(pool for pool in every if pool.pool not in taken)

"""Pools of Slurm: jobs go there by its own commands."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.addons.slurm.block import DETECTED, SlurmSpec
from penstock.addons.slurm.pools import beside_slurm, slurm_pools
from penstock.core.errors import ImpossibleJob
from penstock.description.nodes import PoolNodes
from penstock.jobs.request import JobRequest


def without_slurm(slurm: SlurmSpec | None, request: JobRequest, pools: Sequence[PoolNodes]) -> tuple[PoolNodes, ...]:
    """The pools that jobs of Kubernetes go to.

    Raises:
        ImpossibleJob: the job names a pool of Slurm, or Slurm has all pools with accelerators; the text has the command
            that sends it there.
    """
    taken, left = slurm_pools(slurm, pools), beside_slurm(slurm, pools)
    named = next((pool for pool in taken if pool.pool == request.pool), None)
    if named is not None:
        raise ImpossibleJob(f"Slurm hands out the nodes of pool {named.pool}. {_command(named, request)}")
    if request.pool is None and taken and not any(pool.resource for pool in left):
        first = next((pool for pool in taken if pool.resource), taken[0])
        raise ImpossibleJob(f"Slurm hands out the nodes of every pool with accelerators. {_command(first, request)}")
    return left


def _command(pool: PoolNodes, request: JobRequest) -> str:
    gpus = f" --gpus-per-node={pool.accelerators}" if pool.resource in DETECTED else ""
    nodes = request.nodes or max(1, pool.nodes.min)
    return f"Send the job from a node of Slurm: sbatch --partition={pool.pool} --nodes={nodes}{gpus} SCRIPT"

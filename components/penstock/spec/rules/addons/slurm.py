"""Rules on Slurm: the pools that it takes, and who else would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.errors import UnknownFact
from penstock.spec.addon_blocks.slurm import SlurmSpec
from penstock.spec.nodes import nodes_of
from penstock.spec.nodes.pool_nodes import PoolNodes
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.queue_engine import queue_engine
from penstock.spec.rules.rule import rule
from penstock.spec.slurm_pools import DETECTED, WORKER, slurm_pools
from penstock.wording import listed, one_of, quoted

_PATH = ("addons", "slurm")
_READS = ("cloud", "cluster", "network", "node_pools", "addons")

_LONGEST = 50
"""Of the name of a set of workers: its pods carry it in labels and host names, with what sets them apart."""


@rule("SPEC-175", reads=_READS)
def slurm_and_kueue_share_no_pool(spec: Spec) -> Iterator[Problem]:
    """No pool belongs to Slurm and to Kueue."""
    slurm = spec.addons.slurm
    if slurm is None or queue_engine(spec.addons) != "kueue":
        return
    taken = [pool.pool for pool in slurm_pools(slurm, _pools(spec))]
    if taken:
        message = f"Slurm and Kueue would both hand out the nodes of {listed(taken)}, neither knowing of the other."
        yield Problem(_PATH, message, "Leave out addons.slurm or addons.queueing.")


@rule("SPEC-176", reads=_READS)
def slurm_has_pools_that_it_can_use(spec: Spec) -> Iterator[Problem]:
    """Slurm takes pools of the description, with GPUs of one maker or without any, and names them as Kubernetes can."""
    slurm = spec.addons.slurm
    pools = _pools(spec) if slurm is not None else ()
    if slurm is None or not pools:
        return
    names = [pool.pool for pool in pools]
    for index, name in enumerate(slurm.pools):
        if name not in names:
            message = f"{quoted(name)} is not a pool of the platform."
            yield Problem((*_PATH, "pools", index), message, one_of(name, names, "Pools"))
    taken = slurm_pools(slurm, pools)
    if not taken and not slurm.pools:
        message = "No pool has GPUs that Slurm finds by itself, and addons.slurm names no pools."
        yield Problem(_PATH, message, f"Set addons.slurm.pools, to some of {listed(names)}.")
    for pool in taken:
        yield from _unusable(pool, slurm)
    yield from _mixed(taken, slurm)


@rule("SPEC-197", reads=("addons",))
def slurm_mounts_one_claim_at_a_path(spec: Spec) -> Iterator[Problem]:
    """Each claim of Slurm has a path of its own: Kubernetes refuses pods that mount two at one."""
    claims = spec.addons.slurm.claims if spec.addons.slurm is not None else {}
    first: dict[str, str] = {}
    for claim, path in claims.items():
        place = path.rstrip("/")
        if place in first:
            message = f"Claim {first[place]} is mounted at {place} already."
            yield Problem((*_PATH, "claims", claim), message, f"Mount it at another path, such as /{claim}.")
        first.setdefault(place, claim)


def _unusable(pool: PoolNodes, slurm: SlurmSpec) -> Iterator[Problem]:
    path = _path_of(pool, slurm)
    if pool.accelerators and pool.resource not in DETECTED:
        message = f"Slurm does not find the {pool.accelerator} of pool {pool.pool} by itself."
        yield Problem(path, message, "Name pools with GPUs of NVIDIA or AMD, or without accelerators.")
    if len(WORKER) + len(pool.pool) > _LONGEST:
        message = f"{WORKER}{pool.pool} is too long for the name of a set of workers: at most {_LONGEST} characters."
        yield Problem(path, message, f"Give the pool a name of at most {_LONGEST - len(WORKER)} characters.")


def _mixed(taken: Sequence[PoolNodes], slurm: SlurmSpec) -> Iterator[Problem]:
    makers = {pool.resource: pool for pool in taken if pool.resource in DETECTED}
    if len(makers) > 1:
        one, other, *_ = makers.values()
        message = (
            f"Pools {one.pool} and {other.pool} have GPUs of two makers, and one Slurm cluster finds those of one."
        )
        yield Problem(_path_of(other, slurm), message, "Name the pools of one maker in addons.slurm.pools.")


def _path_of(pool: PoolNodes, slurm: SlurmSpec) -> tuple[str | int, ...]:
    return (*_PATH, "pools", slurm.pools.index(pool.pool)) if pool.pool in slurm.pools else _PATH


def _pools(spec: Spec) -> tuple[PoolNodes, ...]:
    """The nodes of every pool; none where something is wrong with a pool, which other rules report."""
    try:
        return nodes_of(spec)
    except (UnknownFact, KeyError):
        return ()

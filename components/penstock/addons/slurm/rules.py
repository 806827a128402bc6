"""Rules on Slurm: the pools that it takes, who else would, and the claims that its pods mount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from penstock.addons.slurm.block import DETECTED, SlurmSpec
from penstock.addons.slurm.pools import EVERY_NODE, WORKER, beside_slurm, slurm_pools
from penstock.core.errors import UnknownFact
from penstock.core.wording import listed, one_of, quoted
from penstock.description.nodes import nodes_of
from penstock.description.nodes.pool_nodes import PoolNodes
from penstock.description.platform import SYSTEM_POOL, Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_PATH = ("addons", "slurm")
_READS = ("cloud", "cluster", "network", "node_pools", "addons")

_LONGEST = 50
"""Of the name of a set of workers: its pods carry it in labels and host names, with what sets them apart."""

_MEANINGS: Final = {
    EVERY_NODE: "the partition of every node",
    "default": "a record of defaults in slurm.conf",
    SYSTEM_POOL: "the pool of the cluster's own pods",
}
"""Names that are taken. Slurm reads its words in capitals or not (Slurm documentation, slurm.conf, PartitionName)."""

_SCHEDULED: Final = ("queueing", "training", "ray")
"""The add-ons whose jobs need nodes with devices that Kubernetes hands out."""

_OF_THE_SYSTEM: Final = frozenset(
    {"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "usr", "var"}
)
"""Directories at the root that Slurm's images and the operator fill, such as /etc/slurm and /var/log/slurm."""


@rule("SPEC-175", reads=_READS)
def slurm_leaves_pools_to_others(spec: Spec) -> Iterator[Problem]:
    """Beside Slurm, whose workers hold their nodes for good, a pool is left for the jobs of Kubernetes."""
    slurm, pools = spec.addons.get(SlurmSpec), _pools(spec)
    taken = slurm_pools(slurm, pools)
    others = [name for name in _SCHEDULED if spec.addons.has(name)]
    if not others or not any(pool.devices for pool in taken):
        return
    if any(pool.devices for pool in beside_slurm(slurm, pools)):
        return
    leave_out = f"leave out addons.slurm or {listed(f'addons.{name}' for name in others)}"
    with_devices = [pool.pool for pool in pools if pool.devices]
    hint = (
        f"Name some of {listed(with_devices)} in addons.slurm.pools and leave the others, or {leave_out}."
        if len(with_devices) > 1
        else f"Describe another pool with accelerators, or {leave_out}."
    )
    message = f"Slurm holds the nodes of {listed(with_devices)} for good, and {listed(others)} would have none."
    yield Problem(_PATH, message, hint)


@rule("SPEC-176", reads=_READS)
def slurm_has_pools_that_it_can_use(spec: Spec) -> Iterator[Problem]:
    """Slurm takes pools of the description, with whole GPUs of one maker or without any, by names without a meaning."""
    slurm = spec.addons.get(SlurmSpec)
    pools = _pools(spec) if slurm is not None else ()
    if slurm is None or not pools:
        return
    names = [pool.pool for pool in pools]
    for index, name in enumerate(slurm.pools):
        path = (*_PATH, "pools", index)
        if name not in names:
            message = f"{quoted(name)} is not a pool of the platform."
            yield Problem(path, message, one_of(name, names, "Pools"))
        elif name in slurm.pools[:index]:
            yield Problem(path, f"Pool {name} is named before.", "Name each pool once.")
    taken = slurm_pools(slurm, pools)
    if not taken and not slurm.pools:
        yield from _none_found(pools)
    for pool in taken:
        yield from _unusable(pool, slurm)
    yield from _misnamed(taken, slurm, spec)
    yield from _mixed(taken, slurm)


def _none_found(pools: Sequence[PoolNodes]) -> Iterator[Problem]:
    shared = [pool.pool for pool in pools if pool.shared is not None]
    why = f" GPUs of {listed(shared)} are shared, and Slurm hands out whole ones." if shared else ""
    message = f"No pool has GPUs that Slurm finds by itself, and addons.slurm names no pools.{why}"
    yield Problem(_PATH, message, f"Set addons.slurm.pools, to some of {listed(pool.pool for pool in pools)}.")


def _unusable(pool: PoolNodes, slurm: SlurmSpec) -> Iterator[Problem]:
    path = _path_of(pool, slurm)
    if pool.shared is not None:
        message = f"sharing of pool {pool.pool} divides its GPUs ({pool.shared.way}), and Slurm hands out whole ones."
        yield Problem(path, message, f"Leave sharing of pool {pool.pool} out, or name other pools.")
    elif pool.accelerators and pool.resource not in DETECTED:
        message = f"Slurm does not find the {pool.accelerator} of pool {pool.pool} by itself."
        yield Problem(path, message, "Name pools with GPUs of NVIDIA or AMD, or without accelerators.")
    elif pool.fabric == "rdma" and not pool.pod_annotations:
        message = f"Workers on pool {pool.pool} request {pool.fabric_resource} and have no network to use RoCE in."
        hint = f"Set fabric_networks of pool {pool.pool} to NAMESPACE/NAME of the network with its adapters, or its "
        yield Problem(path, message, f"{hint}fabric: none.")
    if len(WORKER) + len(pool.pool) > _LONGEST:
        message = f"{WORKER}{pool.pool} is too long for the name of a set of workers: at most {_LONGEST} characters."
        yield Problem(path, message, f"Give the pool a name of at most {_LONGEST - len(WORKER)} characters.")


def _misnamed(taken: Sequence[PoolNodes], slurm: SlurmSpec, spec: Spec) -> Iterator[Problem]:
    """The partition of a pool has its name, which some words are not."""
    described = [pool.name for pool in spec.node_pools]
    for name, pool in {pool.pool: pool for pool in taken if pool.pool in _MEANINGS}.items():
        path = ("node_pools", described.index(name), "name") if name in described else _path_of(pool, slurm)
        message = f"{quoted(name)} is {_MEANINGS[name]}, and cannot name the partition of a pool."
        yield Problem(path, message, f"Use another name, such as slurm-{name}.")


def _mixed(taken: Sequence[PoolNodes], slurm: SlurmSpec) -> Iterator[Problem]:
    makers = {pool.resource: pool for pool in taken if pool.resource in DETECTED}
    if len(makers) > 1:
        one, other, *_ = makers.values()
        message = (
            f"Pools {one.pool} and {other.pool} have GPUs of two makers, and one Slurm cluster finds those of one."
        )
        yield Problem(_path_of(other, slurm), message, "Name the pools of one maker in addons.slurm.pools.")


def _path_of(pool: PoolNodes, slurm: SlurmSpec) -> Path:
    return (*_PATH, "pools", slurm.pools.index(pool.pool)) if pool.pool in slurm.pools else _PATH


def _pools(spec: Spec) -> tuple[PoolNodes, ...]:
    """The nodes of every pool; none where something is wrong with a pool, which other rules report."""
    try:
        return nodes_of(spec)
    except (UnknownFact, KeyError):
        return ()


@rule("SPEC-197", reads=("addons",))
def slurm_mounts_one_claim_at_a_path(spec: Spec) -> Iterator[Problem]:
    """Each claim of Slurm has a path of its own: Kubernetes refuses pods that mount two at one."""
    first: dict[PurePosixPath, str] = {}
    for claim, path in _claims(spec).items():
        place = PurePosixPath(path)
        if place in first:
            message = f"Claim {first[place]} is mounted at {place} already."
            yield Problem((*_PATH, "claims", claim), message, f"Mount it at another path, such as /{claim}.")
        first.setdefault(place, claim)


@rule("SPEC-197", reads=("addons",))
def slurm_mounts_claims_beside_the_system(spec: Spec) -> Iterator[Problem]:
    """No claim of Slurm hides a directory of the system: its pods would not start, or run what the claim holds."""
    for claim, path in _claims(spec).items():
        parts = PurePosixPath(path).parts
        if ".." in parts or "." in path.split("/"):
            message = f"{quoted(path)} leads through '.' or '..', and mounts have plain paths."
            yield Problem((*_PATH, "claims", claim), message, f"Write where it ends, such as /{claim}.")
        elif parts[1] in _OF_THE_SYSTEM:
            message = f"A claim at {path} hides what Slurm's images and pods have below /{parts[1]}."
            yield Problem((*_PATH, "claims", claim), message, f"Mount it elsewhere, such as at /{claim} or below /opt.")


def _claims(spec: Spec) -> dict[str, str]:
    slurm = spec.addons.get(SlurmSpec)
    return slurm.claims if slurm is not None else {}

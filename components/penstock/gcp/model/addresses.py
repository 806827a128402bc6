"""Public IPv4 addresses that machines of Google Cloud get by themselves; reserved ones are resources of their own."""

from __future__ import annotations

from penstock.gcp.model.gce import InstancePool, NotebookPool
from penstock.gcp.model.gke import GkePool
from penstock.graph.view import Block
from penstock.model.pools.pool import MachinePool


def public_addresses(pool: MachinePool) -> int:
    """Return how many public addresses each machine of a pool gets.

    Raises:
        NotKnown: the cluster of a pool lies outside the program.
    """
    if isinstance(pool, GkePool):
        return int(not _are_private(pool))
    return _unnamed(pool.config) if isinstance(pool, InstancePool) and not isinstance(pool, NotebookPool) else 0


def have_public_addresses(pool: MachinePool) -> bool:
    """Return whether the machines of a pool have public addresses, their own or reserved ones.

    Raises:
        NotKnown: the cluster of a pool lies outside the program.
    """
    if isinstance(pool, InstancePool) and not isinstance(pool, NotebookPool):
        return any(each.count("accessConfigs") for each in pool.config.blocks("networkInterfaces"))
    return bool(public_addresses(pool))


def _unnamed(config: Block) -> int:
    """The access configurations that name no reserved address; those that do use one of its own price."""
    return sum(
        "natIp" not in access for each in config.blocks("networkInterfaces") for access in each.blocks("accessConfigs")
    )


def _are_private(pool: GkePool) -> bool:
    """Whether nodes are private: as their pool says, else their cluster.

    Raises:
        NotKnown: the cluster lies outside the program.
    """
    network = pool.block.block("networkConfig") if not pool.is_default else None
    if network is not None and "enablePrivateNodes" in network:
        return bool(network.flag("enablePrivateNodes"))
    private = pool.cluster.block("privateClusterConfig")
    return private is not None and bool(private.flag("enablePrivateNodes"))

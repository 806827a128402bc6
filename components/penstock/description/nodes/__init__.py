"""The nodes of a pool as pods see them: labels, taints, devices and topology, on any provider alike."""

from __future__ import annotations

from collections.abc import Callable

from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes.pool_nodes import PoolNodes
from penstock.description.platform import Spec, node_pools
from penstock.providers import provider_named

__all__ = ["PoolNodes", "nodes_of", "pool_nodes"]


def nodes_of(spec: Spec) -> tuple[PoolNodes, ...]:
    """The nodes of every pool of a platform, in the order of the description.

    Raises:
        UnknownFact: the catalogue lacks a machine or accelerator. A description that was checked never raises.
    """
    return tuple(pool_nodes(pool, spec) for pool in node_pools(spec))


def pool_nodes(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """The nodes of one pool."""
    provider = provider_named(spec.cloud.provider)
    read: Callable[[NodePoolSpec, Spec], PoolNodes] | None = provider.load("nodes") if provider is not None else None
    if read is None:
        raise KeyError(spec.cloud.provider)
    return read(pool, spec)

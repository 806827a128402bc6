"""What rules on node pools of AKS share: where pools are described, and the cluster that they are of."""

from __future__ import annotations

from typing import Final

from penstock.azure.model.pools import AGENT_POOL, CLUSTER, AksPool
from penstock.graph.view import View

POOLS: Final = (AGENT_POOL, CLUSTER)
"""The types that describe node pools."""


def cluster_of(pool: AksPool) -> View | None:
    """The cluster of a node pool; None where the pool names none.

    Raises:
        NotKnown: the cluster lies outside the program.
    """
    return pool.view if pool.view.type == CLUSTER else pool.view.one("resourceName", CLUSTER)

"""What rules on node pools of AKS share: where pools are described, and the cluster that they are of."""

from __future__ import annotations

from typing import Final

from penstock.azure.model.pools import AksPool
from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.graph.view import View

POOLS: Final = (CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER)
"""The types that describe node pools."""


def cluster_of(pool: AksPool) -> View | None:
    """The cluster of a node pool; None where the pool names none.

    Raises:
        NotKnown: the cluster lies outside the program.
    """
    return (
        pool.view
        if pool.view.type == CONTAINERSERVICE_MANAGED_CLUSTER
        else pool.view.one("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER)
    )

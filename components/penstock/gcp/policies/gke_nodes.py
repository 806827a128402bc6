"""Nodes of GKE wherever a program describes them: pools of their own, pools in their cluster, and its default pool."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.rules.checks import Absent, All, ByType, Check, Each, Either, Is, IsNot, Where

STANDARD: Final = IsNot("enableAutopilot", value=True)
_MAKES_POOLS: Final = Either(Is("enableAutopilot", value=True), Is("clusterAutoscaling.enabled", value=True))


def of_cluster_nodes(check: Check) -> Check:
    """Return a check of the nodes that a cluster's own properties describe and that stay; Autopilot's are Google's."""
    described = All(Where(Absent("nodePools"), check), Each("nodePools[]", check))
    return Where(All(STANDARD, IsNot("removeDefaultNodePool", value=True)), described)


def of_all_nodes(check: Check) -> Check:
    """Return a check of a pool, and of the nodes that a cluster's own properties describe."""
    return ByType({CONTAINER_NODE_POOL: check, CONTAINER_CLUSTER: of_cluster_nodes(check)})


def of_provisioned_nodes(check: Check) -> Check:
    """A check of a cluster in which GKE makes pools by itself; `clusterAutoscaling` says what their nodes have."""
    return Where(_MAKES_POOLS, check)

"""The series of nodes that report broken accelerators or links."""

from __future__ import annotations

from penstock.addons.observability.series import has_nvidia
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.facts.node_conditions import NodeCondition, node_conditions


def unhealthy_nodes(cluster: InCluster) -> str:
    """The expression that finds them, by the conditions that something sets in the cluster; empty without any."""
    by_status: dict[str, list[str]] = {}
    for each in node_conditions(cluster.provider):
        if _is_set(each, cluster):
            by_status.setdefault(each.unhealthy, []).append(each.condition)
    return " or ".join(
        f'kube_node_status_condition{{condition=~"{"|".join(conditions)}",status="{status}"}} == 1'
        for status, conditions in by_status.items()
    )


def _is_set(condition: NodeCondition, cluster: InCluster) -> bool:
    there = {"cloud": True, "penstock": not cluster.adopted, "health": cluster.addons.has("health")}
    return there[condition.set_by] and any(_is_on(condition, pool) for pool in cluster.pools)


def _is_on(condition: NodeCondition, pool: PoolNodes) -> bool:
    match condition.nodes:
        case "accelerators":
            return pool.resource is not None
        case "nvidia":
            return has_nvidia(pool)
        case "nvidia-image-driver":
            return has_nvidia(pool) and pool.software is not None and pool.software.driver == "node"
        case "fabric":
            return pool.fabric is not None

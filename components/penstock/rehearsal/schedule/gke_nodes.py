"""The nodes that GKE starts as a node pool is created."""

from __future__ import annotations

from penstock.resources.view import View
from penstock.rules.gcp import nodes
from penstock.rules.gcp.nodes import Pool
from penstock.rules.gcp.types import CLUSTER


def pools(view: View) -> list[Pool]:
    """The node pools that a resource brings, also the one that GKE makes where a cluster says nothing of its nodes."""
    found = nodes.pools(view)
    if view.type != CLUSTER or found or view.flag("enableAutopilot") or view.flag("removeDefaultNodePool"):
        return found
    return [Pool(view, view)]


def started(pool: Pool) -> int:
    """How many nodes a pool starts with, in all its zones together.

    Raises:
        NotKnown: nobody can tell yet.
    """
    given = [pool.block.integer(key) for key in ("nodeCount", "initialNodeCount")]
    scaling = pool.block.block("autoscaling")
    if scaling is not None:
        total = scaling.integer("totalMinNodeCount")
        if total is not None and not any(given):
            return total
        given.append(scaling.integer("minNodeCount"))
    each_zone = next((count for count in given if count is not None), 0)
    return each_zone * nodes.zone_count(pool) if each_zone else 0

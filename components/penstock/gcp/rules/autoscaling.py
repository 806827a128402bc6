"""Rules on the size of a node pool: fixed or autoscaled, and the bounds of autoscaling."""

from __future__ import annotations

from penstock.core.wording import listed
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, together
from penstock.graph.view import Block
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_PER_ZONE = ("minNodeCount", "maxNodeCount")
_TOTAL = ("totalMinNodeCount", "totalMaxNodeCount")


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="With both, each update undoes what the autoscaler did.",
    fix="Leave nodeCount out; set initialNodeCount for the number of nodes to start with.",
    sources=(
        "documentation of pulumi-gcp 10, container.NodePool, nodeCount",
        "cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",
    ),
)
def gcp_gke_pool_fixed_or_autoscaled(pool: GkePool) -> Verdict:
    """A node pool has a fixed number of nodes or is autoscaled, and not both."""
    if "nodeCount" not in pool.block:
        return NOT_APPLICABLE
    message = "nodeCount is set beside autoscaling, so that each update undoes the autoscaler"
    hint = "Leave nodeCount out; initialNodeCount says how many nodes to start with."
    return allow("autoscaling" not in pool.block, message, hint=hint, path=pool.block.at("nodeCount"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The API rejects both kinds of bounds together.",
    fix="Leave out totalMinNodeCount and totalMaxNodeCount, or minNodeCount and maxNodeCount.",
    sources=("Kubernetes Engine API, NodePoolAutoscaling",),
)
def gcp_gke_autoscaling_bounds_kind(pool: GkePool) -> Verdict:
    """The bounds of autoscaling are given per zone or in total, and not both."""
    scaling = pool.block.block("autoscaling")
    if scaling is None:
        return NOT_APPLICABLE
    totals = [key for key in _TOTAL if key in scaling]
    zonal = [key for key in _PER_ZONE if key in scaling]
    message = f"{listed(zonal)} per zone and {listed(totals)} in total exclude one another"
    hint = f"Leave {listed(totals)} out, or {listed(zonal)}."
    return allow(not (totals and zonal), message, hint=hint, path=scaling.at(totals[0] if totals else ""))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="The API rejects negative counts, an upper bound of 0 and bounds in reverse order.",
    fix=(
        "Set minNodeCount (or totalMinNodeCount) to 0 or more, and maxNodeCount (or totalMaxNodeCount) to 1 or more "
        "and not below it."
    ),
    sources=("Kubernetes Engine API, NodePoolAutoscaling",),
)
def gcp_gke_autoscaling_bounds_order(pool: GkePool) -> Verdict:
    """Node counts are 0 or more; the lower bound of autoscaling is at most the upper one, which is 1 or more."""
    sizes = [_is_size(pool.block, key) for key in ("nodeCount", "initialNodeCount")]
    scaling = pool.block.block("autoscaling")
    if scaling is None:
        return together(sizes)
    return together([*sizes, *(_in_order(scaling, *keys) for keys in (_PER_ZONE, _TOTAL))])


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE refuses a node pool whose initial size is outside its bounds.",
    fix="Set initialNodeCount to a number within the bounds of autoscaling.",
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_gke_pool_initial_node_count(pool: GkePool) -> Verdict:
    """The number of nodes that a node pool starts with lies between the bounds of its autoscaling."""
    scaling, initial = pool.block.block("autoscaling"), pool.block.integer("initialNodeCount")
    if scaling is None or initial is None or _started_before(pool):
        return NOT_APPLICABLE
    total = any(key in scaling for key in _TOTAL)
    low, high = (scaling.integer(key) for key in (_TOTAL if total else _PER_ZONE))
    count = pool.in_all_zones(initial) if total else initial
    if (low or 0) > (high if high is not None else count):
        return NOT_APPLICABLE  # reported by another rule
    message = f"the pool starts with {count} nodes{'' if total else ' in each zone'}"
    message = f"{message}, and its bounds are {low or 0} and {'none' if high is None else high}"
    holds = (low or 0) <= count and (high is None or count <= high)
    hint = f"Set initialNodeCount so that the pool starts with {low or 0} to {high} nodes."
    return allow(holds, message, hint=hint, path=pool.block.at("initialNodeCount"))


def _started_before(pool: GkePool) -> bool:
    """Return whether a pool of an earlier run keeps the number that it started with, which nobody sends again."""
    its = pool.view.resource
    return its.existed and "initialNodeCount" in its.options.ignore_changes


def _is_size(block: Block, key: str) -> Verdict:
    count = block.integer(key)
    if count is None:
        return NOT_APPLICABLE
    return allow(count >= 0, f"{key} is {count}", hint="Use 0 or more.", path=block.at(key))


def _in_order(scaling: Block, least: str, most: str) -> Verdict:
    low, high = scaling.integer(least), scaling.integer(most)
    if low is None and high is None:
        return NOT_APPLICABLE
    verdicts = [
        allow((low or 0) >= 0, f"{least} is {low}", hint="Use 0 or more.", path=scaling.at(least)),
        allow(high is None or high > 0, f"{most} is {high}", hint="Use 1 or more.", path=scaling.at(most)),
    ]
    if low is not None and high is not None:
        message = f"{least} {low} is above {most} {high}"
        verdicts.append(allow(low <= high, message, hint=f"Use {high} or less.", path=scaling.at(least)))
    return together(verdicts)

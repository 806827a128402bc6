"""Rules on what starts and stops machines."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.description.rules import known_on_aws
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule, rule

_PATH = ("cluster", "autoscaling")


@rule("SPEC-177", reads=("cluster", "network"), provider="aws")
def karpenter_has_a_cluster_and_a_way_out(spec: Spec) -> Iterator[Problem]:
    """Karpenter comes with a new cluster, whose network leads to IAM and to the prices of machines."""
    if spec.cluster.autoscaling != "karpenter":
        return
    if spec.cluster.existing is not None:
        hint = "Leave cluster.autoscaling out: who scales an existing cluster keeps doing so."
        yield Problem(_PATH, "Karpenter is installed in new clusters only.", hint)
    elif spec.network.egress == "none":
        message = "Karpenter asks IAM and the price list, which have no way in from a network with egress: none."
        yield Problem(_PATH, message, "Use cluster-autoscaler, the default, or network.egress: nat.")


@pool_rule("SPEC-177", reads=("cluster",), provider="aws")
def pool_with_bounds_is_scaled(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """With Karpenter a pool with bounds may be empty; the others have a fixed number of nodes."""
    if spec.cluster.autoscaling != "karpenter" or pool.nodes.min in (0, pool.nodes.max):
        return
    message = f"Karpenter keeps no minimum number of nodes, and nobody else would scale pool {pool.name}."
    most = pool.nodes.max
    fixed = f"a fixed number for a managed node group, such as nodes: {most}"
    machine = known_on_aws.machine(pool, spec)
    if machine is not None and not machine.accelerators and not pool.taints:
        hint = f"Use {fixed}: the pool takes the cluster's own pods, which need nodes at any time."
    else:
        hint = f"Use nodes: {{min: 0, max: {most}}}, or {fixed}."
    yield Problem(("nodes",), message, hint)

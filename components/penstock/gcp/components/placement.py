"""Where Google puts the machines of a pool: close together, or as one slice."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_gcp import compute, container

from penstock.catalog import limits
from penstock.description.node_pool import NodePoolSpec
from penstock.description.shortened_names import with_room
from penstock.gcp.description import pools


def placement(
    name: str, spec: NodePoolSpec, *, region: str, after: Sequence[pulumi.Resource], opts: pulumi.ResourceOptions
) -> container.NodePoolPlacementPolicyArgsDict | None:
    """The placement settings of a node pool, with the resource policy that it needs and does not bring along.

    GKE makes the policy of a compact pool itself. A workload policy, which the machines of one NVLink domain and slices
    of TPU7x ask for, is ours to make, `after` the API that it is made by; it never changes, so another topology is
    another policy.
    """
    kind = pools.placement(spec)
    if kind is None:
        return None
    # The provider wants a type with every policy, and GKE knows no other.
    policy: container.NodePoolPlacementPolicyArgsDict = {"type": "COMPACT"}
    if spec.topology is not None:
        policy["tpu_topology"] = spec.topology
    if spec.placement not in ("auto", "none", "cluster"):
        policy["policy_name"] = spec.placement
    elif kind == "workload":
        policy["policy_name"] = _workload_policy(name, spec, region=region, after=after, opts=opts).name
    return policy


def _workload_policy(
    name: str, spec: NodePoolSpec, *, region: str, after: Sequence[pulumi.Resource], opts: pulumi.ResourceOptions
) -> compute.ResourcePolicy:
    domain = limits.find_limit("nvlink_domain_nodes", "gcp").most * pools.machine(spec).accelerators
    return compute.ResourcePolicy(
        with_room(name, limits.find_limit("resource_policy_name_characters", "gcp").most),
        region=region,
        workload_policy={"type": "HIGH_THROUGHPUT", "accelerator_topology": spec.topology or f"1x{domain}"},
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=list(after))),
    )

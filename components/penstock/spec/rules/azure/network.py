"""Rules on networks of Azure: room for nodes and file systems, and ranges that stay apart."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.spec import azure_ranges
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.network import CIDR, holds_subnets
from penstock.spec.rules.rule import rule
from penstock.spec.storage import LustreSpec


@rule("SPEC-042", reads=("network", "node_pools"), provider="azure")
def network_has_addresses_for_all_nodes(spec: Spec) -> Iterator[Problem]:
    """The subnet of nodes has an address for each of them; pods have theirs elsewhere."""
    if not holds_subnets(spec):
        return
    kept = limits.find_limit("reserved_subnet_addresses", "azure").most
    room, wanted = azure_ranges.nodes(spec.network.cidr).num_addresses - kept, sum(p.nodes.max for p in spec.node_pools)
    if wanted > room:
        message = f"The network is too small: {spec.network.cidr} has {room} addresses for nodes, but {wanted} can be."
        yield Problem(CIDR, message, "Use a larger network, or lower nodes.max.")


@rule("SPEC-042", reads=("network", "storage"), provider="azure")
def network_has_subnets_for_all_file_systems(spec: Spec) -> Iterator[Problem]:
    """The network has a subnet for each Lustre file system."""
    if not holds_subnets(spec):
        return
    room = azure_ranges.lustre_slots(spec.network.cidr)
    wanted = sum(isinstance(item, LustreSpec) for item in spec.storage)
    if wanted > room:
        message = f"{spec.network.cidr} has subnets for {room} Lustre file systems, but there are {wanted}."
        yield Problem(CIDR, message, "Use a larger network.")


@rule("SPEC-041", reads=("network",), provider="azure")
def pods_have_a_range_that_nobody_else_has(spec: Spec) -> Iterator[Problem]:
    """No range that reaches the cluster is that of its pods, which could never answer it."""
    if not holds_subnets(spec):
        return
    pods = azure_ranges.pods(spec.network.cidr)
    for index, cidr in enumerate(spec.network.allowed_cidrs):
        if cidr.overlaps(pods):
            message = f"{cidr} overlaps {pods}, where the pods of this network have their addresses."
            other = next(pods.subnets(new_prefix=16))
            hint = f"Use a network in {pods} instead, such as {other}: its pods go elsewhere."
            yield Problem(("network", "allowed_cidrs", index), message, hint)

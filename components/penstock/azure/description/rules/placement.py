"""Rules on the placement and fabric of nodes, for Azure alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.azure.description import pools
from penstock.azure.description.rules.capacity import IN_GROUP
from penstock.azure.facts.machines import AzureMachine
from penstock.catalog import limits
from penstock.core.wording import quoted
from penstock.description import platform
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule, rule

_GROUP = rf"{IN_GROUP}Microsoft\.Compute/proximityPlacementGroups/[\w.-]+"


@pool_rule("SPEC-076", provider="azure")
def infiniband_is_asked_of_machines_that_have_it(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """InfiniBand is requested only for sizes that have it, which an r in their name shows."""
    machine = known.machine(pool, spec)
    if pool.fabric == "infiniband" and isinstance(machine, AzureMachine) and not machine.rdma:
        hint = "Leave fabric out, or use a size with r among its letters, such as Standard_ND96isr_H100_v5."
        yield Problem(("fabric",), f"{machine.machine_type} does not have InfiniBand.", hint)


@pool_rule("SPEC-079", provider="azure")
def placement_group_has_an_id(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """An existing proximity placement group is named by its id."""
    if pool.placement in ("auto", "none", "cluster") or re.fullmatch(_GROUP, pool.placement, re.IGNORECASE):
        return
    message = f"{quoted(pool.placement)} is not the id of a proximity placement group."
    yield Problem(("placement",), message, "Use auto, none, cluster, or the id of an existing group.")


@pool_rule("SPEC-191", provider="azure")
def infiniband_reaches_all_machines_of_a_pool(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool on InfiniBand grows no larger than the scale set that Azure connects."""
    machine, most = known.machine(pool, spec), limits.find_limit("machines_of_a_placement_group", "azure").most
    if machine is None or not pools.infiniband(platform.resolved(spec, pool)) or pool.nodes.max <= most:
        return
    path = ("nodes",) if pool.nodes.min == pool.nodes.max else ("nodes", "max")
    message = f"InfiniBand connects {most} machines of a pool, and {pool.name} can have {pool.nodes.max}."
    yield Problem(path, message, "Split the nodes over several pools; a job stays in one. Support raises it to 300.")


@rule("SPEC-192", reads=("node_pools", "cloud"), provider="azure")
def one_feature_serves_all_pools(spec: Spec) -> Iterator[Problem]:
    """Pools of GB200 or GB300 are in another subscription than other pools on InfiniBand."""
    wired: dict[bool, str] = {}
    for index, pool in enumerate(spec.node_pools):
        machine = known.machine(pool, spec)
        if machine is None or not pools.infiniband(platform.resolved(spec, pool)):
            continue
        rack = machine.architecture == "arm64"
        wired.setdefault(rack, pool.name)
        if (other := wired.get(not rack)) is None:
            continue
        message = f"{pool.name} and {other} want the feature AKSInfinibandSupport registered and unregistered."
        yield Problem(("node_pools", index), message, "Build racks of GB200 or GB300 in a subscription of their own.")

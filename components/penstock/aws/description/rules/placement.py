"""Rules on the placement and fabric of nodes, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.description.rules import known_on_aws
from penstock.catalog import limits
from penstock.core.wording import quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule, rule


@pool_rule("SPEC-076", provider="aws")
def efa_is_asked_of_machines_that_have_it(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """EFA is requested only for machine types that support EFA."""
    machine = known_on_aws.machine(pool, spec)
    if pool.fabric == "efa" and machine is not None and not machine.efa_layout:
        hint = "Leave fabric out, or use a larger type of the family: the large ones support EFA."
        yield Problem(("fabric",), f"{machine.machine_type} does not support EFA.", hint)


@pool_rule("SPEC-078", provider="aws")
def capacity_block_has_no_placement_group(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A capacity block is placed closely by AWS itself, which refuses a placement group beside it."""
    if pool.capacity == "capacity_block" and pool.placement not in ("auto", "none"):
        yield Problem(("placement",), "A capacity block cannot have a placement group.", "Leave placement out.")


@pool_rule("SPEC-079", provider="aws")
def placement_group_has_a_name_that_exists(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The name of an existing placement group is one that AWS would have accepted."""
    name = pool.placement
    longest = limits.find_limit("placement_group_name_characters", "aws").most
    if not (0 < len(name) <= longest and name.isascii() and name.isprintable()):
        message = f"{quoted(pool.placement)} is not a valid placement group name."
        yield Problem(("placement",), message, "Use auto, none, cluster, or the name of an existing group.")


@rule("SPEC-080", reads=("node_pools", "network", "cloud"), provider="aws")
def placement_group_lies_in_one_zone(spec: Spec) -> Iterator[Problem]:
    """Pools that share an existing placement group are in one zone, as a cluster placement group is."""
    first: dict[str, tuple[str, str]] = {}
    for index, pool in enumerate(spec.node_pools):
        zone = known.zone(pool, spec)
        if pool.placement in ("auto", "none", "cluster") or zone is None:
            continue
        name, other = first.setdefault(pool.placement, (pool.name, zone))
        if zone != other:
            field = "zone" if pool.zone is not None else "placement"
            group = f"Placement group {quoted(pool.placement)} is in one zone"
            message = f"{group}: {name} is in {other}, {pool.name} in {zone}."
            yield Problem(("node_pools", index, field), message, f"Set zone: {other} here.")

"""Rules on how machines are bought, for AWS alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.core.wording import quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule

_RESERVATION = r"cr-[0-9a-f]{17}"


@pool_rule("SPEC-070", provider="aws")
def capacity_block_is_named_with_its_zone(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A capacity block is bought before, so the pool names it and the zone that it lies in."""
    if pool.capacity != "capacity_block":
        return
    if pool.reservation is None:
        yield Problem(("reservation",), "The id of the capacity block is missing.", "Such as cr-0123456789abcdef0.")
    if pool.zone is None:
        yield Problem(("zone",), "The zone of the capacity block is missing.", "AWS shows it beside the reservation.")


@pool_rule("SPEC-071", provider="aws")
def reservation_is_an_id(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A reservation has the id of a capacity reservation."""
    if pool.reservation is not None and not re.fullmatch(_RESERVATION, pool.reservation):
        message = f"{quoted(pool.reservation)} is not the id of a capacity reservation."
        yield Problem(("reservation",), message, "Write cr- and 17 of 0-9 and a-f, such as cr-0123456789abcdef0.")


@pool_rule("SPEC-072", provider="aws")
def capacity_block_holds_the_nodes(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A pool grows no larger than the largest capacity block that AWS sells."""
    most = limits.find_limit("machines_of_a_capacity_block", "aws").most
    if pool.capacity == "capacity_block" and pool.nodes.max > most:
        path = ("nodes",) if pool.nodes.min == pool.nodes.max else ("nodes", "max")
        message = f"{pool.nodes.max} nodes exceed a capacity block, which has at most {most}."
        yield Problem(path, message, "Split the nodes over several pools, each with its own block.")

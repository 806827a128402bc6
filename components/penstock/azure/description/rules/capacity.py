"""Rules on how machines are bought, for Azure alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.azure.description.rules.cloud import GUID
from penstock.core.wording import quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule, rule

IN_GROUP: Final = rf"/subscriptions/{GUID}/resourceGroups/[\w().-]+/providers/"
_RESERVATION = rf"{IN_GROUP}Microsoft\.Compute/capacityReservationGroups/[\w-]+"


@pool_rule("SPEC-071", provider="azure")
def reserved_machines_come_from_a_group(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Reserved machines come from a capacity reservation group, by its id."""
    path, hint = ("reservation",), "az capacity reservation group show shows the id: /subscriptions/S/resourceGroups/…"
    machine = known.machine(pool, spec)
    if machine is not None and pool.capacity not in machine.sold:
        return
    if pool.capacity == "reserved" and pool.reservation is None:
        yield Problem(path, "The capacity reservation group is missing.", hint)
    elif pool.reservation is not None and not re.fullmatch(_RESERVATION, pool.reservation, re.IGNORECASE):
        yield Problem(path, f"{quoted(pool.reservation)} is not the id of a capacity reservation group.", hint)


@rule("SPEC-198", reads=("node_pools", "cloud"), provider="azure")
def pods_of_the_cluster_are_on_machines_that_stay(spec: Spec) -> Iterator[Problem]:
    """The pool that a cluster comes with is on demand or reserved: AKS takes no spot machines for its own pods."""
    for index, pool in enumerate(spec.node_pools):
        if not known.takes_any_pod(pool, spec):
            continue
        if pool.capacity == "spot":
            message = f"Pool {pool.name} runs the cluster's own pods, which AKS does not put on spot machines."
            hint = "Describe a pool without accelerators and taints before it, on demand, or leave capacity out."
            yield Problem(("node_pools", index, "capacity"), message, hint)
        return

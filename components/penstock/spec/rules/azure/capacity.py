"""Rules on how machines are bought, for Azure alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.azure.cloud import GUID
from penstock.spec.rules.rule import pool_rule
from penstock.wording import quoted

IN_GROUP: Final = rf"/subscriptions/{GUID}/resourceGroups/[\w().-]+/providers/"
_RESERVATION = rf"{IN_GROUP}Microsoft\.Compute/capacityReservationGroups/[\w-]+"


@pool_rule("SPEC-071", provider="azure")
def reserved_machines_come_from_a_group(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Reserved machines come from a capacity reservation group, by its id."""
    path, hint = ("reservation",), "az capacity reservation group show shows the id: /subscriptions/S/resourceGroups/…"
    if pool.capacity == "reserved" and pool.reservation is None:
        yield Problem(path, "The capacity reservation group is missing.", hint)
    elif pool.reservation is not None and not re.fullmatch(_RESERVATION, pool.reservation, re.IGNORECASE):
        yield Problem(path, f"{quoted(pool.reservation)} is not the id of a capacity reservation group.", hint)

"""Facts that several rules on descriptions for Google Cloud read; None for what is unknown."""

from __future__ import annotations

from penstock.core.errors import UnknownFact
from penstock.description import platform
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.rules import known
from penstock.gcp.description import pools
from penstock.gcp.facts.machines import GcpMachine


def machine(pool: NodePoolSpec, spec: Spec) -> GcpMachine | None:
    """The machine of a pool in the region of the platform."""
    found = known.machine(pool, spec)
    return found if isinstance(found, GcpMachine) else None


def pool_with_machine(pool: NodePoolSpec, spec: Spec) -> NodePoolSpec | None:
    """A pool with its machine type, where the catalogue has that and the slice that it asks for."""
    if machine(pool, spec) is None:
        return None
    resolved = platform.resolved(spec, pool)
    try:
        pools.slice_(resolved)
    except UnknownFact:
        return None
    return resolved

"""Facts that several rules on descriptions for Google Cloud read; None for what is unknown."""

from __future__ import annotations

from penstock.catalog.gcp.machines import GcpMachine
from penstock.errors import UnknownFact
from penstock.spec import gcp_pools, platform
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.rules import known


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
        gcp_pools.slice_(resolved)
    except UnknownFact:
        return None
    return resolved

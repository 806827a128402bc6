"""Facts derived for a node pool on AWS: its machine, fabric and zone.

Every function raises `UnknownFact` where the catalogue has no such machine; a pool of a description that was checked
never does.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.aws.facts import lustre_clients
from penstock.aws.facts.machines import AwsMachine
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec


def machine(pool: NodePoolSpec) -> AwsMachine:
    """The machine type of the pool."""
    return node_pool.machine(pool, AwsMachine)


def efa(pool: NodePoolSpec) -> bool:
    """Return whether the nodes use EFA: as `fabric` sets it, or by default on accelerated machines with EFA."""
    if pool.fabric != "auto":
        return pool.fabric == "efa"
    its = machine(pool)
    return its.efa_layout is not None and its.efa_max >= 1 and its.accelerators >= 1


def mounts_over_efa(pool: NodePoolSpec) -> bool:
    """Return whether FSx takes the nodes as clients of a Lustre file system over EFA."""
    return efa(pool) and lustre_clients.efa_interfaces(machine(pool)) > 0


def one_zone(pool: NodePoolSpec) -> bool:
    """Return whether all nodes must be in one zone.

    EFA does not leave a zone, a cluster placement group and a reservation lie in one.
    """
    return (
        pool.zone is not None
        or efa(pool)
        or pool.placement not in ("auto", "none")
        or pool.capacity in ("reserved", "capacity_block")
    )


def zone_of(pool: NodePoolSpec, zones: Sequence[str]) -> str | None:
    """The one zone of the pool (its own, or the first of `zones`), or None when it spreads over all of them.

    Which building a name means differs by account, so nobody knows here which of several zones sells a machine: a pool
    that some zones only can hold names its own.
    """
    return pool.zone or (zones[0] if one_zone(pool) else None)

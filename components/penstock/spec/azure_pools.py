"""Facts derived for a node pool on Azure: its machine, fabric and zone.

Every function raises `UnknownFact` where the catalogue has no such machine; a pool of a description that was checked
never does.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.catalog.azure.machines import AzureMachine
from penstock.catalog.name_forms import name_forms
from penstock.spec import node_pool
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.shortened_names import letters_of

_POOL = "azure-native:containerservice:AgentPool"


def machine(pool: NodePoolSpec) -> AzureMachine:
    """The size of the pool's virtual machines."""
    return node_pool.machine(pool, "azure")


def pool_name(pool: NodePoolSpec) -> str:
    """The name by which AKS calls the pool: its own if that is of few letters and digits, otherwise shortened."""
    return letters_of(pool.name, name_forms("azure")[_POOL].longest)


def first(pools: Sequence[NodePoolSpec]) -> NodePoolSpec:
    """The pool that a cluster comes with, for its own pods: the first that takes any pod."""
    return next(pool for pool in pools if node_pool.takes_any_pod(pool, "azure"))


def beside_the_first(pools: Sequence[NodePoolSpec]) -> tuple[NodePoolSpec, ...]:
    """The other pools, each of which is a resource of its own."""
    its = first(pools).name
    return tuple(pool for pool in pools if pool.name != its)


def infiniband(pool: NodePoolSpec) -> bool:
    """Return whether the nodes use InfiniBand: as `fabric` sets it, or by default on sizes that have it."""
    return pool.fabric == "infiniband" or (pool.fabric == "auto" and machine(pool).rdma)


def one_zone(pool: NodePoolSpec) -> bool:
    """Return whether all nodes must be in one zone.

    The InfiniBand of a pool does not leave a zone; a proximity placement group and a reservation lie in one.
    """
    return (
        pool.zone is not None
        or infiniband(pool)
        or pool.placement not in ("auto", "none")
        or pool.capacity == "reserved"
    )


def zone_of(pool: NodePoolSpec, zones: Sequence[str]) -> str | None:
    """The one zone of the pool (its own, or the first of `zones`), or None when it spreads, or its region has none.

    Each subscription numbers the zones of a region in its own order, so that nobody knows here which of them sells a
    machine: a pool that some zones only can hold names its own.
    """
    return pool.zone or (zones[0] if zones and one_zone(pool) else None)

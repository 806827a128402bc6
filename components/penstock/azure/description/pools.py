"""Facts derived for a node pool on Azure: its machine, fabric and zone.

Every function raises `UnknownFact` where the catalogue has no such machine; a pool of a description that was checked
never does.
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.azure.facts.machines import AzureMachine
from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL
from penstock.catalog.name_forms import name_forms
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec
from penstock.description.shortened_names import letters_of


def machine(pool: NodePoolSpec) -> AzureMachine:
    """The size of the pool's virtual machines."""
    return node_pool.machine(pool, AzureMachine)


def pool_name(pool: NodePoolSpec) -> str:
    """The name by which AKS calls the pool: its own if that is of few letters and digits, otherwise shortened."""
    return letters_of(pool.name, name_forms("azure")[CONTAINERSERVICE_AGENT_POOL].longest)


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


def zones_of(pool: NodePoolSpec, zones: Sequence[str]) -> tuple[str, ...]:
    """The availability zones that the pool asks for: its own, otherwise those among `zones` that it may spread over.

    A pool with accelerators asks for none unless it names one: AKS offers many of these sizes in one zone or in none,
    and each subscription numbers the zones of a region in its own order. Azure then chooses the place; all machines of
    the pool are in one scale set in any case, which is what InfiniBand needs.
    """
    if pool.zone is not None:
        return (pool.zone,)
    if machine(pool).accelerators:
        return ()
    return tuple(zones[:1] if one_zone(pool) else zones)


def zone_of(pool: NodePoolSpec, zones: Sequence[str]) -> str | None:
    """The one zone of the pool, or None when it spreads, Azure chooses the place, or its region has no zones."""
    found = zones_of(pool, zones)
    return found[0] if found and one_zone(pool) else None

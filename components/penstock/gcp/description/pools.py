"""Facts derived for a node pool on Google Cloud: its machine, fabric, slice, placement and zone.

Every function raises `UnknownFact` where the catalogue has no such machine; a pool of a description that was checked
never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from penstock.catalog import limits, machine_zones
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.description.node_pool_block import own_settings
from penstock.gcp.facts import compact_placement, fabrics, gke_versions, tpus
from penstock.gcp.facts.fabrics import NetworkFabric
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.facts.tpus import Slice

Placement = Literal["compact", "workload"]

_NVLINK_DOMAIN = ("rdma-nvl72", "rdma-metal")
"""The fabrics of machines that share one NVLink domain, 18 of them: A4X and A4X Max."""


def local_ssds(spec: NodePoolSpec, machine: GcpMachine) -> int:
    """The local SSDs of each node: those that come with the machine, or as many as asked for."""
    return machine.local_ssds[0] if len(machine.local_ssds) == 1 else own_settings(spec).local_ssds or 0


def machine(pool: NodePoolSpec) -> GcpMachine:
    """The machine type of the pool."""
    return node_pool.machine(pool, GcpMachine)


def fabric(pool: NodePoolSpec) -> NetworkFabric | None:
    """The networks of our own making that the pool's machines are wired to, beside the cluster's; None without any."""
    its = machine(pool).fabric
    return fabrics.find_fabric(its) if its is not None and pool.fabric != "none" and not dranet(pool) else None


def fabric_prefix(its: NetworkFabric, zone: str | None) -> str:
    """The start of the names of a fabric's networks: one that lies in a zone has its letter, for names are short."""
    return f"{its.name}-{zone[-1]}" if its.zonal and zone is not None else its.name


def dranet(pool: NodePoolSpec) -> bool:
    """Return whether GKE wires the fabric itself (DRANET): on request, and on A4X, where Google recommends it."""
    its = machine(pool)
    if its.fabric is None or pool.fabric == "none" or own_settings(pool).networking == "multi_network":
        return False
    return own_settings(pool).networking == "dranet" or in_nvlink_domain(its)


def in_nvlink_domain(its: GcpMachine) -> bool:
    """Return whether the accelerators of several such machines share one NVLink domain."""
    return its.fabric in _NVLINK_DOMAIN


def slice_(pool: NodePoolSpec) -> Slice | None:
    """The TPU slice that the pool's topology asks for; None without a topology."""
    return tpus.slice_(machine(pool), pool.topology) if pool.topology is not None else None


def placement(pool: NodePoolSpec) -> Placement | None:
    """The placement policy of the machines; None where a reservation carries that, or nothing asks for it.

    A slice of several hosts always needs it. Machines of one NVLink domain get it unless the pool says otherwise, and
    so do others with a fabric, if Google's autoscaler places so many of them.
    """
    its, shape = machine(pool), slice_(pool)
    if shape is not None:
        return shape.policy
    if pool.placement == "none":
        return None
    if in_nvlink_domain(its):
        return "workload"
    if pool.placement != "auto":
        return "compact"
    wanted = its.accelerator_kind == "gpu" and _wired(pool) and pool.reservation is None
    return "compact" if wanted and may_be_compact(pool) and pool.nodes.max <= (its.compact_nodes or 0) else None


def may_be_compact(pool: NodePoolSpec) -> bool:
    """Return whether the purchase option of the pool allows compact placement."""
    flexible = pool.capacity == "flex_start"
    return not flexible or (
        compact_placement.with_flex_start(machine(pool).machine_type) and not own_settings(pool).queued
    )


def features(pool: NodePoolSpec) -> tuple[str, ...]:
    """The features that GKE needs for the pool, of the features that came with some version (`gke_versions`)."""
    its, networks = machine(pool), fabric(pool)
    needed = {its.family, "dranet" if dranet(pool) else "", *(("multi_networking", networks.name) if networks else ())}
    return tuple(feature for feature in gke_versions.features() if feature in needed)


def together(pool: NodePoolSpec) -> bool:
    """Return whether the machines share one job, which ends with the first of them: by a fabric or as one slice."""
    if machine(pool).accelerator_kind == "tpu":
        shape = slice_(pool)
        return shape is not None and shape.multi_host
    return _wired(pool)


def one_zone(pool: NodePoolSpec) -> bool:
    """Return whether all nodes must be in one zone: for a fabric, placement, slice of several hosts or reservation."""
    shape = slice_(pool)
    return (
        pool.zone is not None
        or _wired(pool)
        or placement(pool) is not None
        or (shape is not None and shape.multi_host)
        or pool.capacity == "reserved"
    )


def zone_of(pool: NodePoolSpec, zones: Sequence[str]) -> str | None:
    """The one zone of the pool (its own, or the first of `zones` that sells its machines), or None when it spreads."""
    return pool.zone or (zones_for(pool, zones)[0] if one_zone(pool) else None)


def zones_for(pool: NodePoolSpec, zones: Sequence[str]) -> Sequence[str]:
    """The zones among `zones` that sell the pool's machines; all of them where none does, which a rule reports."""
    name = machine(pool).machine_type
    seen = [zone for zone in zones if zone in machine_zones.zones_seen(name, zone.rpartition("-")[0], "gcp")]
    return tuple(seen) or machine_zones.may_sell(name, zones, "gcp") or zones


def max_pods(pool: NodePoolSpec) -> int:
    """The most pods of a node, which fixes how many addresses it takes from the range of pods."""
    kind = "tpu" if machine(pool).accelerator_kind == "tpu" else "fabric" if _wired(pool) else "plain"
    return limits.find_limit(f"pods_per_{kind}_node", "gcp").most


def _wired(pool: NodePoolSpec) -> bool:
    return fabric(pool) is not None or dranet(pool)

"""Readers of node pools and machines beside the model: features, placement, and the path of a machine type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from penstock.catalog import regions
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import gke_versions
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model.gce import machine_named
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.types import (
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_INSTANCE_TEMPLATE,
    COMPUTE_RESERVATION,
    COMPUTE_RESOURCE_POLICY,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, fail, together
from penstock.graph.view import Block, View

SINGLE = (COMPUTE_INSTANCE, COMPUTE_INSTANCE_TEMPLATE, COMPUTE_REGION_INSTANCE_TEMPLATE)
"""The types of resources that start machines without GKE."""

STARTERS = (*POOLS, *SINGLE, COMPUTE_RESERVATION)
"""The types of resources that say which machine they are about."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A place that names a machine type: the block that holds it, and the resource of that block."""

    block: Block
    view: View

    @property
    def name(self) -> str | None:
        """The machine type; None where the cloud's default is meant."""
        named = self.block.text("machineType")
        return None if named is None else named.rpartition("/")[2]

    @property
    def machine(self) -> GcpMachine | None:
        """Its row of the catalogue; None for an unknown machine type."""
        return machine_named(self.name or "")


def starters(view: View) -> list[Starter]:
    """Return the places of a resource that name a machine type."""
    if view.type in POOLS:
        return [Starter(config, view) for pool in gke_pools(view) if (config := pool.config) is not None]
    if view.type == COMPUTE_RESERVATION:
        specific = view.block("specificReservation")
        properties = specific.block("instanceProperties") if specific is not None else None
        return [] if properties is None else [Starter(properties, view)]
    return [Starter(view, view)]


def on_machines(view: View, check: Callable[[GcpMachine, Block], Verdict]) -> Verdict:
    """Return the verdict of a check on each machine type that a resource names, where the catalogue knows it."""
    return together(
        check(machine, starter.block) for starter in starters(view) if (machine := starter.machine) is not None
    )


def zones_in(region: str) -> tuple[str, ...]:
    """The zones of a region that the catalogue knows."""
    try:
        return regions.find_region(region, "gcp").zones
    except UnknownFact:
        return ()


def has_feature(pool: GkePool, feature: str) -> Verdict:
    """Return the verdict on the version of a pool's nodes: new enough for a feature of GKE."""
    own = pool.block.text("version")
    holder = pool.view if own is not None else pool.cluster
    version, path = (own, pool.block.at("version")) if own is not None else _master(pool.cluster)
    if version is None:
        return NOT_APPLICABLE
    try:
        enough = gke_versions.at_least(version, feature)
    except UnknownFact:
        raise NotKnown from None
    if enough is None:
        raise NotKnown
    message = f"GKE {version} is too old for {feature.replace('_', '-')}"
    hint = f"Use {' or '.join(gke_versions.floors(feature))}, or a later one."
    return allow_at(holder, enough, message, hint=hint, path=path)


def allow_at(holder: View, holds: object, message: str, *, hint: str, path: str) -> Verdict:
    """As `allow`, for a property of another resource than the judged one."""
    return PASS if holds else fail(message, hint=hint, path=path, urn=holder.urn)


def enabled(block: Block | None, key: str) -> bool | None:
    """The value of a property of the form `{enabled: true}`; None where it is not given."""
    inner = block.block(key) if block is not None else None
    return None if inner is None else bool(inner.flag("enabled"))


def ways(pool: GkePool) -> list[str]:
    """The properties by which a pool is bought otherwise than on demand or from a reservation."""
    config = pool.config
    return [key for key in ("spot", "preemptible", "flexStart") if config is not None and config.flag(key)]


def affinity_kind(pool: GkePool) -> str | None:
    """The kind of reservation that a pool uses (named, any or none), in GKE's word; None where it is not given."""
    target = pool.affinity
    return None if target is None else target.text("consumeReservationType")


def policy(pool: GkePool) -> View | None:
    """The resource policy that places a pool's nodes; None where it names none.

    Raises:
        NotKnown: it lies outside the program.
    """
    placement = pool.block.block("placementPolicy")
    found = placement.one("policyName", COMPUTE_RESOURCE_POLICY) if placement is not None else None
    if found is not None and found.resource.external:
        raise NotKnown
    return found


def workload_policy(pool: GkePool) -> Block | None:
    """The workload policy of a pool; None where it has none, or a policy of another kind."""
    found = policy(pool)
    return None if found is None else found.block("workloadPolicy")


def topology(pool: GkePool) -> tuple[str, str] | None:
    """The topology of a pool's slice, and where it is written; None where nothing names one."""
    placement = pool.block.block("placementPolicy")
    if placement is None:
        return None
    own = placement.text("tpuTopology")
    if own is not None:
        return own, placement.at("tpuTopology")
    workload = workload_policy(pool)
    shared = workload.text("acceleratorTopology") if workload is not None else None
    return None if shared is None else (shared, placement.at("policyName"))


def _master(cluster: View) -> tuple[str | None, str]:
    """The version of a cluster's control plane, and where it is written."""
    path = "minMasterVersion"
    return cluster.text(path), path

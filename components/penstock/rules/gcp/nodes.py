"""What starts machines, as rules on machines read it: node pools, in their cluster or beside it, and single machines.

A pool is a resource of its own, an item of its cluster's `nodePools`, or the cluster's own default pool; rules read all
three alike, and a failure points at the property where it is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog import machines, regions
from penstock.catalog.gcp import fabrics, gke_versions
from penstock.catalog.gcp.fabrics import Fabric
from penstock.catalog.gcp.machines import GcpMachine
from penstock.errors import UnknownFact
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, fail
from penstock.resources.view import Block, Site, View
from penstock.rules.gcp import places
from penstock.rules.gcp.types import (
    CLUSTER,
    INSTANCE,
    INSTANCE_TEMPLATE,
    NODE_POOL,
    REGION_INSTANCE_TEMPLATE,
    RESERVATION,
    RESOURCE_POLICY,
)

POOLS = (NODE_POOL, CLUSTER)
"""The types of resources that hold node pools."""

SINGLE = (INSTANCE, INSTANCE_TEMPLATE, REGION_INSTANCE_TEMPLATE)
"""The types of resources that start machines without GKE."""

STARTERS = (*POOLS, *SINGLE, RESERVATION)
"""The types of resources that say which machine they are about."""

_DEFAULT_ZONES = 3
"""Zones of a region that GKE takes where nobody names any (pulumi-gcp 10, container.Cluster, nodeLocations)."""


@dataclass(frozen=True, slots=True)
class Starter:
    """What names a machine type: the block that holds it, and the resource to which that belongs."""

    block: Block
    view: View

    @property
    def name(self) -> str | None:
        """The machine type; None where the cloud's default is meant."""
        named = self.block.text("machineType")
        return None if named is None else named.rpartition("/")[2]

    @property
    def machine(self) -> GcpMachine | None:
        """What the catalogue knows of it."""
        return machine_of(self.name)


@dataclass(frozen=True, slots=True)
class Pool:
    """A node pool, by the block that describes it and the resource to which that belongs."""

    block: Block
    view: View

    @property
    def config(self) -> Block | None:
        """What its nodes are."""
        return self.block.block("nodeConfig")

    @property
    def machine(self) -> GcpMachine | None:
        """The machine type of its nodes, as far as the catalogue knows it."""
        config = self.config
        return None if config is None else Starter(config, self.view).machine

    @property
    def fabric(self) -> Fabric | None:
        """The fabric between its machines' accelerators; None where they have none."""
        machine = self.machine
        return None if machine is None or machine.fabric is None else fabrics.find_fabric(machine.fabric)

    @property
    def cluster(self) -> View:
        """Its cluster.

        Raises:
            NotKnown: it lies outside the program.
        """
        if self.view.type == CLUSTER:
            return self.view
        found = self.view.one("cluster", CLUSTER)
        if found is None or found.resource.external:
            raise NotKnown
        return found

    @property
    def is_default(self) -> bool:
        """Whether it is the pool that a cluster starts with, described in the cluster's own properties."""
        return self.block is self.view and self.view.type == CLUSTER


def machine_of(name: str | None) -> GcpMachine | None:
    """The machine type of that name; None where the catalogue has none."""
    try:
        return machines.find_machine(name or "", "gcp")
    except UnknownFact:
        return None


def starters(view: View) -> list[Starter]:
    """What names a machine type in a resource."""
    if view.type in POOLS:
        return [Starter(config, view) for pool in pools(view) if (config := pool.config) is not None]
    if view.type == RESERVATION:
        specific = view.block("specificReservation")
        properties = specific.block("instanceProperties") if specific is not None else None
        return [] if properties is None else [Starter(properties, view)]
    return [Starter(view, view)]


def pools(view: View) -> list[Pool]:
    """The node pools that a resource describes."""
    if view.type == NODE_POOL:
        return [Pool(view, view)]
    own = [Pool(view, view)] if "nodeConfig" in view and not view.flag("removeDefaultNodePool") else []
    return [*own, *(Pool(block, view) for block in view.blocks("nodePools"))]


def all_pools(site: Site) -> list[Pool]:
    """Every node pool of a program, as far as can be told."""
    return [pool for view in site.of_type(*POOLS) for pool in pools(view)]


def pools_of(cluster: View) -> list[Pool]:
    """The node pools of a cluster: those that it describes itself, and those beside it.

    Raises:
        NotKnown: a pool may be in the cluster or elsewhere.
    """
    beside = [Pool(view, view) for view in cluster.referrers(NODE_POOL, "cluster")]
    return [*pools(cluster), *beside]


def location(pool: Pool) -> str:
    """The zone or region that a pool is made in.

    Raises:
        NotKnown: the provider's configuration says it, or the cluster does and lies outside the program.
    """
    return pool.view.text("location") or places.place(pool.cluster)


def zones_in(region: str) -> tuple[str, ...]:
    """The zones of a region that the catalogue knows."""
    try:
        return regions.find_region(region, "gcp").zones
    except UnknownFact:
        return ()


def zones(pool: Pool) -> list[str] | None:
    """The zones of a pool's nodes, sorted; None where GKE takes three of its region.

    Raises:
        NotKnown: nobody can tell yet.
    """
    named = pool.block.texts("nodeLocations") or (pool.cluster.texts("nodeLocations") if not pool.is_default else [])
    if named:
        return sorted(set(named))
    place = location(pool)
    return [place] if places.is_zone(place) else None


def zone_count(pool: Pool) -> int:
    """How many zones a pool has nodes in."""
    named = zones(pool)
    return _DEFAULT_ZONES if named is None else len(named)


def most(pool: Pool) -> int:
    """The most nodes that a pool has at once, in all its zones together.

    Raises:
        NotKnown: nothing says so.
    """
    scaling = pool.block.block("autoscaling")
    if scaling is not None and "totalMaxNodeCount" in scaling:
        return scaling.integer("totalMaxNodeCount") or 0
    each_zone = scaling.integer("maxNodeCount") if scaling is not None else None
    if each_zone is None:
        each_zone = pool.block.integer("nodeCount")
    if each_zone is None:
        each_zone = pool.block.integer("initialNodeCount")
    if each_zone is None:
        raise NotKnown
    return each_zone * zone_count(pool)


def has_feature(pool: Pool, feature: str) -> Verdict:
    """Whether the version that a pool's nodes start with has a feature of GKE."""
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
    """What a property of the form `{enabled: true}` says; None where it is not given."""
    inner = block.block(key) if block is not None else None
    return None if inner is None else bool(inner.flag("enabled"))


def affinity(pool: Pool) -> Block | None:
    """Which reservations a pool's nodes may use."""
    config = pool.config
    return None if config is None else config.block("reservationAffinity")


def ways(pool: Pool) -> list[str]:
    """The properties by which a pool is bought otherwise than on demand or from a reservation."""
    config = pool.config
    return [key for key in ("spot", "preemptible", "flexStart") if config is not None and config.flag(key)]


def affinity_kind(pool: Pool) -> str | None:
    """Whether a pool uses a named reservation, any or none, in GKE's word; None where it does not say."""
    target = affinity(pool)
    return None if target is None else target.text("consumeReservationType")


def reservation(pool: Pool) -> View | None:
    """The reservation that a pool names; None for none.

    Raises:
        NotKnown: it lies outside the program.
    """
    target = affinity(pool)
    if target is None or not target.count("values"):
        return None
    try:
        named = target.texts("values")
    except NotKnown:
        top = target.at("values").partition(".")[0].partition("[")[0]
        found = pool.view.sources(top, RESERVATION)
        if len(found) != 1 or target.count("values") != 1:
            raise
        return found[0]
    path = named[0].split("/")
    name = path[path.index("reservations") + 1] if "reservations" in path[:-1] else path[-1]
    known = pool.view.site.named(RESERVATION, name)
    if known is None or known.resource.external:
        raise NotKnown
    return known


def policy(pool: Pool) -> View | None:
    """The resource policy that places a pool's nodes; None where it names none.

    Raises:
        NotKnown: it lies outside the program.
    """
    placement = pool.block.block("placementPolicy")
    found = placement.one("policyName", RESOURCE_POLICY) if placement is not None else None
    if found is not None and found.resource.external:
        raise NotKnown
    return found


def workload_policy(pool: Pool) -> Block | None:
    """What the policy of a pool says of workloads; None where it has none, or one of another kind."""
    found = policy(pool)
    return None if found is None else found.block("workloadPolicy")


def topology(pool: Pool) -> tuple[str, str] | None:
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

"""Node pools of GKE, in their cluster or beside it.

A pool is a resource of its own, an item of its cluster's `nodePools`, or the cluster's own default pool; all three are
read alike, by the block that describes them. GKE counts nodes for each zone of a pool unless a property says `total`.
"""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override

from penstock.gcp.facts import fabrics
from penstock.gcp.facts.fabrics import NetworkFabric
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model import places
from penstock.gcp.model.gce import (
    accelerators_of_config,
    attached_accelerators,
    chips_of,
    machine_named,
    named_reservation,
    names_of_reservations,
    type_of_config,
)
from penstock.gcp.types import CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.model.pools.pool import MachinePool, NamedType, Purchase, required

POOLS = (CONTAINER_NODE_POOL, CONTAINER_CLUSTER)
"""The types of resources that hold node pools."""

_DEFAULT_ZONES = 3
"""Zones of a region that GKE takes where nobody names any (pulumi-gcp 10, container.Cluster, nodeLocations)."""


class GkePool(MachinePool):
    """A node pool, by the block that describes it and the resource to which that belongs."""

    __slots__ = ()

    @property
    def config(self) -> Block | None:
        """The block that says what its nodes are."""
        return self.block.block("nodeConfig")

    @property
    def machine(self) -> GcpMachine | None:
        """The machine type of its nodes, as far as the catalogue knows it."""
        config = self.config
        return None if config is None else machine_named((config.text("machineType") or "").rpartition("/")[2])

    @property
    def fabric(self) -> NetworkFabric | None:
        """The fabric between its machines' accelerators; None where they have none."""
        machine = self.machine
        return None if machine is None or machine.fabric is None else fabrics.find_fabric(machine.fabric)

    @property
    def cluster(self) -> View:
        """Its cluster.

        Raises:
            NotKnown: it lies outside the program.
        """
        if self.view.type == CONTAINER_CLUSTER:
            return self.view
        found = self.view.one("cluster", CONTAINER_CLUSTER)
        if found is None or found.resource.external:
            raise NotKnown
        return found

    @property
    def is_default(self) -> bool:
        """True if it is the pool that a cluster starts with, described in the cluster's own properties."""
        return self.block is self.view and self.view.type == CONTAINER_CLUSTER

    @property
    def affinity(self) -> Block | None:
        """Which reservations its nodes may use."""
        config = self.config
        return None if config is None else config.block("reservationAffinity")

    @override
    def machine_types(self) -> list[NamedType]:
        config = self.config
        path = self.block.at("nodeConfig.machineType") if config is None else config.at("machineType")
        return [NamedType(type_of_config(config), self.view, path)]

    @override
    def accelerators(self) -> int:
        config = self.config
        return 0 if config is None else accelerators_of_config(config)

    @override
    def chips(self) -> int:
        config = self.config
        return 0 if config is None else chips_of(type_of_config(config))

    @override
    def attached(self) -> Mapping[str, int]:
        config = self.config
        return {} if config is None else attached_accelerators(config)

    @override
    def start(self) -> int:
        scaling = self.block.block("autoscaling")
        total = (scaling.integer("totalMinNodeCount") or 0) if scaling is not None else 0
        return max(total, self.in_all_zones(self._started_in_a_zone()))

    @override
    def starts_machines(self) -> bool:
        scaling = self.block.block("autoscaling")
        return bool(self._started_in_a_zone() or (scaling is not None and scaling.integer("totalMinNodeCount")))

    @override
    def least(self) -> tuple[int, str]:
        scaling = self.block.block("autoscaling")
        if scaling is None:
            number, path = self._fixed()
            return required(number), path
        key = "totalMinNodeCount" if "totalMinNodeCount" in scaling else "minNodeCount"
        return scaling.integer(key) or 0, scaling.at(key)

    @override
    def most(self) -> int:
        scaling = self.block.block("autoscaling")
        if scaling is not None and "totalMaxNodeCount" in scaling:
            return required(scaling.integer("totalMaxNodeCount"))
        return self.in_all_zones(required(scaling.integer("maxNodeCount") if scaling is not None else self._fixed()[0]))

    @override
    def purchase(self) -> Purchase:
        config, queued = self.config, self.block.block("queuedProvisioning")
        if config is not None and (config.flag("spot") or config.flag("preemptible")):
            return "spot"
        if (queued is not None and queued.flag("enabled")) or (config is not None and config.flag("flexStart")):
            return "flex_start"
        affinity = self.affinity
        kind = affinity.text("consumeReservationType") if affinity is not None else None
        if kind == "ANY_RESERVATION":
            return "any_reservation"
        return "reserved" if kind == "SPECIFIC_RESERVATION" else "on_demand"

    @override
    def zones(self) -> list[str] | None:
        # A default pool's block is its cluster, whose nodeLocations lie beside the zone of a zonal cluster.
        own = [] if self.is_default else self.block.texts("nodeLocations")
        if own:
            return sorted(set(own))
        place = self.place()
        try:
            cluster = self.cluster
        except NotKnown:
            if not places.is_zone(place):
                raise
            return [place]  # GKE has the nodes of a zonal cluster in its zone, unless the cluster adds others
        listed = cluster.texts("nodeLocations")
        if places.is_zone(place):
            return sorted({place, *listed})
        return sorted(set(listed)) or None

    @override
    def least_in_all_zones(self) -> int:
        scaling, least = self.block.block("autoscaling"), self.least()[0]
        total = scaling is not None and "totalMinNodeCount" in scaling
        return least if total else self.in_all_zones(least)

    def zone_count(self) -> int:
        """How many zones it has nodes in."""
        named = self.zones()
        return _DEFAULT_ZONES if named is None else len(named)

    def in_all_zones(self, count: int) -> int:
        """So many nodes in each zone, all together."""
        return count * self.zone_count() if count else 0

    def place(self) -> str:
        """The zone or region that it is created in.

        Raises:
            NotKnown: the provider's configuration says it, or the cluster does and lies outside the program.
        """
        return self.view.text("location") or places.place(self.cluster)

    @override
    def region(self) -> str:
        return places.region_of(self.place()) or self.place()

    @override
    def reservation(self) -> View | None:
        return named_reservation(self.view, self.affinity)

    @override
    def reservation_name(self) -> str:
        return names_of_reservations(self.affinity)

    def _fixed(self) -> tuple[int | None, str]:
        key = "nodeCount" if "nodeCount" in self.block else "initialNodeCount"
        return self.block.integer(key), self.block.at(key)

    def _started_in_a_zone(self) -> int:
        scaling = self.block.block("autoscaling")
        least = (scaling.integer("minNodeCount") or 0) if scaling is not None else 0
        return max(self._fixed()[0] or 0, least)


class ProvisionedPool(GkePool):
    """The pools that GKE creates by itself, for whatever pods ask: the machines are not known beforehand."""

    __slots__ = ()

    @property
    @override
    def provisioner(self) -> str:
        return "Autopilot" if self.view.flag("enableAutopilot") else "auto-provisioning"

    @override
    def machine_types(self) -> list[NamedType]:
        return []

    @override
    def accelerators(self) -> int:
        raise NotKnown

    @override
    def chips(self) -> int:
        raise NotKnown

    @override
    def start(self) -> int:
        return 0

    @override
    def starts_machines(self) -> bool:
        return False

    @override
    def most(self) -> int:
        raise NotKnown

    @override
    def peak(self) -> int:
        """The limit of the cluster, which counts its other pools, too; so it says nothing beside pools that have some.

        Raises:
            NotKnown: no limit says it, or the cluster has other pools with accelerators.
        """
        scaling = self.view.block("clusterAutoscaling")
        limits = scaling.blocks("resourceLimits") if scaling is not None else []
        bounds = [each.integer("maximum") for each in limits if each.text("resourceType") not in ("cpu", "memory")]
        if self.view.flag("enableAutopilot") or any(pool.accelerators() for pool in pools_of(self.view)):
            raise NotKnown
        return sum(required(bound) for bound in bounds)


def gke_pools(view: View) -> list[GkePool]:
    """Return the node pools that a resource describes; not the one that GKE creates where a cluster says nothing."""
    if view.type == CONTAINER_NODE_POOL:
        return [GkePool(view, view)]
    own = [GkePool(view, view)] if "nodeConfig" in view and not view.flag("removeDefaultNodePool") else []
    return [*own, *(GkePool(block, view) for block in view.blocks("nodePools"))]


def pools_of(cluster: View) -> list[GkePool]:
    """Return the node pools of a cluster: those that it describes itself, and those beside it.

    Raises:
        NotKnown: a pool may be in the cluster or elsewhere.
    """
    return [*gke_pools(cluster), *(GkePool(view, view) for view in cluster.referrers(CONTAINER_NODE_POOL, "cluster"))]


def program_gke_pools(site: Site) -> list[GkePool]:
    """Return every node pool that a program describes."""
    return [pool for view in site.of_type(*POOLS) for pool in gke_pools(view)]


def cluster_pools(cluster: View) -> list[MachinePool]:
    """Return the pools that a cluster brings: those it describes, its silent default, and what GKE provisions."""
    if cluster.flag("enableAutopilot"):
        return [ProvisionedPool(cluster, cluster)]
    found: list[MachinePool] = [*gke_pools(cluster)]
    if not found and not cluster.flag("removeDefaultNodePool"):
        found = [GkePool(cluster, cluster)]
    return [*found, ProvisionedPool(cluster, cluster)] if _is_provisioning(cluster) else found


def _is_provisioning(cluster: View) -> bool:
    """Return whether GKE creates pools with accelerators by itself in a cluster that is not on Autopilot."""
    scaling = cluster.block("clusterAutoscaling")
    if scaling is None or not scaling.flag("enabled"):
        return False
    return any(each.text("resourceType") not in ("cpu", "memory") for each in scaling.blocks("resourceLimits"))

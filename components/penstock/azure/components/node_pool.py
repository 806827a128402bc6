"""Node pools: machines of one size that join the cluster by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pulumi
from pulumi_azure_native import compute, containerservice

from penstock.azure.components.handles import ClusterHandle, GroupHandle, NetworkHandle
from penstock.azure.components.pool_profile import pool_profile
from penstock.azure.description import nodes, pools
from penstock.description.node_pool import NodePoolSpec

_KEPT = (
    "availabilityZones",
    "capacityReservationGroupID",
    "enableEncryptionAtHost",
    "maxPods",
    "osDiskSizeGB",
    "osDiskType",
    "proximityPlacementGroupID",
    "scaleSetPriority",
)
"""What AKS never changes in a pool that exists (AKS documentation, node pools)."""

_DECIDED_BY: Final = {
    "availabilityZones": ".zone cloud.zones",
    "capacityReservationGroupID": ".reservation .capacity",
    "count enableAutoScaling maxCount minCount": ".nodes",
    "gpuProfile": ".accelerator .machine_type",
    "nodeLabels": ".labels",
    "nodeTaints": ".taints",
    "orchestratorVersion": "cluster.version",
    "osDiskSizeGB": ".disk",
    "osDiskType": ".disk .machine_type .accelerator",
    "proximityPlacementGroupID": ".placement",
    "scaleSetEvictionPolicy scaleSetPriority spotMaxPrice": ".capacity",
    "vmSize": ".machine_type .accelerator",
}


class NodePool(pulumi.ComponentResource):
    """A node pool of AKS and all that its machines need: the owner of GPU drivers, reservation, placement.

    Machines on InfiniBand reach each other within one pool and no further: a job stays inside one. A pool of a fixed
    number of nodes keeps it; the number of any other belongs to the autoscaler and is left alone. Most of a pool is
    fixed at creation: another size, disk or purchase option replaces it. It is upgraded with the cluster, by the order
    of `upgrade_settings`.
    """

    pool_name: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: NodePoolSpec,
        *,
        cluster: ClusterHandle,
        network: NetworkHandle,
        group: GroupHandle,
        zones: Sequence[str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the pool.

        Args:
            name: The start of every name in it; AKS calls the pool by the name in `spec`, shortened to 12 characters.
            spec: What to build.
            cluster: What the machines join.
            network: Where they have their addresses.
            group: That of the cluster.
            zones: Full names, such as eastus-1, for pools without accelerators; others take only a zone of their own.
            opts: Pulumi's options.
        """
        super().__init__("penstock:azure:NodePool", name, spec.inputs(_DECIDED_BY), opts)
        stands_in = pools.zones_of(spec, zones)
        scales = spec.nodes.min != spec.nodes.max

        pool = containerservice.AgentPool(
            name,
            resource_group_name=group.name,
            resource_name_=cluster.name,
            agent_pool_name=pools.pool_name(spec),
            mode="User",
            orchestrator_version=cluster.version,  # a pool that names none stays behind its cluster
            **pool_profile(spec, network=network, zones=stands_in, version=cluster.version),
            **_purchase(spec),
            **_drivers(spec),
            **self._placement(name, spec, group, stands_in),
            **_upgrades(spec),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=list(network.ready),
                delete_before_replace=True,  # its id is its name
                ignore_changes=[*(["count"] if scales else []), *([] if cluster.moves else ["orchestratorVersion"])],
                replace_on_changes=list(_KEPT),
                # Pools of GPUs took 30 minutes and more (Azure/telescope#1322).
                custom_timeouts=pulumi.CustomTimeouts(create="90m", update="180m", delete="60m"),
            ),
        )
        self.pool_name = pool.name
        self.register_outputs({"pool_name": pool.name, "summary": _summary(spec, stands_in, zones)})

    def _placement(self, name: str, spec: NodePoolSpec, group: GroupHandle, zones: Sequence[str]) -> dict[str, Any]:
        """The proximity placement group: a new one, one that exists, or none."""
        if spec.placement in ("auto", "none"):
            return {}
        if spec.placement != "cluster":
            return {"proximity_placement_group_id": spec.placement}
        placed = compute.ProximityPlacementGroup(
            name,
            resource_group_name=group.name,
            location=group.region,
            proximity_placement_group_type="Standard",
            tags=spec.tags,
            **(
                {
                    "zones": [zone.rpartition("-")[2] for zone in zones],
                    "intent": {"vm_sizes": [pools.machine(spec).machine_type]},
                }
                if zones
                else {}
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        return {"proximity_placement_group_id": placed.id}


def _purchase(spec: NodePoolSpec) -> dict[str, Any]:
    if spec.capacity == "spot":
        return {
            "scale_set_priority": "Spot",
            "scale_set_eviction_policy": "Delete",  # machines that are stopped only still count against the quota
            "spot_max_price": -1,  # that of machines on demand
        }
    return {}


def _drivers(spec: NodePoolSpec) -> dict[str, Any]:
    """Who installs the driver of GPUs: AKS, or the operator that brings that of their fabric, too."""
    software = nodes.software(spec)
    if software is None:
        return {}
    by_node = software.driver == "node" and software.resource == "nvidia.com/gpu"
    return {"gpu_profile": {"driver": "Install" if by_node else "None"}}


def _upgrades(spec: NodePoolSpec) -> dict[str, Any]:
    """A spare machine first where Azure has some; scarce ones in place, and all at once where they share a job.

    Such a job ends with the first of its machines: all of them at once cost it one restart, one after the other one
    each. AKS refuses to have any of it said of spot machines.
    """
    if spec.capacity == "spot":
        return {}
    if not pools.machine(spec).accelerators:
        return {"upgrade_settings": {"max_surge": "1"}}
    together = pools.infiniband(spec)
    return {"upgrade_settings": {"max_surge": "0", "max_unavailable": "100%" if together else "1"}}


def _summary(spec: NodePoolSpec, stands_in: Sequence[str], zones: Sequence[str]) -> str:
    """One line for people: how many machines of which size, how they are bought, and where they stand."""
    smallest, largest = spec.nodes.min, spec.nodes.max
    count = str(largest) if smallest == largest else f"{smallest} to {largest}"
    where = ", ".join(stands_in) if len(stands_in) < len(zones) or len(zones) == 1 else "all zones"
    where = where or "any zone"
    fabric = ", InfiniBand" if pools.infiniband(spec) else ""
    size = pools.machine(spec).machine_type
    return f"{count} × {size}, {spec.capacity.replace('_', ' ')}{fabric}, {where}"

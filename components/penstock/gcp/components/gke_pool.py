"""A node pool of GKE: what a `NodePool` has one of, and a `TpuPool` one for each slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pulumi
from pulumi_gcp import container

from penstock.catalog import limits
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.description.shortened_names import with_room
from penstock.gcp.components import fabric as fabric_networks
from penstock.gcp.components import upgrades
from penstock.gcp.components.capacity import Size
from penstock.gcp.components.handles import ClusterHandle, FabricHandle, KeyHandle, NetworkHandle
from penstock.gcp.components.node_config import node_config
from penstock.gcp.description import pools
from penstock.gcp.description.node_pool_block import own_settings

DECIDED_BY: Final = {
    "autoscaling": ".nodes",
    "initialNodeCount nodeCount": ".nodes .topology",
    "maxPodsPerNode": ".accelerator .fabric",
    "networkConfig.additionalNodeNetworkConfigs": ".fabric .accelerator",
    "nodeConfig.diskSizeGb": ".disk",
    "nodeConfig.diskType": ".disk .machine_type .accelerator",
    "nodeConfig.ephemeralStorageLocalSsdConfig.localSsdCount": ".gcp.local_ssds .machine_type .accelerator",
    "nodeConfig.flexStart nodeConfig.spot": ".capacity",
    "nodeConfig.guestAccelerators": ".accelerator",
    "nodeConfig.hostMaintenancePolicy.maintenanceInterval": ".gcp.host_maintenance",
    "nodeConfig.labels": ".labels",
    "nodeConfig.machineType": ".machine_type .accelerator",
    "nodeConfig.maxRunDuration": ".gcp.max_run_hours",
    "nodeConfig.reservationAffinity": ".reservation .capacity",
    "nodeConfig.taints": ".taints",
    "nodeLocations": ".zone cloud.zones",
    "placementPolicy": ".topology .placement",
    "queuedProvisioning": ".gcp.queued",
    "version": "cluster.version",
}
"""The fields that decide a pool, as `SourceBlock` has them."""


def gke_pool(
    name: str,
    spec: NodePoolSpec,
    *,
    cluster: ClusterHandle,
    network: NetworkHandle,
    key: KeyHandle,
    zones: Sequence[str],
    size: Size,
    placement: container.NodePoolPlacementPolicyArgsDict | None,
    fabric: FabricHandle | None,
    startup_taint: Taint | None = None,
    opts: pulumi.ResourceOptions,
) -> container.NodePool:
    """A node pool with everything that the description says of its machines, in these zones and of this size."""
    wiring = wired(spec, fabric)
    return container.NodePool(
        with_room(name, limits.find_limit("node_pool_name_characters", "gcp").most),
        cluster=cluster.name,
        location=cluster.location,
        node_locations=zones,
        node_count=size.node_count,
        initial_node_count=size.initial_node_count,
        autoscaling=size.autoscaling,
        max_pods_per_node=pools.max_pods(spec),
        node_config=node_config(
            spec,
            cluster=cluster,
            key=key,
            dranet=wiring.profile is not None,
            startup_taint=startup_taint,
        ),
        network_config=_network_config(wiring),
        placement_policy=placement,
        queued_provisioning={"enabled": True} if own_settings(spec).queued else None,
        management={
            "auto_repair": spec.capacity != "flex_start",  # Google refuses it for machines that it takes back
            "auto_upgrade": True,  # a release channel leaves no choice
        },
        upgrade_settings=upgrades.upgrade_settings(spec),
        opts=pulumi.ResourceOptions.merge(
            opts,
            pulumi.ResourceOptions(
                depends_on=[*cluster.ready, *network.ready, *key.for_("compute")],
                ignore_changes=[
                    "initialNodeCount",  # from the first machine on their number belongs to the autoscaler
                    # GKE never returns it again, and setting it anew restarts every node
                    # (GoogleCloudPlatform/magic-modules#17643).
                    "placementPolicy.type",
                ],
                # The provider leaves a pool with its topology: another slice is another pool.
                replace_on_changes=["placementPolicy.tpuTopology"],
                # Reserved machines are a fixed number: the next ones start only when the last ones are gone.
                delete_before_replace=spec.capacity == "reserved",
                custom_timeouts=upgrades.timeouts(spec),
            ),
        ),
    )


def wired(spec: NodePoolSpec, fabric: FabricHandle | None) -> FabricHandle:
    """The fabric that a pool is wired to: the networks given, those that GKE makes, or none."""
    if fabric is not None:
        return fabric
    return fabric_networks.BY_GKE if pools.dranet(spec) else FabricHandle()


def fabric_words(spec: NodePoolSpec) -> str:
    """The fabric as the summary of a pool ends with it: empty without one."""
    if pools.dranet(spec):
        return ", DRANET"
    fabric = pools.fabric(spec)
    return f", {fabric.name.upper()}" if fabric is not None else ""


def _network_config(wiring: FabricHandle) -> container.NodePoolNetworkConfigArgsDict:
    config: container.NodePoolNetworkConfigArgsDict = {"enable_private_nodes": True}
    if wiring.interfaces:
        config["additional_node_network_configs"] = [
            {"network": network, "subnetwork": subnetwork} for network, subnetwork in wiring.interfaces
        ]
    if wiring.profile is not None:
        config["accelerator_network_profile"] = wiring.profile
    return config

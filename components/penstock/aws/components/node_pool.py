"""Node pools: machines of one type that join the cluster by themselves."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_aws import eks

from penstock.aws.components import machine_tags, pool_size, scheduling
from penstock.aws.components.adoption import lookups
from penstock.aws.components.capacity import arrange
from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.aws.components.launch_template import launch_template
from penstock.aws.components.pool_updates import updates
from penstock.aws.components.roles import service_role
from penstock.aws.description import nodes, pools
from penstock.aws.description.node_pool_block import own_settings
from penstock.description.node_pool import NodePoolSpec, Taint

NODE_POLICIES = (
    "AmazonEKSWorkerNodePolicy",
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonSSMManagedInstanceCore",  # a shell on the node without a key or an open port
)
"""The rights of machines, whoever starts them; pods have roles of their own."""

_DECIDED_BY: Final = {
    "availabilityZone subnetIds": ".zone cloud.zones",
    "instanceCount scalingConfig": ".nodes",
    "instanceType": ".machine_type .accelerator",
    "blockDeviceMappings": ".disk",
    "capacityReservationSpecification": ".reservation",
    "instanceMarketOptions capacityType": ".capacity",
    "networkInterfaces": ".fabric .aws.efa_interfaces .accelerator .machine_type",
    "placement": ".placement",
    "amiType": ".aws.ami_type .machine_type .accelerator",
    "labels": ".labels",
    "releaseVersion": ".aws.release",
    "taints": ".taints",
    "version": "cluster.version",
}


class NodePool(pulumi.ComponentResource):
    """A managed node group and all that its machines need: interfaces for EFA, a placement group, reserved capacity.

    It starts with `nodes.min` machines. Where `nodes` are bounds, their number belongs to the autoscaler or to people
    from then on, and only a bound that excludes it moves it. A pool in a capacity block starts with none and may shrink
    to none, whatever `nodes.min` says: before the block starts every launch fails, and before it ends EKS empties the
    group.

    Its Kubernetes version is the cluster's. Its image is the newest when machines are created, and again whenever EKS
    replaces all of them, unless `aws.release` names one: EKS moves no machine by itself.
    """

    group_name: pulumi.Output[str]
    role_arn: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: NodePoolSpec,
        *,
        cluster: ClusterHandle,
        network: NetworkHandle,
        key: KeyHandle,
        lustre_over_efa: bool = False,
        startup_taint: Taint | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the pool in one zone or in all zones of the network.

        `key` encrypts the disks (`Keys.data`). With `lustre_over_efa` each node sets up its client for file systems
        that are mounted over EFA. Nodes join with the `startup_taint`, which EKS does not know of and lets go.
        """
        super().__init__("penstock:aws:NodePool", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        machine = pools.machine(spec)
        zone = pools.zone_of(spec, tuple(network.subnets))

        role = service_role(
            name,
            "ec2.amazonaws.com",
            partition=network.partition,
            policies=NODE_POLICIES,
            tags=spec.tags,
            opts=child,
        )
        capacity = arrange(
            name,
            spec,
            machine=machine,
            zone=zone,
            after=[*cluster.access, *cluster.ready, *network.ready],
            opts=child,
        )
        template = launch_template(
            name,
            spec,
            machine=machine,
            capacity=capacity,
            cluster=cluster,
            network=network,
            key=key,
            lustre_over_efa=lustre_over_efa,
            startup_taint=startup_taint,
            opts=child,
        )
        update = updates(spec, machine, capacity)
        group = eks.NodeGroup(
            name,
            cluster_name=cluster.name,
            version=cluster.version,
            release_version=own_settings(spec).release,
            node_role_arn=role.arn,
            subnet_ids=network.subnets_in(zone),
            ami_type=own_settings(spec).ami_type or machine.ami_type,
            capacity_type=capacity.kind,
            launch_template={"id": template.id, "version": template.latest_version.apply(str)},
            scaling_config=pool_size.scaling(name, spec, capacity, lookups(child)),
            labels=nodes.labels(spec, machine),
            taints=scheduling.taints(spec, machine),
            update_config=update.config,
            node_repair_config={"enabled": True} if machine.accelerators else None,
            tags=spec.tags,
            opts=pulumi.ResourceOptions.merge(
                child,
                pulumi.ResourceOptions(
                    depends_on=[*role.rights, *cluster.ready, *network.ready],
                    ignore_changes=[] if cluster.moves else ["version"],
                    # Its machines are a fixed number: the next ones start only when the last ones are gone.
                    delete_before_replace=capacity.reservation_id is not None,
                    custom_timeouts=pulumi.CustomTimeouts(create="60m", update=f"{update.timeout_min}m", delete="60m"),
                ),
            ),
        )

        smallest, _ = pool_size.bounds(spec, capacity)
        found_by = pool_size.found_by(name, spec)
        if smallest == 0:
            found_by |= scheduling.unseen(spec, machine)
        machine_tags.from_now_on(name, spec.tags, group, found_by=found_by, opts=child)

        self.group_name, self.role_arn = group.node_group_name, role.arn
        self.register_outputs(
            {
                "group_name": self.group_name,
                "role_arn": self.role_arn,
                "summary": _summary(spec, machine.machine_type, zone),
            }
        )


def _summary(spec: NodePoolSpec, machine_type: str, zone: str | None) -> str:
    """One line for people: how many machines of which type, how they are bought, and where they stand."""
    smallest, largest = spec.nodes.min, spec.nodes.max
    count = str(largest) if smallest == largest else f"{smallest} to {largest}"
    fabric = ", EFA" if pools.efa(spec) else ""
    return f"{count} × {machine_type}, {spec.capacity.replace('_', ' ')}{fabric}, {zone or 'all zones'}"

"""The launch template of a pool's machines: their type, disks, interfaces and place."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_aws import ec2

from penstock.aws.components import machine_tags
from penstock.aws.components.capacity import Capacity
from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.aws.components.user_data import user_data
from penstock.aws.description import nodes, pools
from penstock.aws.description.node_pool_block import own_settings
from penstock.aws.facts import efa
from penstock.aws.facts.efa import Interface
from penstock.aws.facts.machines import AwsMachine
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec, Taint


def launch_template(
    name: str,
    spec: NodePoolSpec,
    *,
    machine: AwsMachine,
    capacity: Capacity,
    cluster: ClusterHandle,
    network: NetworkHandle,
    key: KeyHandle,
    lustre_over_efa: bool,
    startup_taint: Taint | None,
    opts: pulumi.ResourceOptions,
) -> ec2.LaunchTemplate:
    """A launch template for an EKS node group, which brings the image, the subnets and the role itself.

    Every machine is in the cluster's security group, to join, and in the fabric's. EC2 takes the groups from each
    interface where a template lists interfaces, and otherwise from the template itself. EKS replaces every machine of
    the pool when anything in the template changes: it holds what machines are made of, and no more.
    """
    groups = [cluster.security_group_id, network.fabric_group_id]
    interfaces = efa.interfaces(machine, own_settings(spec).efa_interfaces) if pools.efa(spec) else ()
    return ec2.LaunchTemplate(
        name,
        instance_type=machine.machine_type,
        update_default_version=True,
        vpc_security_group_ids=None if interfaces else groups,
        network_interfaces=[_interface(interface, groups) for interface in interfaces] or None,
        block_device_mappings=[_boot_disk(spec, machine, key)],
        metadata_options={
            "http_endpoint": "enabled",
            "http_tokens": "required",
            "http_put_response_hop_limit": 1,  # out of reach of pods, which have roles of their own
        },
        placement=_placement(capacity),
        capacity_reservation_specification=_reservation(capacity),
        instance_market_options=_market(capacity),
        user_data=user_data(
            machine,
            interfaces,
            lustre_over_efa=lustre_over_efa,
            startup_taints=(*nodes.taints(spec, machine), startup_taint) if startup_taint is not None else (),
        ),
        tag_specifications=machine_tags.at_creation(name, spec.tags),
        tags={**spec.tags, "Name": name},
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(ignore_changes=["tags", "tagSpecifications"])),
    )


def _interface(interface: Interface, groups: Sequence[pulumi.Input[str]]) -> ec2.LaunchTemplateNetworkInterfaceArgsDict:
    # No address settings: EC2 refuses them on efa-only interfaces, and public ones on machines with several interfaces.
    return {
        "network_card_index": interface.card,
        "device_index": interface.device,
        "interface_type": interface.kind,
        "security_groups": groups,
        "delete_on_termination": "true",
    }


def _boot_disk(spec: NodePoolSpec, machine: AwsMachine, key: KeyHandle) -> ec2.LaunchTemplateBlockDeviceMappingArgsDict:
    return {
        "device_name": "/dev/xvda",
        "ebs": {
            "volume_type": "gp3",
            "volume_size": node_pool.boot_disk_gib(spec, machine),
            "encrypted": "true",
            "kms_key_id": key.arn,
            "delete_on_termination": "true",
        },
    }


def _placement(capacity: Capacity) -> ec2.LaunchTemplatePlacementArgsDict | None:
    if capacity.placement_group is None:
        return None
    return {"group_name": capacity.placement_group}


def _reservation(capacity: Capacity) -> ec2.LaunchTemplateCapacityReservationSpecificationArgsDict | None:
    if capacity.reservation_id is None:
        return None
    return {"capacity_reservation_target": {"capacity_reservation_id": capacity.reservation_id}}


def _market(capacity: Capacity) -> ec2.LaunchTemplateInstanceMarketOptionsArgsDict | None:
    # For spot EKS buys by the node group's capacity type and refuses a launch template that says so too.
    if capacity.kind != "CAPACITY_BLOCK":
        return None
    return {"market_type": "capacity-block"}

"""The AWS side of a pool whose machines Karpenter starts."""

from __future__ import annotations

from typing import Any

import pulumi

from penstock.aws.components.capacity import Capacity, arrange
from penstock.aws.components.handles import ClusterHandle, KeyHandle, NetworkHandle
from penstock.aws.components.user_data import most_pods, plain_user_data
from penstock.aws.description import pools
from penstock.aws.description.node_pool_block import own_settings
from penstock.aws.facts import efa
from penstock.aws.facts.efa import Interface
from penstock.aws.facts.machines import AwsMachine
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec


class NodeClass(pulumi.ComponentResource):
    """A placement group and a reservation where the pool needs them, and `spec`, that of an EC2NodeClass.

    Its machines have what those of a `NodePool` have: the same interfaces, disks, groups and user data. Karpenter gets
    as fields of its own what it has to know to schedule pods: local disks and the number of pods.
    """

    spec: dict[str, Any]

    def __init__(
        self,
        name: str,
        spec: NodePoolSpec,
        *,
        cluster: ClusterHandle,
        network: NetworkHandle,
        key: KeyHandle,
        instance_profile: pulumi.Input[str],
        lustre_over_efa: bool = False,
        unchecked: bool = False,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Arrange the capacity in one zone or in all zones of the network; `key` encrypts the disks (`Keys.data`).

        With `unchecked` nodes join with the label of those that nobody has tested.
        """
        super().__init__("penstock:aws:NodeClass", name, spec.inputs(), opts)
        machine = pools.machine(spec)
        zone = pools.zone_of(spec, tuple(network.subnets))
        capacity = arrange(
            name,
            spec,
            machine=machine,
            zone=zone,
            after=[*cluster.access, *cluster.ready, *network.ready],
            opts=pulumi.ResourceOptions(parent=self),
        )
        interfaces = efa.interfaces(machine, own_settings(spec).efa_interfaces) if pools.efa(spec) else ()
        wanted: dict[str, Any] = {
            "amiSelectorTerms": [{"alias": f"al2023@{_release(spec)}"}],
            "instanceProfile": instance_profile,
            "subnetSelectorTerms": [{"id": subnet} for subnet in network.subnets_in(zone)],
            "securityGroupSelectorTerms": [{"id": cluster.security_group_id}, {"id": network.fabric_group_id}],
            "metadataOptions": {
                "httpEndpoint": "enabled",
                "httpTokens": "required",
                "httpPutResponseHopLimit": 1,  # out of reach of pods, which have roles of their own
            },
            "blockDeviceMappings": [_boot_disk(spec, machine, key)],
            "instanceStorePolicy": "RAID0" if machine.nvme_gb else None,
            "kubelet": {"maxPods": pods} if (pods := most_pods(machine, interfaces)) is not None else None,
            "networkInterfaces": [_interface(each) for each in interfaces] or None,
            "userData": plain_user_data(machine, lustre_over_efa=lustre_over_efa, unchecked=unchecked),
            "tags": {**spec.tags, "Name": name},
            **_place(capacity),
        }
        self.spec = {field: value for field, value in wanted.items() if value is not None}
        self.register_outputs({})


def _release(spec: NodePoolSpec) -> str:
    """The version of the image, by its date; Karpenter takes Kubernetes' from the cluster."""
    release = own_settings(spec).release
    return f"v{release.rpartition('-')[2]}" if release is not None else "latest"


def _boot_disk(spec: NodePoolSpec, machine: AwsMachine, key: KeyHandle) -> dict[str, Any]:
    return {
        "deviceName": "/dev/xvda",
        "rootVolume": True,
        "ebs": {
            "volumeType": "gp3",
            "volumeSize": f"{node_pool.boot_disk_gib(spec, machine)}Gi",
            "encrypted": True,
            "kmsKeyID": key.arn,
            "deleteOnTermination": True,
        },
    }


def _interface(interface: Interface) -> dict[str, Any]:
    return {
        "networkCardIndex": interface.card,
        "deviceIndex": interface.device,
        "interfaceType": interface.kind,
    }


def _place(capacity: Capacity) -> dict[str, Any]:
    place: dict[str, Any] = {}
    if capacity.placement_group is not None:
        place["placementGroupSelector"] = {"name": capacity.placement_group}
    if capacity.reservation_id is not None:
        place["capacityReservationSelectorTerms"] = [{"id": capacity.reservation_id}]
    return place

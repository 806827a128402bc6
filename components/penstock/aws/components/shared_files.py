"""EFS: files that pods in every zone share over NFS."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_aws import efs

from penstock.aws.components import firewall, policy_documents
from penstock.aws.components.handles import KeyHandle, NetworkHandle, VolumeHandle
from penstock.description.storage import SharedFilesSpec

NFS_PORT = 2049

POD_USER = 1000
"""The user and group that own what pods write through the access point, whoever they run as; not root."""

_DECIDED_BY: Final = {
    "cidrIpv4": "network.cidr",
}


class SharedFiles(pulumi.ComponentResource):
    """An encrypted NFS file system with a mount target in each zone of the network.

    It grows by itself and is billed by use. Clients must mount over TLS (the EFS mount helper and the CSI driver do so
    by default) and are never root. Pods mount through the access point; files that nobody reads for 30 days move to
    infrequent access and come back when they are read.
    """

    filesystem_id: pulumi.Output[str]
    access_point_id: pulumi.Output[str]
    dns_name: pulumi.Output[str]
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: SharedFilesSpec,
        *,
        network: NetworkHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:SharedFiles", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        filesystem = efs.FileSystem(
            name,
            encrypted=True,
            kms_key_id=key.arn,
            throughput_mode="elastic",
            lifecycle_policies=[  # AWS wants each transition in an entry of its own
                {"transition_to_ia": "AFTER_30_DAYS"},
                {"transition_to_primary_storage_class": "AFTER_1_ACCESS"},
            ],
            tags={**spec.tags, "Name": name},
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
        efs.BackupPolicy(
            f"{name}-backup",
            file_system_id=filesystem.id,
            backup_policy={"status": "ENABLED"},
            opts=child,
        )
        efs.FileSystemPolicy(
            f"{name}-policy", file_system_id=filesystem.id, policy=_mount_over_tls(filesystem), opts=child
        )
        group = firewall.admit(f"{name}-nfs", NFS_PORT, network=network, tags=spec.tags, opts=child)
        for zone, subnet in network.subnets.items():
            efs.MountTarget(
                f"{name}-{zone}",
                file_system_id=filesystem.id,
                subnet_id=subnet,
                security_groups=[group.id],
                opts=child,
            )
        access_point = efs.AccessPoint(
            f"{name}-pods",
            file_system_id=filesystem.id,
            posix_user={"uid": POD_USER, "gid": POD_USER},
            root_directory={
                "path": "/shared",
                "creation_info": {"owner_uid": POD_USER, "owner_gid": POD_USER, "permissions": "0770"},
            },
            tags=spec.tags,
            opts=child,
        )

        self.filesystem_id, self.access_point_id = filesystem.id, access_point.id
        self.dns_name = filesystem.dns_name
        self.volume = VolumeHandle(
            driver="efs.csi.aws.com",
            handle=pulumi.Output.concat(filesystem.id, "::", access_point.id),
        )
        self.register_outputs(
            {
                "filesystem_id": self.filesystem_id,
                "access_point_id": self.access_point_id,
                "dns_name": self.dns_name,
            }
        )


def _mount_over_tls(filesystem: efs.FileSystem) -> pulumi.Output[str]:
    # Any policy ends the default one, under which whoever reaches a mount target may read, write and be root.
    return policy_documents.document(
        {
            "Sid": "MountFromTheNetwork",
            "Effect": "Allow",
            "Principal": {"AWS": "*"},
            "Action": ["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"],
            "Resource": filesystem.arn,
            "Condition": {"Bool": {"elasticfilesystem:AccessedViaMountTarget": "true"}},
        },
        policy_documents.deny_without_tls("*", filesystem.arn),
    )

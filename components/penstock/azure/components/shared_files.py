"""Azure Files: files that pods in every zone share over NFS."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_azure_native import storage

from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import GroupHandle, KeyHandle, NetworkHandle, VolumeHandle
from penstock.azure.components.storage_account import storage_account
from penstock.azure.description.offer import shared_files_gib
from penstock.description.storage import SharedFilesSpec

SHARE = "shared"

_DECIDED_BY: Final = {
    "shareQuota": ".capacity_tib",
}


class SharedFiles(pulumi.ComponentResource):
    """An encrypted NFS share on solid state disks, in all zones of a region that has some.

    What it can hold is paid, used or not, and its throughput grows with that. A size that the description leaves out is
    the smallest on sale, and one that people enlarge: Pulumi lets that stand. The network reaches it at its private
    endpoint, and nobody else. Root of a pod is root in it: keep pods apart by running them as users of their own.
    """

    address: pulumi.Output[str]
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: SharedFilesSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:azure:SharedFiles", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        gib = shared_files_gib(spec)

        account = storage_account(
            name,
            spec,
            kind="FileStorage",
            premium=True,
            https_only=False,
            group=group,
            key=key,
            opts=child,
            allow_shared_key_access=False,
        )
        share = storage.FileShare(
            name,
            account_name=account.name,
            resource_group_name=group.name,
            share_name=SHARE,
            enabled_protocols="NFS",
            root_squash="NoRootSquash",
            share_quota=gib,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                ignore_changes=["shareQuota"] if spec.capacity_tib is None else [],
            ),
        )
        private_endpoint(name, "file", of=account.id, at=network, group=group, tags=spec.tags, opts=child)

        server = pulumi.Output.concat(account.name, ".file.core.windows.net")
        self.address = pulumi.Output.concat(server, ":/", account.name, "/", share.name)
        self.volume = VolumeHandle(
            driver="file.csi.azure.com",
            handle=pulumi.Output.concat(account.name, "#", share.name),
            any_handle=True,
            gib=gib,
            attributes={
                "resourceGroup": group.name,
                "storageAccount": account.name,
                "shareName": share.name,
                "server": server,
                "protocol": "nfs",
            },
            mount_options=("nconnect=4", "noresvport", "actimeo=30"),
        )
        self.register_outputs({"address": self.address})

"""Filestore: files that pods in every zone share over NFS."""

from __future__ import annotations

import pulumi
from pulumi_gcp import filestore

from penstock.catalog.gcp import filestore as tiers
from penstock.gcp.handles import KeyHandle, NetworkHandle, ProjectHandle
from penstock.spec.storage import SharedFilesSpec

TIER = "REGIONAL"
"""Kept in several zones of the region, so that pods in all of them have it while one is down."""

SHARE = "shared"
"""What clients mount: ADDRESS:/shared."""


class SharedFiles(pulumi.ComponentResource):
    """An encrypted NFS file system that a region shares, of the smallest size that its tier is sold in.

    What it can hold is paid, used or not. When it fills up, make it larger in the console: Pulumi lets that stand.
    Machines in the nodes' range may mount it, over NFS 3, and nobody else. Root of a pod is root in it: squashed, it
    could not write, since the share belongs to root. Keep pods apart by running them as users of their own.
    """

    filesystem_id: pulumi.Output[str]
    address: pulumi.Output[str]
    share: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: SharedFilesSpec,
        *,
        network: NetworkHandle,
        project: ProjectHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:SharedFiles", name, spec.inputs(), opts)

        instance = filestore.Instance(
            name,
            project=project.id,
            location=network.region,
            tier=TIER,
            file_shares={
                "name": SHARE,
                "capacity_gb": tiers.find_tier(TIER).minimum_gib,
                # Pods mount through their node, with its address.
                "nfs_export_options": [
                    {"ip_ranges": [network.nodes_cidr], "access_mode": "READ_WRITE", "squash_mode": "NO_ROOT_SQUASH"}
                ],
            },
            networks=[
                {"network": network.id, "modes": ["MODE_IPV4"], "connect_mode": "PRIVATE_SERVICE_ACCESS"},
            ],
            kms_key_name=key.id,
            deletion_protection_enabled=spec.protect,
            labels=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                ignore_changes=["fileShares.capacityGb"],
                depends_on=[*project.on("file"), *network.private_services, *key.for_("file")],
                custom_timeouts=pulumi.CustomTimeouts(create="60m", update="60m", delete="60m"),
            ),
        )

        self.filesystem_id = instance.id
        self.address = instance.networks[0].ip_addresses[0]
        self.share = pulumi.Output.concat("/", instance.file_shares.name)
        self.register_outputs({"filesystem_id": self.filesystem_id, "address": self.address, "share": self.share})

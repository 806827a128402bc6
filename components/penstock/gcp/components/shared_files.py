"""Filestore: files that pods in every zone share over NFS."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_gcp import filestore

from penstock.description.storage import SharedFilesSpec
from penstock.gcp.components.handles import KeyHandle, NetworkHandle, ProjectHandle, VolumeHandle
from penstock.gcp.description.offer import shared_files_gib
from penstock.gcp.facts import filestore as tiers

SHARE = "shared"
"""What clients mount: ADDRESS:/shared."""

_DECIDED_BY: Final = {
    "fileShares.capacityGb": ".capacity_tib",
    "fileShares.nfsExportOptions[].ipRanges": "network.cidr",
    "location tier": ".tier",
}


class SharedFiles(pulumi.ComponentResource):
    """An encrypted NFS file system that a region shares, or in one zone.

    What it can hold is paid, used or not, and its throughput grows with that. It never leaves its tier, nor the band of
    sizes that it began in. A size that the description leaves out is the smallest on sale, and one that people enlarge:
    Pulumi lets that stand.
    Machines in the nodes' range may mount it, over NFS 3, and nobody else. Root of a pod is root in it: squashed, it
    could not write, since the share belongs to root. Keep pods apart by running them as users of their own.
    """

    filesystem_id: pulumi.Output[str]
    address: pulumi.Output[str]
    share: pulumi.Output[str]
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: SharedFilesSpec,
        *,
        network: NetworkHandle,
        project: ProjectHandle,
        key: KeyHandle,
        zone: str,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the file system; `zone` is that of the zonal tier."""
        super().__init__("penstock:gcp:SharedFiles", name, spec.inputs(_DECIDED_BY), opts)

        tier = tiers.find_tier(spec.tier.upper())
        location = network.region if tier.regional else zone
        gib = shared_files_gib(spec)
        instance = filestore.Instance(
            name,
            project=project.id,
            location=location,
            tier=tier.name,
            file_shares={
                "name": SHARE,
                "capacity_gb": gib,
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
                ignore_changes=["fileShares.capacityGb"] if spec.capacity_tib is None else None,
                depends_on=[*project.on("file"), *network.private_services, *key.for_("file")],
                custom_timeouts=pulumi.CustomTimeouts(create="60m", update="60m", delete="60m"),
            ),
        )

        self.filesystem_id = instance.id
        self.address = instance.networks[0].ip_addresses[0]
        self.share = pulumi.Output.concat("/", instance.file_shares.name)
        self.volume = VolumeHandle(
            driver="filestore.csi.storage.gke.io",
            handle=pulumi.Output.concat(f"modeInstance/{location}/", instance.name, f"/{SHARE}"),
            gib=gib,
            attributes={"ip": self.address, "volume": SHARE},
        )
        self.register_outputs({"filesystem_id": self.filesystem_id, "address": self.address, "share": self.share})

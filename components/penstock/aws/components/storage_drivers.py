"""The drivers through which pods mount the platform's storage."""

from __future__ import annotations

import pulumi

from penstock.aws.components.addon import Addon
from penstock.aws.components.handles import ClusterHandle
from penstock.description.block import ComponentSpec


class StorageDrivers(pulumi.ComponentResource):
    """A driver for each kind of storage there is.

    File systems for Lustre are created by this project, never by their driver, and buckets are mounted with the rights
    of the pod: neither driver has any in AWS.
    """

    def __init__(
        self,
        name: str,
        spec: ComponentSpec,
        *,
        cluster: ClusterHandle,
        partition: str,
        lustre: bool,
        shared_files: bool,
        buckets: bool,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install drivers for Lustre, for shared files and for buckets."""
        super().__init__("penstock:aws:StorageDrivers", name, None, opts)

        def driver(kind: str, addon: str) -> None:
            Addon(
                f"{name}-{kind}",
                addon,
                cluster_name=cluster.name,
                kubernetes_version=cluster.version,
                moves=cluster.moves,
                partition=partition,
                tags=spec.tags,
                opts=pulumi.ResourceOptions(parent=self),
            )

        if lustre:
            driver("lustre", "aws-fsx-csi-driver")
        if shared_files:
            driver("shared-files", "aws-efs-csi-driver")
        if buckets:
            driver("buckets", "aws-mountpoint-s3-csi-driver")
        self.register_outputs({})

"""The drivers through which pods mount the platform's storage."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi

from penstock.aws.addon import Addon
from penstock.aws.handles import BucketHandle, ClusterHandle, KeyHandle
from penstock.aws.policy_documents import document
from penstock.spec.block import ComponentSpec


class StorageDrivers(pulumi.ComponentResource):
    """A driver for each kind of storage there is, allowed to touch this platform's storage only.

    File systems for Lustre are created by this project, never by the driver, so its driver has no rights in AWS.
    """

    def __init__(
        self,
        name: str,
        spec: ComponentSpec,
        *,
        cluster: ClusterHandle,
        partition: str,
        key: KeyHandle,
        lustre: bool,
        shared_files: bool,
        buckets: Sequence[BucketHandle],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install drivers for Lustre, for shared files and for those buckets; `key` encrypts the buckets."""
        super().__init__("penstock:aws:StorageDrivers", name, None, opts)

        def driver(kind: str, addon: str, policy: pulumi.Input[str] | None = None) -> None:
            Addon(
                f"{name}-{kind}",
                addon,
                cluster_name=cluster.name,
                kubernetes_version=cluster.version,
                moves=cluster.moves,
                partition=partition,
                tags=spec.tags,
                policy=policy,
                opts=pulumi.ResourceOptions(parent=self),
            )

        if lustre:
            driver("lustre", "aws-fsx-csi-driver")
        if shared_files:
            driver("shared-files", "aws-efs-csi-driver")
        if buckets:
            driver("buckets", "aws-mountpoint-s3-csi-driver", _objects(buckets, key))
        self.register_outputs({})


def _objects(buckets: Sequence[BucketHandle], key: KeyHandle) -> pulumi.Output[str]:
    """The permissions by which Mountpoint lists, reads and writes objects (its CONFIGURATION.md, "IAM permissions")."""
    return document(
        {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": [bucket.arn for bucket in buckets]},
        {
            "Effect": "Allow",
            "Action": ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject"],
            "Resource": [pulumi.Output.concat(bucket.arn, "/*") for bucket in buckets],
        },
        {"Effect": "Allow", "Action": ["kms:Decrypt", "kms:GenerateDataKey"], "Resource": key.arn},
    )

"""Buckets of Cloud Storage: data sets, checkpoints and models."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_gcp import storage

from penstock.description.offer import kept_days
from penstock.description.storage import BucketSpec
from penstock.gcp.components import workload_identity
from penstock.gcp.components.handles import BucketHandle, ClusterHandle, KeyHandle, ProjectHandle, VolumeHandle
from penstock.gcp.components.private_bucket import private_bucket

READER, WRITER = "objectViewer", "objectUser"
"""The roles that the driver of Cloud Storage FUSE asks for (GKE documentation, access Cloud Storage buckets)."""

_NO_LIMIT_GIB = 1024
"""A volume must have a size, and a bucket has none: nothing holds it to this one."""

_DECIDED_BY: Final = {
    "softDeletePolicy": ".retention_days .versioning",
    "versioning": ".versioning",
    "BucketIAMMember": ".readers .writers",
}


class Bucket(pulumi.ComponentResource):
    """A private, encrypted bucket in one region, with folders that can be renamed at once as in a file system.

    Google keeps no versions in a bucket with such folders. Soft delete takes their place: what is overwritten or
    deleted can be restored for `retention_days`, unless `versioning` is off. The bucket's name gets a random suffix,
    because bucket names are shared by all customers of Google.
    """

    handle: BucketHandle
    name: pulumi.Output[str]
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: BucketSpec,
        *,
        region: str,
        project: ProjectHandle,
        key: KeyHandle,
        cluster: ClusterHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the bucket; `cluster` is the one whose service accounts are `spec.readers` and `spec.writers`.

        Raises:
            ValueError: there are some, and no cluster.
        """
        super().__init__("penstock:gcp:Bucket", name, spec.inputs(_DECIDED_BY), opts)
        bucket = private_bucket(
            name,
            spec,
            region=region,
            project=project,
            key=key,
            restorable_days=kept_days(spec, "gcp") if spec.versioning else 0,
            opts=pulumi.ResourceOptions(parent=self),
        )

        for role, accounts in ((READER, spec.readers), (WRITER, spec.writers)):
            for account in dict.fromkeys(accounts):
                storage.BucketIAMMember(
                    f"{name}-{role}/{account}",
                    bucket=bucket.name,
                    role=f"roles/storage.{role}",
                    member=workload_identity.member(account, project=project, cluster=cluster),
                    opts=pulumi.ResourceOptions(parent=self),
                )

        self.name = bucket.name
        self.handle = BucketHandle(name=bucket.name)
        self.volume = VolumeHandle(driver="gcsfuse.csi.storage.gke.io", handle=bucket.name, gib=_NO_LIMIT_GIB)
        self.register_outputs({"name": self.name})

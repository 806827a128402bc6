"""Buckets of Cloud Storage: data sets, checkpoints and models."""

from __future__ import annotations

import pulumi
from pulumi_gcp import storage

from penstock.gcp.handles import BucketHandle, KeyHandle, ProjectHandle
from penstock.spec.storage import BucketSpec

INCOMPLETE_UPLOAD_DAYS = 7
"""Parts of an upload that was never finished are billed and invisible; a week leaves time to resume."""


class Bucket(pulumi.ComponentResource):
    """A private, encrypted bucket in one region, with folders that can be renamed at once as in a file system.

    Google keeps no versions in a bucket with such folders. Soft delete takes their place: what is overwritten or
    deleted can be restored for `retention_days`, unless `versioning` is off. The bucket's name gets a random suffix,
    because bucket names are shared by all customers of Google.
    """

    handle: BucketHandle
    name: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: BucketSpec,
        *,
        region: str,
        project: ProjectHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:Bucket", name, spec.inputs(), opts)

        kept_days = spec.retention_days if spec.versioning else 0
        bucket = storage.Bucket(
            name,
            project=project.id,
            location=region,
            uniform_bucket_level_access=True,
            public_access_prevention="enforced",
            hierarchical_namespace={"enabled": True},  # only at creation: adding it later replaces the bucket
            encryption={"default_kms_key_name": key.id},
            soft_delete_policy={"retention_duration_seconds": kept_days * 24 * 3600},
            lifecycle_rules=[
                {
                    "action": {"type": "AbortIncompleteMultipartUpload"},
                    "condition": {"age": INCOMPLETE_UPLOAD_DAYS},
                }
            ],
            labels=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                depends_on=[*project.on("storage"), *key.for_("storage")],
            ),
        )

        self.name = bucket.name
        self.handle = BucketHandle(name=bucket.name)
        self.register_outputs({"name": self.name})

"""S3 buckets: data sets, checkpoints and models."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_aws import s3

from penstock.aws.components import private_bucket
from penstock.aws.components.handles import BucketHandle, KeyHandle
from penstock.description.offer import kept_days
from penstock.description.storage import BucketSpec

_DECIDED_BY: Final = {
    "rules[].noncurrentVersionExpiration.noncurrentDays": ".retention_days",
    "versioningConfiguration.status aws-s3-versioning": ".versioning",
}


class Bucket(pulumi.ComponentResource):
    """A private, encrypted, versioned bucket that answers over TLS 1.2 or newer only.

    Its name gets a random suffix, because bucket names are shared by all customers of AWS. Readers and writers need
    `kms:Decrypt` and `kms:GenerateDataKey` on the key as well as rights on the bucket. With `logs`, such as that of
    `AccessLogs`, S3 records there who read and wrote it.
    """

    handle: BucketHandle
    name: pulumi.Output[str]
    arn: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: BucketSpec,
        *,
        key: KeyHandle,
        logs: BucketHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:Bucket", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        bucket = s3.Bucket(name, tags=spec.tags, opts=pulumi.ResourceOptions(parent=self, protect=spec.protect))
        private_bucket.close(name, bucket, opts=child)
        self._encrypt(name, bucket, key, child)
        self._keep(name, bucket, spec, child)
        if logs is not None:
            self._log(name, bucket, logs, child)

        self.name, self.arn = bucket.bucket, bucket.arn
        self.handle = BucketHandle(name=bucket.bucket, arn=bucket.arn)
        self.register_outputs({"name": self.name, "arn": self.arn})

    def _encrypt(self, name: str, bucket: s3.Bucket, key: KeyHandle, opts: pulumi.ResourceOptions) -> None:
        s3.BucketServerSideEncryptionConfiguration(
            f"{name}-encryption",
            bucket=bucket.bucket,
            rules=[
                {
                    "apply_server_side_encryption_by_default": {
                        "sse_algorithm": "aws:kms",
                        "kms_master_key_id": key.arn,
                    },
                    "bucket_key_enabled": True,  # far fewer requests to KMS than one for each object
                }
            ],
            opts=opts,
        )

    def _keep(self, name: str, bucket: s3.Bucket, spec: BucketSpec, opts: pulumi.ResourceOptions) -> None:
        versioning = s3.BucketVersioning(
            f"{name}-versioning",
            bucket=bucket.bucket,
            versioning_configuration={"status": "Enabled" if spec.versioning else "Suspended"},
            opts=opts,
        )
        s3.BucketLifecycleConfiguration(
            f"{name}-lifecycle",
            bucket=bucket.bucket,
            rules=[
                {
                    "id": "leftovers",
                    "status": "Enabled",
                    "filter": {"prefix": ""},
                    "abort_incomplete_multipart_upload": {
                        "days_after_initiation": private_bucket.INCOMPLETE_UPLOAD_DAYS
                    },
                    "expiration": {"expired_object_delete_marker": True},
                },
                {
                    "id": "old-versions",
                    "status": "Enabled",
                    "filter": {"prefix": ""},
                    "noncurrent_version_expiration": {"noncurrent_days": kept_days(spec, "aws")},
                },
            ],
            # S3 must know whether there are versions before it learns how long they live.
            opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[versioning])),
        )

    def _log(self, name: str, bucket: s3.Bucket, logs: BucketHandle, opts: pulumi.ResourceOptions) -> None:
        s3.BucketLogging(
            f"{name}-logging",
            bucket=bucket.bucket,
            target_bucket=logs.name,
            target_prefix=f"{name}/",
            target_object_key_format={"partitioned_prefix": {"partition_date_source": "EventTime"}},
            opts=opts,
        )

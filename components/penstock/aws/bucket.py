"""S3 buckets: data sets, checkpoints and models."""

from __future__ import annotations

import pulumi
from pulumi_aws import s3

from penstock.aws import policy_documents
from penstock.aws.handles import BucketHandle, KeyHandle
from penstock.spec.storage import BucketSpec

INCOMPLETE_UPLOAD_DAYS = 7
"""Parts of an upload that was never finished are billed and invisible; a week leaves time to resume."""


class Bucket(pulumi.ComponentResource):
    """A private, encrypted, versioned bucket that answers over TLS 1.2 or newer only.

    Its name gets a random suffix, because bucket names are shared by all customers of AWS. Readers and writers need
    `kms:Decrypt` and `kms:GenerateDataKey` on the key as well as rights on the bucket.
    """

    handle: BucketHandle
    name: pulumi.Output[str]
    arn: pulumi.Output[str]

    def __init__(
        self, name: str, spec: BucketSpec, *, key: KeyHandle, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("penstock:aws:Bucket", name, spec.inputs(), opts)
        child = pulumi.ResourceOptions(parent=self)

        bucket = s3.Bucket(name, tags=spec.tags, opts=pulumi.ResourceOptions(parent=self, protect=spec.protect))
        s3.BucketPublicAccessBlock(
            f"{name}-public-access",
            bucket=bucket.bucket,
            block_public_acls=True,
            block_public_policy=True,
            ignore_public_acls=True,
            restrict_public_buckets=True,
            opts=child,
        )
        s3.BucketOwnershipControls(
            f"{name}-ownership",
            bucket=bucket.bucket,
            rule={"object_ownership": "BucketOwnerEnforced"},
            opts=child,
        )
        self._encrypt(name, bucket, key, child)
        self._keep(name, bucket, spec, child)
        s3.BucketPolicy(f"{name}-policy", bucket=bucket.bucket, policy=_only_over_tls(bucket), opts=child)

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
                    "abort_incomplete_multipart_upload": {"days_after_initiation": INCOMPLETE_UPLOAD_DAYS},
                    "expiration": {"expired_object_delete_marker": True},
                },
                {
                    "id": "old-versions",
                    "status": "Enabled",
                    "filter": {"prefix": ""},
                    "noncurrent_version_expiration": {"noncurrent_days": spec.retention_days},
                },
            ],
            # S3 must know whether there are versions before it is told how long they live.
            opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[versioning])),
        )


def _only_over_tls(bucket: s3.Bucket) -> pulumi.Output[str]:
    resources = [bucket.arn, pulumi.Output.concat(bucket.arn, "/*")]
    return policy_documents.document(
        policy_documents.deny_without_tls("s3:*", resources),
        {
            "Sid": "DenyOldTls",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": resources,
            "Condition": {"NumericLessThan": {"s3:TlsVersion": "1.2"}},
        },
    )

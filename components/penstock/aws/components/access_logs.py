"""The record of who read and wrote the buckets."""

from __future__ import annotations

import pulumi
from pulumi_aws import s3

from penstock.aws.components import private_bucket
from penstock.aws.components.handles import BucketHandle
from penstock.aws.components.logs import RETENTION_DAYS
from penstock.aws.components.policy_documents import Statement
from penstock.description.block import HoldingSpec


class AccessLogs(pulumi.ComponentResource):
    """A private bucket that takes the access logs of others, `Bucket(logs=...)`, and keeps them for a year.

    S3 delivers to no bucket that is encrypted with a key of KMS or under an object lock, and only within one region and
    account (S3 user guide, "Enabling Amazon S3 server access logging"). Logs come hours late and now and then not at
    all: a record without gaps takes a trail of CloudTrail. Unless it is protected, the bucket goes with all its logs.
    """

    handle: BucketHandle

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        account: pulumi.Input[str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the bucket; `account` is the id of the account that it and the logged buckets are in."""
        super().__init__("penstock:aws:AccessLogs", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        bucket = s3.Bucket(
            name,
            # Logs keep coming for hours after the last bucket is gone: nobody could empty it by hand and be done.
            force_destroy=not spec.protect,
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
        private_bucket.close(name, bucket, _delivery(bucket, account), opts=child)
        s3.BucketServerSideEncryptionConfiguration(
            f"{name}-encryption",
            bucket=bucket.bucket,
            rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "AES256"}}],
            opts=child,
        )
        s3.BucketLifecycleConfiguration(
            f"{name}-lifecycle",
            bucket=bucket.bucket,
            rules=[
                {
                    "id": "old-logs",
                    "status": "Enabled",
                    "filter": {"prefix": ""},
                    "expiration": {"days": RETENTION_DAYS},
                    "abort_incomplete_multipart_upload": {
                        "days_after_initiation": private_bucket.INCOMPLETE_UPLOAD_DAYS
                    },
                }
            ],
            opts=child,
        )

        self.handle = BucketHandle(name=bucket.bucket, arn=bucket.arn)
        self.register_outputs({"name": bucket.bucket})


def _delivery(bucket: s3.Bucket, account: pulumi.Input[str]) -> Statement:
    # The service acts for every customer: without the condition it could be made to write the logs of another one.
    return {
        "Sid": "AccessLogsOfThisAccount",
        "Effect": "Allow",
        "Principal": {"Service": "logging.s3.amazonaws.com"},
        "Action": "s3:PutObject",
        "Resource": pulumi.Output.concat(bucket.arn, "/*"),
        "Condition": {"StringEquals": {"aws:SourceAccount": account}},
    }

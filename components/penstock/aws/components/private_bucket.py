"""The protection of every bucket: no way of being public, and no answer without TLS."""

from __future__ import annotations

import pulumi
from pulumi_aws import s3

from penstock.aws.components import policy_documents
from penstock.aws.components.policy_documents import Statement

INCOMPLETE_UPLOAD_DAYS = 7
"""Parts of an upload that was never finished are billed and invisible; a week leaves time to resume."""


def close(name: str, bucket: s3.Bucket, *statements: Statement, opts: pulumi.ResourceOptions) -> None:
    """Closes a bucket to the public and to all but TLS 1.2 or newer; its policy says `statements` beside that."""
    s3.BucketPublicAccessBlock(
        f"{name}-public-access",
        bucket=bucket.bucket,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
        opts=opts,
    )
    s3.BucketOwnershipControls(
        f"{name}-ownership",
        bucket=bucket.bucket,
        rule={"object_ownership": "BucketOwnerEnforced"},
        opts=opts,
    )
    policy = policy_documents.document(*_only_over_tls(bucket), *statements)
    s3.BucketPolicy(f"{name}-policy", bucket=bucket.bucket, policy=policy, opts=opts)


def _only_over_tls(bucket: s3.Bucket) -> list[Statement]:
    resources = [bucket.arn, pulumi.Output.concat(bucket.arn, "/*")]
    return [
        policy_documents.deny_without_tls("s3:*", resources),
        {
            "Sid": "DenyOldTls",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": resources,
            "Condition": {"NumericLessThan": {"s3:TlsVersion": "1.2"}},
        },
    ]

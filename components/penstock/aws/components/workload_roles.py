"""What the pods of a description may read and write in AWS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi

from penstock.aws.components.handles import BucketHandle, ClusterHandle, KeyHandle
from penstock.aws.components.policy_documents import Statement
from penstock.aws.components.roles import bound_role
from penstock.catalog import regions
from penstock.description.block import ComponentSpec

_READ = ("s3:GetObject",)
_WRITE = ("s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject")


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketUse:
    """A bucket, and the service accounts (NAMESPACE/NAME) whose pods read it, or read and write it."""

    bucket: BucketHandle
    readers: Sequence[str]
    writers: Sequence[str]

    def writable_by(self, account: str) -> bool | None:
        """Return whether an account may write, or None where it may not even read."""
        return True if account in self.writers else False if account in self.readers else None


class WorkloadRoles(pulumi.ComponentResource):
    """A role for each service account that the description names, bound to it by Pod Identity.

    A service account has one such role in a cluster, so its rights to all buckets and secrets come together in it. Pods
    get them as they start, once the service account exists; nobody else can take the role.
    """

    def __init__(
        self,
        name: str,
        spec: ComponentSpec,
        *,
        cluster: ClusterHandle,
        region: str,
        key: KeyHandle,
        buckets: Sequence[BucketUse] = (),
        secrets: Sequence[pulumi.Input[str]] = (),
        secret_readers: Sequence[str] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the roles; `key` encrypts the buckets and the `secrets`, which are given by their ARNs."""
        super().__init__("penstock:aws:WorkloadRoles", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        place = regions.find_region(region, "aws")
        through_s3 = {"StringEquals": {"kms:ViaService": f"s3.{place.name}.{place.dns_suffix}"}}

        used = (account for use in buckets for account in (*use.readers, *use.writers))
        for account in dict.fromkeys((*used, *(secret_readers if secrets else ()))):
            namespace, _, service_account = account.partition("/")
            rights = [
                statement
                for use in buckets
                if (writes := use.writable_by(account)) is not None
                for statement in _objects(use.bucket, key, through_s3, writes=writes)
            ]
            if account in secret_readers and secrets:
                rights += _secrets(secrets, key)
            bound_role(
                f"{name}-{namespace}-{service_account}",
                service_account,
                rights,
                namespace=namespace,
                cluster_name=cluster.name,
                partition=place.partition,
                tags=spec.tags,
                opts=child,
            )
        self.register_outputs({})


def _objects(
    bucket: BucketHandle, key: KeyHandle, through_s3: Mapping[str, Mapping[str, str]], *, writes: bool
) -> list[Statement]:
    return [
        {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": bucket.arn},
        {
            "Effect": "Allow",
            "Action": list(_WRITE if writes else _READ),
            "Resource": pulumi.Output.concat(bucket.arn, "/*"),
        },
        {
            "Effect": "Allow",
            "Action": ["kms:Decrypt", "kms:GenerateDataKey"] if writes else "kms:Decrypt",
            "Resource": key.arn,
            "Condition": through_s3,
        },
    ]


def _secrets(secrets: Sequence[pulumi.Input[str]], key: KeyHandle) -> list[Statement]:
    return [
        {
            "Effect": "Allow",
            "Action": ["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"],
            "Resource": list(secrets),
        },
        {
            "Effect": "Allow",
            "Action": "kms:Decrypt",
            "Resource": key.arn,
            # The key guards other data too; Secrets Manager names the secret in each request to it.
            "Condition": {"StringEquals": {"kms:EncryptionContext:SecretARN": list(secrets)}},
        },
    ]

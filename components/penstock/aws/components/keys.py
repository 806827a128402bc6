"""The customer-managed keys that everything else is encrypted with."""

from __future__ import annotations

import pulumi
from pulumi_aws import kms

from penstock.aws.components.handles import KeyHandle
from penstock.aws.components.policy_documents import Statement, document
from penstock.catalog import regions
from penstock.catalog.regions import Region
from penstock.description.block import HoldingSpec

_USE = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"]


class Keys(pulumi.ComponentResource):
    """Three keys that rotate every year, so that the right to read one kind of data is not a right to read another.

    `data` is for disks, file systems, buckets, databases, images and secrets; `cluster` for what Kubernetes stores;
    `logs` for CloudWatch. With `only_data` there is the first alone: an adopted cluster brings the others. Who uses
    them is for IAM to say, except where a service acts by itself.
    """

    data: KeyHandle
    cluster: KeyHandle
    logs: KeyHandle

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        region: str,
        account: pulumi.Input[str],
        only_data: bool = False,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the keys; `account` is the id of the account that they and all their users are in."""
        super().__init__("penstock:aws:Keys", name, None, opts)
        place = regions.find_region(region, "aws")
        owner = account_by_iam(place, account)
        child = pulumi.ResourceOptions(parent=self)

        self.data = customer_key(
            f"{name}-data", spec, owner, *_disks(place, account), _imports(place, account), opts=child
        )
        outputs = {"data": self.data.arn}
        if not only_data:
            self.cluster = customer_key(f"{name}-cluster", spec, owner, opts=child)
            self.logs = customer_key(f"{name}-logs", spec, owner, _cloudwatch(place, account), opts=child)
            outputs |= {"cluster": self.cluster.arn, "logs": self.logs.arn}
        self.register_outputs(outputs)


def customer_key(name: str, spec: HoldingSpec, *statements: Statement, opts: pulumi.ResourceOptions) -> KeyHandle:
    """A key that rotates every year, with an alias of its name; `statements` say who uses it."""
    key = kms.Key(
        name,
        description=name,
        policy=document(*statements),
        enable_key_rotation=True,
        deletion_window_in_days=30,  # the longest: with the key, all that it encrypted is lost
        tags=spec.tags,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(protect=spec.protect)),
    )
    kms.Alias(name, name=f"alias/{name}", target_key_id=key.id, opts=opts)
    return KeyHandle(arn=key.arn)


def account_by_iam(place: Region, account: pulumi.Input[str]) -> Statement:
    """Leaves it to the IAM policies of an account who uses a key."""
    return {
        "Sid": "AccountDecidesByIam",
        "Effect": "Allow",
        "Principal": {"AWS": pulumi.Output.concat(f"arn:{place.partition}:iam::", account, ":root")},
        "Action": "kms:*",
        "Resource": "*",
    }


def _disks(place: Region, account: pulumi.Input[str]) -> list[Statement]:
    """Any principal of the account, but only through EC2: what the key that AWS makes for disks says too.

    Auto Scaling starts nodes as its service-linked role, which IAM policies cannot reach and which may not exist yet.
    """
    through_ec2 = {
        "kms:CallerAccount": account,
        "kms:ViaService": f"ec2.{place.name}.{place.dns_suffix}",
    }
    return [
        {
            "Sid": "DisksThroughEc2",
            "Effect": "Allow",
            "Principal": {"AWS": "*"},
            "Action": _USE,
            "Resource": "*",
            "Condition": {"StringEquals": through_ec2},
        },
        {
            "Sid": "GrantsForDisksThroughEc2",
            "Effect": "Allow",
            "Principal": {"AWS": "*"},
            "Action": "kms:CreateGrant",
            "Resource": "*",
            "Condition": {"StringEquals": through_ec2, "Bool": {"kms:GrantIsForAWSResource": "true"}},
        },
    ]


def _imports(place: Region, account: pulumi.Input[str]) -> Statement:
    """FSx reads the buckets that it imports from as a role of its own, which IAM policies cannot reach.

    Each file system brings its role along (FSx for Lustre user guide, "Working with server-side encrypted Amazon S3
    buckets", 2026-11), so the role's name is known only up to its last part.
    """
    role = ":role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*"
    return {
        "Sid": "ImportsFromEncryptedBuckets",
        "Effect": "Allow",
        "Principal": {"AWS": "*"},
        "Action": _USE,
        "Resource": "*",
        "Condition": {
            "StringEquals": {"kms:CallerAccount": account, "kms:ViaService": f"s3.{place.name}.{place.dns_suffix}"},
            "ArnLike": {"aws:PrincipalArn": pulumi.Output.concat(f"arn:{place.partition}:iam::", account, role)},
        },
    }


def _cloudwatch(place: Region, account: pulumi.Input[str]) -> Statement:
    groups = pulumi.Output.concat(f"arn:{place.partition}:logs:{place.name}:", account, ":*")
    return {
        "Sid": "LogGroupsOfThisAccount",
        "Effect": "Allow",
        "Principal": {"Service": f"logs.{place.name}.{place.dns_suffix}"},
        "Action": _USE,
        "Resource": "*",
        "Condition": {"ArnLike": {"kms:EncryptionContext:aws:logs:arn": groups}},
    }
